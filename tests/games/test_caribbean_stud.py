"""A new game needs nothing outside its folder: a game of another package, with five cards for everybody, no common ones
and a card of the bank face up, is listed, settled, drawn, dealt, shown and counted like every other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.games import caribbean_stud
from tests.games.plug_in import announced, python, tablectl
from tests.tools.messages import compiled, opened

GAME: Final = "caribbean-stud"
FOLDER: Final = Path(caribbean_stud.__file__).parent
HANDS: Final = FOLDER / "hands"
#: A pair of aces against ace and king, and somebody who folded.
LINE: Final = (
    '{"house":["Ah","Kd","7c","6s","2d"],"seats":['
    '{"seat":1,"cards":["As","Ac","5s","6h","9d"],"bets":{"ante":1000,"raise":2000}},'
    '{"seat":2,"bets":{"ante":1000},"folded":true}]}'
)


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine on which the package is installed."""
    return announced(tmp_path, f"{caribbean_stud.__name__}:GAME")


def at_a_table(installed: dict[str, str], folder: Path, hand: str) -> dict[str, Any]:
    """What a house sees of a table of this game on which a hand file is dealt."""
    ended = python(installed, "tests.games.at_a_table", GAME, str(HANDS / f"{hand}.hand"), str(folder))
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def test_every_hand_file_comes_out_as_written(installed: dict[str, str]) -> None:
    files = sorted(HANDS.glob("*.hand"))
    played = tablectl(installed, "play", *map(str, files))
    assert played.stdout.splitlines()[-1] == f"{len(files)} hand files played through the engine, 0 with differences"


@pytest.mark.wide
def test_each_clause_is_enforced_and_shown_as_the_sources_and_the_hand_files_of_the_package_say(
    installed: dict[str, str],
) -> None:
    told = json.loads(tablectl(installed, "rules", GAME, "--json").stdout)
    left = [clause["id"] for clause in told if not (clause["enforced_in"] and clause["tests"])]
    assert left == [clause["id"] for clause in told if clause["definition"]], "they only say what a word means"
    assert GAME in tablectl(installed, "rules").stdout


@pytest.mark.wide
def test_its_phases_are_drawn_and_its_lines_are_settled(installed: dict[str, str]) -> None:
    drawn = tablectl(installed, "diagram", GAME).stdout
    assert "decision --> showdown : decided [somebody stays]" in drawn
    result = json.loads(tablectl(installed, "settle", GAME, said=LINE).stdout)
    assert result["house"] == {"plays": True, "hand": "high card"}
    assert [seat["net"] for seat in result["seats"]] == [3000, -1000]
    four = LINE.replace('"As","Ac",', '"As",')
    assert "a list of 5 cards" in tablectl(installed, "settle", GAME, said=four).stderr
    board = LINE.replace('{"house"', '{"board":[],"house"')
    assert (
        "line.board: found a field that does not belong there" in tablectl(installed, "settle", GAME, said=board).stderr
    )


@pytest.mark.wide
def test_cst_lim_2_a_table_that_is_set_up_as_proposed_is_good_and_one_outside_its_band_is_not(
    installed: dict[str, str], tmp_path: Path
) -> None:
    at_a_table(installed, tmp_path, "CST-DEV-10-higher")
    config = tmp_path / "mesa.toml"
    checked = tablectl(installed, "check-config", "--language", "en", str(config)).stdout
    assert f"good: Mesa 9, {GAME}, 7 seats, tracking amounts" in checked
    text = config.read_text(encoding="utf-8")
    assert "bonus" not in text, "no key of the panel for a bet that there is not"
    config.write_text(text.replace("most = 10000", "most = 30000"), encoding="utf-8")
    assert "CST-LIM-2" in tablectl(installed, "check-config", str(config)).stderr


