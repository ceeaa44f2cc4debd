"""Which games there are: the folders, and what another package announces."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tablectl import games
from tablectl.cli.status import Status
from tablectl.games.registry import GAMES, by_id
from tests.games.plug_in import announced, tablectl

#: A package of somebody else: the game of `texas-poker` under a name of its own.
OTHER = """
from dataclasses import replace

from tablectl.games import texas_poker


def rulebook(choices):
    return replace(texas_poker.GAME.rulebook(choices), id="poker-of-others")


GAME = replace(texas_poker.GAME, place=9, rulebook=rulebook)
NO_GAME = "poker"
"""


def installed(folder: Path, value: str) -> dict[str, str]:
    """A package in a folder of its own that announces this value; the environment in which Python finds it."""
    (folder / "others.py").write_text(OTHER, encoding="utf-8")
    return announced(folder, f"others:{value}")


def test_every_folder_is_a_game() -> None:
    folders = {path.parent.name for path in Path(next(iter(games.__path__))).glob("*/__init__.py")}
    assert {game.id.replace("-", "_") for game in GAMES.values()} == folders


def test_a_game_of_another_package_is_played_settled_and_drawn_like_every_other(tmp_path: Path) -> None:
    environment = installed(tmp_path, "GAME")
    hand = "rulebook poker-of-others\ntracking presence\n> press seat-1\n> press no-more-bets\n"
    played = tablectl(environment, "play", "--json", "-", said=hand)
    assert [json.loads(line)["state"]["phase"] for line in played.stdout.splitlines()] == ["betting", "dealing"]
    line = (
        '{"board":["Ah","Kd","7c","7s","2d"],"house":["4s","4d"],'
        '"seats":[{"seat":1,"cards":["As","Ks"],"bets":{"ante":1000,"second":2000}}]}'
    )
    ours, theirs = (
        tablectl(environment, "settle", game, said=line).stdout for game in ("texas-poker", "poker-of-others")
    )
    assert theirs == ours != ""
    assert "stateDiagram" in tablectl(environment, "diagram", "poker-of-others").stdout
    assert "poker-of-others" not in tablectl(dict(os.environ), "play", "--json", "-", said=hand).stdout


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("NO_GAME", "found 'poker'; would be right: a value of tablectl.games.game.Game (docs/add-a-game.md)"),
        ("GAMES", "found AttributeError: module 'others' has no attribute 'GAMES'"),
        ("FAILS", "found ZeroDivisionError: integer division or modulo by zero ("),
    ],
)
def test_a_package_whose_game_cannot_be_used_is_named_in_one_line(value: str, found: str, tmp_path: Path) -> None:
    environment = installed(tmp_path, value)
    if value == "FAILS":
        (tmp_path / "others.py").write_text(f"{OTHER}\n\nFAILS = 1 // 0\n", encoding="utf-8")
    for command in ("rules", "check-config", "run"):
        ended = tablectl(environment, command)
        assert ended.returncode == Status.WRONG_USAGE
        (line,) = ended.stderr.splitlines()
        assert line.startswith(f"the package others 1.0: tablectl.games, others = others:{value}: {found}")
        assert line.endswith(", or the package removed")
        assert (f"{tmp_path / 'others.py'}, line " in line) == (value == "FAILS")


def test_two_games_have_no_name_in_common() -> None:
    (first, *_) = GAMES.values()
    with pytest.raises(ValueError, match=f"two games are called {first.id}"):
        by_id([*GAMES.values(), first])
