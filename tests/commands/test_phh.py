"""`tablectl phh`: what it prints for hands that are the same, that differ, or that cannot be replayed or read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from tablectl.cli.main import main

HANDS: Final = Path(__file__).parents[1] / "phh" / "hands"
#: Where a folder with published hands is named, they are replayed too.
FOLDER: Final = os.environ.get("TABLECTL_PHH")
RULES: Final = "open-holdem, choices for published hands"

Captured = pytest.CaptureFixture[str]


def phh(*words: str | Path) -> int:
    return main(["phh", *map(str, words)])


def test_hands_without_a_difference_end_with_0(capsys: Captured) -> None:
    assert phh(HANDS / "pot-limit.phh", HANDS / "fixed-limit.phh") == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == (f"2 hands replayed ({RULES}), 0 with differences\n", "")


def test_what_was_not_replayed_is_named_and_counted(capsys: Captured) -> None:
    assert phh(HANDS / "cents.phhs", HANDS / "no-limit.phh") == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{HANDS}/cents.phhs: line 23: hand the third: not to its end: the actions end, and it is the turn of p2",
        f"{HANDS}/no-limit.phh: line 1: not replayed: not of these rules: a straddle or an entry bet",
        f"2 hands replayed ({RULES}), 0 with differences; 1 not to the end; 1 not of these rules",
    ]


def test_a_difference_names_file_line_hand_and_action_and_does_not_stop_the_others(
    tmp_path: Path, capsys: Captured
) -> None:
    text = (HANDS / "cents.phhs").read_text(encoding="utf-8")
    text = text.replace('"p3 f", "p1 f"', '"p3 f", "p2 f"').replace("[20.01, 9.44, 10.30]", "[20.02, 9.44, 10.29]")
    file = tmp_path / "x.phhs"
    file.write_text(text, encoding="utf-8")
    assert phh(file) == 1
    *told, _, summary = capsys.readouterr().out.splitlines()
    assert told == [
        f"{file}: line 9: hand 1: action 5: p2 f: turn of p1: not-in-turn (THO-RND-2)",
        f"{file}: line 12: hand 2: finishing_stacks[1]: 20.02 in the file, 20.01 here",
        f"{file}: line 12: hand 2: finishing_stacks[3]: 10.29 in the file, 10.30 here",
    ]
    assert summary == f"2 hands replayed ({RULES}), 2 with differences; 1 not to the end"


def test_the_line_of_a_difference_is_that_of_its_action(tmp_path: Path, capsys: Captured) -> None:
    text = (
        (HANDS / "fixed-limit.phh").read_text(encoding="utf-8").replace('"p1 cc", "p2 cbr 40"', '"p1 cc", "p2 cbr 30"')
    )
    file = tmp_path / "x.phh"
    file.write_text(text, encoding="utf-8")
    assert phh(file) == 1
    line = next(number for number, word in enumerate(text.splitlines(), start=1) if "cbr 30" in word)
    assert capsys.readouterr().out.startswith(f"{file}: line {line}: action 16: p2 cbr 30: turn of p2: illegal-action")


def test_a_hand_that_cannot_be_read_names_line_and_field_and_does_not_stop_the_others(
    tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "x.phhs"
    text = (HANDS / "cents.phhs").read_text(encoding="utf-8")
    file.write_text(text.replace("min_bet = 0.10\nstarting_stacks = [10.00", "starting_stacks = [10.00"), "utf-8")
    assert phh(file) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"phh: {file}: hand 1, line 3: min_bet: found nothing; would be right: ")
    assert (
        said.out.splitlines()[-1] == f"1 hand replayed ({RULES}), 0 with differences; 1 not to the end; 1 not readable"
    )


def test_files_that_cannot_be_read_are_told_and_the_others_are_replayed(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "latin.phh").write_bytes(b"# \xe9\n")
    assert phh(tmp_path / "none.phh", tmp_path / "latin.phh", HANDS / "pot-limit.phh") == 2
    said = capsys.readouterr()
    assert said.err == (
        f"phh: {tmp_path}/none.phh: found no such file; would be right: the path of a file of hand histories (PHH)\n"
        f"phh: {tmp_path}/latin.phh: bytes that are no UTF-8 (invalid continuation byte); would be right: text in"
        " UTF-8\n"
    )
    assert said.out == f"1 hand replayed ({RULES}), 0 with differences; 2 not readable\n"


def test_a_houses_choices_stand_instead_of_those_for_published_hands(tmp_path: Path, capsys: Captured) -> None:
    house = tmp_path / "house.toml"
    house.write_text('rulebook = "open-holdem"\ntwo_players = "left-of-button"\n', encoding="utf-8")
    assert phh(HANDS / "pot-limit.phh", "--profile", house) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"{HANDS}/pot-limit.phh: line 8: action 3: p2 cbr 6: turn of p1: not-in-turn")
    assert told[-1] == f"1 hand replayed (open-holdem, {house}), 1 with differences"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('two_players = "nobody"\n', "two_players: found 'nobody'; would be right: 'left-of-button' or 'button'"),
        ("two_players\n", "file: found no TOML (Expected '=' after a key in a key/value pair"),
        (None, "file: found no such file; would be right: the path of a TOML file"),
    ],
)
def test_a_bad_profile_ends_with_2(tmp_path: Path, capsys: Captured, text: str | None, said: str) -> None:
    house = tmp_path / "house.toml"
    if text is not None:
        house.write_text(text, encoding="utf-8")
    assert phh(HANDS / "pot-limit.phh", "--profile", house) == 2
    assert capsys.readouterr().err.startswith(f"phh: {house}: {said}")


def test_only_a_game_of_holdem_replays_them(capsys: Captured) -> None:
    assert phh(HANDS / "pot-limit.phh", "--rulebook", "circle-holdm") == 2
    assert capsys.readouterr().err == (
        "phh: no rulebook 'circle-holdm'; would be right: 'open-holdem' or 'circle-holdem' (did you mean"
        " 'circle-holdem'?)\n"
    )
    assert phh(HANDS / "pot-limit.phh", "--rulebook", "circle-holdem") == 0


@pytest.mark.slow
@pytest.mark.skipif(FOLDER is None, reason="TABLECTL_PHH names no folder with published hands")
def test_published_hands_of_a_folder_have_no_difference(capsys: Captured) -> None:
    assert FOLDER is not None
    files = sorted(Path(FOLDER).rglob("*.phh*"))
    assert files, f"no hand histories in {FOLDER}"
    assert phh(*files) == 0, capsys.readouterr().out
