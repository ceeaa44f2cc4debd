"""A further language, begun as docs/languages.md says: a copy of the program with a generated one in it says nothing in
any other, and English where half of it is translated."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx2
import pytest

from simulators import processes
from tests.i18n.pseudo import (
    HALF,
    PSEUDO,
    ROOT,
    accented,
    copy_of_the_program,
    copy_with,
    environment,
    run,
    untranslated,
)

pytestmark = [pytest.mark.wide, pytest.mark.system]
EXERCISE: Final = "texas-bonus/face-up-in-the-shoe"
START_S: Final = 60.0
#: What is called the same in every language: tables, zones, the streets on the felt, and what a language calls itself.
NAMES: Final = frozenset(
    {"Mesa", "hand", "file", "TRAINING", "UTC", "Europe", "Madrid", "FLOP", "TURN", "RIVER", "Español", "English"}
    | {"tablectl"}
    # an option of the house with its value, as the configuration has them
    | {"early", "card", "seen", "void"}
)
#: What the devices of the stage are called, and who is trained at them.
DEVICES: Final = frozenset({"sabot", "stand", "by", "light", "panel", "trainee"})
#: What stands on a page as it is in every language: who looks at it, devices, files that are taken away, marks of keys,
#: and what somebody looked at, as it lies in the journal.
AS_IT_IS: Final = frozenset(
    {"Everybody", "everybody", "angel", "eye", "xkeys", "tower", "light", "panel", "sabot", "EUR"}
    | {"CSV", "JSONL", "BEGIN", "PUBLIC", "PRIVATE", "KEY", "access", "find", "all"}
)
#: Pages that are asked for from running screens.
SERVED: Final = ("auditor", "recall", "statistics", "people")
#: What is typed or stands in a file as it is shown.
TYPED: Final = frozenset(
    {"EUR", "qa", "qb", "es", "en", "English", "Enter", "texas", "bonus", "poker", "circle", "open", "holdem", "draw"}
    | {"shoe", "antennas", "both", "presence", "amounts", "recommended", "look", "none", "yes", "no", "mesa", "toml"}
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program in a folder of its own, with the generated languages."""
    folder = tmp_path_factory.mktemp("program")
    copy_of_the_program(folder)
    return folder


@pytest.fixture(scope="module")
def said(copy: Path) -> Mapping[str, str]:
    """What it says in the language that is wholly translated, by the place where it stands."""
    told = run(copy, "tests.i18n.said", PSEUDO)
    assert told.returncode == 0, told.stderr
    found: dict[str, str] = json.loads(told.stdout)
    return found


