"""`tablectl people`, and the first start of `tablectl screens`: one manager, one password, said once."""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from simulators import processes
from tablectl.cli.commands.people import add_arguments, run
from tablectl.cli.first_manager import first_said
from tablectl.core.cards import DECK
from tablectl.people.administration import AT_CONSOLE, Administration
from tests.other_user import CONTROLLER, only_root, shared_folder
from tests.screens.signed_on import house

SHIPPED = Path(__file__).parents[2] / "config" / "mesa-1.toml"
GIVEN = re.compile(r"one-time password ([a-z2-9]{5}(?:-[a-z2-9]{5}){3})\n")


def config_in(folder: Path) -> Path:
    """A shipped table whose journal, and so its accounts, is in this folder."""
    text = SHIPPED.read_text(encoding="utf-8")
    path = folder / "mesa.toml"
    for user in ("tablectl", "tablectl-screens"):
        text = text.replace(f"/var/lib/{user}/mesa-1/", f"{folder}/")
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Of a table without accounts."""
    return config_in(tmp_path)


@pytest.fixture(scope="module")
def first_made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the accounts of a table that has its first manager: to make a secret takes its time on purpose."""
    folder = tmp_path_factory.mktemp("first")
    assert told(config_in(folder), "first")[0] == 0
    return folder


@pytest.fixture
def begun(first_made: Path, tmp_path: Path) -> Path:
    """The configuration of such a table, in a folder of this test."""
    shutil.copytree(first_made, tmp_path, dirs_exist_ok=True)
    return config_in(tmp_path)


def told(config: Path, act: str, *words: str) -> tuple[int, str, str]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    stdout, stderr = io.StringIO(), io.StringIO()
    status = run(parser.parse_args([act, str(config), *words]), stdout, stderr)
    return status, stdout.getvalue(), stderr.getvalue()


def test_the_first_manager_is_made_once(config: Path) -> None:
    status, said, _ = told(config, "first")
    assert status == 0
    assert GIVEN.search(said)
    assert told(config, "first") == (1, "people: there are accounts already\n", "")
    assert told(config, "list") == (0, "manager  manager  Manager  (one-time password)\n", "")


def test_people_come_and_go_and_no_secret_is_an_argument(begun: Path, tmp_path: Path) -> None:
    status, said, _ = told(begun, "add", "ana", "--display", "Ana García", "--role", "croupier", "--role", "auditor")
    assert status == 0
    first = GIVEN.search(said)
    again = GIVEN.search(told(begun, "reset", "ana")[1])
    assert first is not None
    assert again is not None
    assert first.group(1) != again.group(1)
    assert told(begun, "disable", "ana") == (0, "", "")
    assert "ana  auditor, croupier  Ana García  (disabled; one-time password)\n" in told(begun, "list")[1]
    assert told(begun, "enable", "ana") == (0, "", "")
    people = house(tmp_path / "people.db")
    assert [(row["what"], row["who"]) for row in people.audits.rows()] == [
        ("account-made", "console"),
        ("account-made", "console"),
        ("secret-changed", "console"),
        ("account-changed", "console"),
        ("account-changed", "console"),
    ]
    people.file.close()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("disable", "manager"), "last manager"),
        (("disable", "nobody"), "nobody of the name nobody"),
        (("add", "Ana", "--role", "croupier"), "one word"),
        (("add", "manager", "--role", "croupier"), "already"),
    ],
)
def test_what_cannot_be_is_said_with_its_reason(begun: Path, words: tuple[str, ...], said: str) -> None:
    status, stdout, stderr = told(begun, *words)
    assert (status, stdout) == (1, "")
    assert said in stderr


def test_a_record_that_was_tampered_with_is_told(begun: Path, tmp_path: Path) -> None:
    told(begun, "reset", "manager")
    people = house(tmp_path / "people.db")
    people.file.write("UPDATE access SET who = 'ana' WHERE number = 1")
    people.file.close()
    status, said, _ = told(begun, "list")
    assert status == 1
    assert "broken at number 1" in said