@pytest.mark.wide
def test_the_pages_speak_its_words_and_show_its_boxes_and_the_open_card(
    installed: dict[str, str], tmp_path: Path
) -> None:
    seen = at_a_table(installed, tmp_path, "CST-DEV-10-higher")
    assert {moment.split()[0] for moment in seen["felt"]} >= {
        "betting",
        "dealing",
        "decision",
        "showdown",
        "settlement",
    }
    prompts, felt, keys = seen["prompts"], seen["felt"], seen["keys"]
    assert "raise (2 × ante) or fold?" in prompts["decision croupier en"]
    assert "¿sube (2 × ante) o se retira?" in prompts["decision croupier es"]
    assert "Card face up to the bank" in prompts["dealing croupier en"]
    assert "Bonus" not in keys["betting croupier en"], "there is no such bet"
    shown = felt["decision pit en"]
    assert "Caribbean stud".upper() in shown
    assert 'data-slot="house.up" data-card="3h"' in shown
    assert shown.count('class="card back"') == len(("seat-1", "seat-2")) * 5 + 4
    assert "FLOP" not in shown, "no common cards, no places for them"
    assert seen["statistics"] == {"1": [GAME, 15, -2000]}


@pytest.mark.wide
def test_cst_err_1_an_alarm_cites_the_option_of_the_package_that_decides(
    installed: dict[str, str], tmp_path: Path
) -> None:
    alarms = at_a_table(installed, tmp_path, "CST-ERR-1-a-bank-card-is-seen")["alarms"]
    assert any("option bank_hidden_until = reveal." in said for said in alarms.values())
    assert all("CST-ERR-1" in said for said in alarms.values() if "bank_hidden_until" in said)


@pytest.mark.wide
def test_cst_pay_10_a_prize_that_has_no_box_is_listed_counted_and_told_afterwards(
    installed: dict[str, str], tmp_path: Path
) -> None:
    seen = at_a_table(installed, tmp_path, "CST-PAY-10-lower")
    listed = seen["lists"]["settlement croupier en"]
    assert "Ante Raise Prize Total 1 three of a kind −10 −20 +20 −€10" in listed
    assert "Take €30 Pay €20" in listed
    assert seen["evidence"] == {"1": [-1000, ["ante-prize"]]}
    assert "Premio gana 2:1 +2 000 (unidad mínima) CST-PAY-10" in seen["page"]
    assert seen["statistics"] == {"1": [GAME, 10, 1000]}
    three = LINE.replace('"As","Ac","5s"', '"As","Ac","Ad"')
    seat, _ = json.loads(tablectl(installed, "settle", GAME, said=three).stdout)["seats"]
    assert (seat["net"], seat["bets"]["ante-prize"]) == (9000, {"stake": 0, "outcome": "win", "pays": 2000})


@pytest.mark.wide
def test_the_demo_deals_it_with_whatever_goes_wrong(installed: dict[str, str]) -> None:
    ended = tablectl(installed, "demo", "--headless", "--rulebook", GAME, "--hands", "20", "--seed", "660")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"{GAME}, seed 660, faults some, tracking amounts: 20 hands" in ended.stdout
    assert "the players' chips agree" in ended.stdout
    assert "replayed: every decision the same" in ended.stdout


def test_its_exercises_are_offered_in_training(installed: dict[str, str]) -> None:
    listed = tablectl(installed, "train", "--exercise", "list").stdout
    title = "A card of the bank that lies face down is seen"
    assert [line.split(maxsplit=1) for line in listed.splitlines() if line.startswith(GAME)] == [
        [f"{GAME}/bank-exposed", title]
    ]


def test_an_exercise_that_does_not_come_out_as_written_is_named(tmp_path: Path) -> None:
    others = "from dataclasses import replace\nfrom pathlib import Path\nfrom tests.games.caribbean_stud import GAME\n"
    (tmp_path / "others.py").write_text(
        f"{others}GAME = replace(GAME, folder=Path(__file__).parent)\n", encoding="utf-8"
    )
    text = (FOLDER / "exercises" / "bank-exposed.hand").read_text(encoding="utf-8")
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "seen.hand").write_text(text.replace("card seat-2.5", "card seat-1.5"), encoding="utf-8")
    ended = tablectl(announced(tmp_path, "others:GAME"), "train", "--exercise", "list")
    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"train: an exercise of {GAME} cannot be used: {GAME}/seen: line ")


def test_its_words_are_compiled_as_they_are_written() -> None:
    written = FOLDER / "locale/es/LC_MESSAGES/texts.po"
    assert written.with_suffix(".mo").read_bytes() == compiled(opened(written))