@contextmanager
def training(folder: Path) -> Iterator[str]:
    """The training pages of the copy, at an exercise; gives their address."""
    command = [sys.executable, "-m", "tablectl", "train", "--port", "0", "--exercise", EXERCISE]
    process = processes.start(command, cwd=folder, env=environment(folder), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert select.select([process.stdout], [], [], START_S)[0], "it does not start"
        line = process.stdout.readline()
        assert "http://" in line, line
        yield line.split()[1].rstrip("/")
    finally:
        process.terminate()
        process.wait(START_S)
        process.stdout.close()


@pytest.mark.parametrize("what", ["croupier", "pit", "technician", "evidence", "message", "tilt", *SERVED])
def test_no_page_and_no_message_says_a_word_that_stands_in_no_catalogue(said: Mapping[str, str], what: str) -> None:
    places = {place: text for place, text in said.items() if place.startswith(what)}
    assert places
    names = NAMES | AS_IT_IS if what in SERVED else NAMES
    for place, text in places.items():
        assert accented("a") in text, place
        assert list(untranslated(text, names)) == [], place


def test_the_questions_of_a_new_table_are_asked_in_it(said: Mapping[str, str]) -> None:
    assert said["setup"].count(accented("a")) > 20
    assert list(untranslated(said["setup"], NAMES | TYPED)) == []


def test_a_clause_an_option_and_an_open_point_are_said_in_it(copy: Path) -> None:
    told = run(copy, "tablectl", "rules", "THL-SDN-4", "--json")
    (row,) = json.loads(told.stdout)
    assert [language for language in row if language in (PSEUDO, HALF)] == [PSEUDO, HALF]
    assert list(untranslated(row[PSEUDO], frozenset())) == []
    assert all(list(untranslated(point[PSEUDO], frozenset())) == [] for point in row["ambiguity"])
    assert row[PSEUDO] in (row[HALF], accented(row[HALF])), "English where a language lacks it"


def test_the_exercises_can_be_listed(copy: Path) -> None:
    listed = run(copy, "tablectl", "train", "--exercise", "list")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert EXERCISE in listed.stdout


@pytest.mark.parametrize("language", [PSEUDO, HALF])
def test_the_pages_of_a_training_table_speak_it_and_english_where_it_is_not_translated(
    copy: Path, language: str
) -> None:
    with (
        training(copy) as url,
        httpx2.Client(base_url=url, timeout=60, headers={"Origin": url}, verify=False) as client,
    ):
        for path in ("/", "/training", "/training/result", "/croupier", "/pit", "/technician"):
            answer = client.get(path, params={"lang": language})
            assert answer.status_code == 200, path
            assert f'<html lang="{language}">' in answer.text, path
            assert accented("a") in answer.text, path
            # What a device says of itself, as the technician sees it, is in no language.
            if language == PSEUDO and path != "/technician":
                assert list(untranslated(answer.text, NAMES | DEVICES)) == [], path
        exercise = client.get("/training", params={"lang": language}).text
        assert accented("A card face up in the shoe") in exercise, "an exercise has its own sentences"
        assert client.post(f"/training/hint?lang={language}", json={}).json()["ok"]
        hint = accented("Nobody has decided yet: declare it at once")
        assert hint in client.get("/training", params={"lang": language}).text


def test_a_table_may_name_it(copy: Path, tmp_path: Path) -> None:
    shipped = (ROOT / "config" / "mesa-1.toml").read_text(encoding="utf-8")
    file = tmp_path / "mesa-1.toml"
    file.write_text(shipped.replace('["es", "en"]', f'["{PSEUDO}", "en"]'), encoding="utf-8")
    checked = run(copy, "tablectl", "check-config", str(file))
    assert (checked.returncode, "table.languages" in checked.stdout + checked.stderr) == (0, False), checked.stderr
    file.write_text(shipped.replace('["es", "en"]', '["qz", "en"]'), encoding="utf-8")
    refused = run(copy, "tablectl", "check-config", str(file))
    assert refused.returncode != 0
    assert f"es, en, {PSEUDO}" in refused.stdout + refused.stderr


# --- one that is only begun ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program in a folder of its own, with French begun by the documented command and not one sentence of it."""
    folder = tmp_path_factory.mktemp("french")
    copy_with(folder, "fr")
    return folder


def test_begun_french_lists_what_is_to_be_translated(french: Path) -> None:
    told = run(french, "tablectl", "languages")
    assert (told.returncode, told.stderr) == (0, "")
    (line,) = (line for line in told.stdout.splitlines() if line.startswith("fr  Français: "))
    lacking = run(french, "tablectl", "languages", "fr")
    assert lacking.returncode == 1
    assert f"{len(lacking.stdout.splitlines())} of " in line
    assert "screens\tpage.held\tTABLE HELD" in lacking.stdout.splitlines()
    assert "circle_holdem/texts\tgame.circle-holdem\t" in lacking.stdout


def test_begun_french_runs_everywhere_and_says_english(french: Path) -> None:
    told = run(french, "tests.i18n.said", "fr")
    assert told.returncode == 0, told.stderr
    places: dict[str, str] = json.loads(told.stdout)
    for what, words in (
        ("croupier", "Hand"),
        ("pit", "Alarms"),
        ("technician", "Devices"),
        ("evidence", "Record of hand"),
        ("message", "A test of the notifications"),
        ("auditor", "goes on record"),
        ("statistics", "Statistics"),
        ("people", "People"),
        ("setup", "Name of the table?"),
    ):
        assert any(words in text for place, text in places.items() if place.startswith(what)), what


def test_a_table_whose_own_language_is_begun_french_can_start_and_be_practised_at(french: Path, tmp_path: Path) -> None:
    file = tmp_path / "mesa-1.toml"
    shipped = (ROOT / "config" / "mesa-1.toml").read_text(encoding="utf-8")
    file.write_text(shipped.replace('["es", "en"]', '["fr", "en"]'), encoding="utf-8")
    checked = run(french, "tablectl", "check-config", str(file))
    assert (checked.returncode, "table.languages" in checked.stdout + checked.stderr) == (0, False), checked.stderr
    with (
        training(french) as url,
        httpx2.Client(base_url=url, timeout=60, headers={"Origin": url}, verify=False) as client,
    ):
        for path in ("/", "/training", "/training/result", "/croupier", "/pit", "/technician"):
            answer = client.get(path, params={"lang": "fr"})
            assert (answer.status_code, '<html lang="fr">' in answer.text) == (200, True), path
        assert "A card face up in the shoe" in client.get("/training", params={"lang": "fr"}).text


# --- that these would see it ------------------------------------------------------------------------------------------


def test_what_is_filled_in_a_tag_and_a_date_stay_as_they_are() -> None:
    assert accented("Seat {seat}: <b>bet</b>, %d/%m") == "Šēàţ {seat}: <b>ƀēţ</b>, %d/%m"


def test_a_word_that_stands_in_no_catalogue_is_seen_and_a_clause_is_none() -> None:
    html = f'<p title="Mesa">{accented("Seat")} Puesto <b>THB-ERR-2</b></p><script>var x</script>'
    assert list(untranslated(html, NAMES)) == ["Puesto"]