def test_what_the_controller_did_not_take_is_told(begun: Path, tmp_path: Path) -> None:
    people = house(tmp_path / "people.db")
    people.audits.refuse(1, "expected about: printable text")
    people.file.close()
    status, said, _ = told(begun, "list")
    assert status == 0
    assert "did not take number 1 (account-made by console): expected about: printable text\n" in said


def test_a_file_that_others_read_is_not_used(begun: Path, tmp_path: Path) -> None:
    (tmp_path / "people.db").chmod(0o644)
    status, _, stderr = told(begun, "list")
    assert status == 2
    assert "chmod 600" in stderr


@pytest.mark.wide
@pytest.mark.system
def test_the_screens_say_the_first_password_at_the_first_start_and_at_no_other(tmp_path: Path) -> None:
    words = [sys.executable, "-u", "-m", "tablectl", "screens", "--socket", str(tmp_path / "socket")]
    words += ["--people", str(tmp_path / "people.db"), "--port", "0"]
    kept = tmp_path / "people.db.first"
    given: list[str] = []
    for _ in range(2):
        with processes.start(words, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
            assert process.stdout is not None
            url = process.stdout.readline().removeprefix("screens: ").strip()
            assert url.startswith("http://127.0.0.1:")
            with httpx2.Client(timeout=30, verify=False) as client:
                assert client.get(f"{url}sign-on").status_code == 200  # it is up, and has said what it had to say
                if not given:
                    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
                    password = kept.read_text(encoding="utf-8").strip()
                    fields = {"name": "manager", "secret": password}
                    client.post(f"{url}sign-on", data=fields, headers={"Origin": url.rstrip("/")})
            process.send_signal(signal.SIGTERM)
            given.append(process.stdout.read())
        assert not kept.exists()
    assert given == [f"screens: no accounts yet; sign on as manager with the one-time password in {kept}\n", ""]


def test_at_a_terminal_the_first_password_is_said_and_kept_nowhere(tmp_path: Path) -> None:
    people = house(tmp_path / "people.db")
    assert GIVEN.search(first_said(people, "screens", is_terminal=True))
    assert first_said(people, "screens", is_terminal=True) == ""
    people.file.close()
    assert {path.name for path in tmp_path.iterdir()} == {"people.db"}


def test_a_reset_of_the_first_manager_forgets_the_file(tmp_path: Path) -> None:
    people = house(tmp_path / "people.db")
    first_said(people, "screens", is_terminal=False)
    assert (tmp_path / "people.db.first").exists()
    asyncio.run(Administration(people).reset("manager", by=AT_CONSOLE))
    people.file.close()
    assert not (tmp_path / "people.db.first").exists()


@only_root
def test_what_root_makes_belongs_to_who_keeps_the_accounts_and_the_decks() -> None:
    """As the handbook has it: typed as root, before the table's first start."""
    with shared_folder() as folder:
        config, decks = folder.parent / "mesa.toml", folder.parent / "red.csv"
        config_in(folder).rename(config)
        with config.open("a", encoding="utf-8") as more:
            more.write(f'[deck]\nregister = "{folder}/decks.db"\n')
        decks.write_text("".join(f"E0{at:014X},{card.code}\n" for at, card in enumerate(DECK)), encoding="utf-8")
        enrolled: list[str | Path] = ["deck", "enroll", config, "red", "--by", "Ana", "--from", decks]
        for words in (["people", "first", config], enrolled):
            processes.run([sys.executable, "-P", "-m", "tablectl", *words], check=True, stdout=subprocess.DEVNULL)
        owners = {file.name: file.stat().st_uid for file in folder.iterdir()}
        assert owners.keys() >= {"people.db", "decks.db", "table.key", "table.sign"}
        assert {name for name, owner in owners.items() if owner != CONTROLLER} == set()
