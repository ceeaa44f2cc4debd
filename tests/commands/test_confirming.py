"""An amount is repeated with its currency before it takes effect, and whoever sits at a terminal is asked."""

from __future__ import annotations

import sys
from io import StringIO
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from pytest_mock import MockerFixture

from simulators.stage.stage import Scene, config_text
from tablectl.cli.main import main

Captured: TypeAlias = pytest.CaptureFixture[str]
FLOAT = ("table", "float", "CONFIG", "--fill=125050", "--by", "ana", "--second", "luis")
LIMITS = ("table", "limits", "CONFIG", "ante=500..10000", "--by", "ana", "--second", "luis")
ENTERED = {"ok": True, "seq": 7, "refused": None, "expected": None, "unknown": "no-count"}
ASKED: Final[dict[tuple[str, ...], str]] = {
    FLOAT: "Mesa 1: filled with 125050 (€1,250.50): right? [y/N] ",
    LIMITS: "Mesa 1: ante=500..10000 (ante €5.00 to €100.00): right? [y/N] ",
}


class Terminal(StringIO):
    """Where somebody sits who types this."""

    def isatty(self) -> bool:
        return True


class Said:
    """What was asked of the controller, and what stood on the screen at that moment."""

    def __init__(self, screen: StringIO) -> None:
        self.screen, self.before = screen, ""
        self.n_asked = 0

    def __call__(self, _socket: Path, _question: object) -> dict[str, object]:
        self.n_asked += 1
        self.before = self.screen.getvalue()
        return dict(ENTERED)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(config_text(Scene(), tmp_path), encoding="utf-8")
    return path


def run(words: tuple[str, ...], config: Path, mocker: MockerFixture, *, typed: str | None) -> tuple[int, Said]:
    """The command at a terminal where this is typed; None: without one."""
    screen = StringIO() if typed is None else Terminal()
    mocker.patch.object(sys, "stdin", StringIO() if typed is None else Terminal(typed))
    mocker.patch.object(sys, "stderr", screen)
    said = Said(screen)
    for module in ("table", "table_float"):
        mocker.patch(f"tablectl.cli.commands.{module}.ask", said)
    return main([str(config) if word == "CONFIG" else word for word in words]), said


@pytest.mark.parametrize("words", ASKED)
@pytest.mark.parametrize("typed", ["y\n", "YES \n"])
def test_at_a_terminal_the_amount_is_repeated_before_it_is_entered(
    words: tuple[str, ...], typed: str, config: Path, mocker: MockerFixture
) -> None:
    status, said = run(words, config, mocker, typed=typed)
    assert (status, said.n_asked) == (0, 1)
    assert said.before == ASKED[words]


@pytest.mark.parametrize("words", ASKED)
@pytest.mark.parametrize("typed", ["", "\n", "n\n", "125050\n"])
def test_whoever_does_not_say_yes_enters_nothing(
    words: tuple[str, ...], typed: str, config: Path, mocker: MockerFixture
) -> None:
    status, said = run(words, config, mocker, typed=typed)
    assert (status, said.n_asked) == (1, 0)
    assert said.screen.getvalue() == f"{ASKED[words]}nothing was entered\n"


@pytest.mark.parametrize("words", ASKED)
def test_a_script_is_not_asked(words: tuple[str, ...], config: Path, mocker: MockerFixture) -> None:
    status, said = run(words, config, mocker, typed=None)
    assert (status, said.n_asked, said.before) == (0, 1, "")


def test_whoever_wants_json_is_not_asked(config: Path, mocker: MockerFixture, capsys: Captured) -> None:
    status, said = run((*FLOAT, "--json"), config, mocker, typed="")
    assert (status, said.n_asked) == (0, 1)
    assert capsys.readouterr().out.startswith("{")


def test_what_only_looks_asks_nothing(config: Path, mocker: MockerFixture) -> None:
    status, said = run(("table", "float", "CONFIG"), config, mocker, typed="")
    assert (status, said.n_asked, said.screen.getvalue()) == (0, 1, "")
