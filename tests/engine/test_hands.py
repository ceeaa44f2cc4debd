"""Every hand file is played against the engine and must come out line by line as it is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.handfile.file import HandFile, parse
from tablectl.handfile.playing import play

HANDS = Path(__file__).parents[1] / "hands"
FILES = sorted(HANDS.rglob("*.hand"))
CLAUSE = re.compile(r"[A-Z]{3}-[A-Z0-9]{3}-\d+")


def rulebook_in(path: Path) -> str:
    """The folder of a game. Hands in `read/` below it were written from the document before the code was."""
    return path.relative_to(HANDS).parts[0]


def differences(hand: HandFile) -> list[str]:
    return [str(difference) for difference in play(hand, rulebook_of)]


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(HANDS)) for path in FILES])
def test_the_hand_comes_out_as_written(path: Path) -> None:
    hand = parse(path.read_text(encoding="utf-8"))
    assert any(step.expected for step in hand.steps), f"{path.name} expects nothing: it would show nothing"
    assert differences(hand) == []


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_each_file_is_named_by_the_clause_of_its_title(rulebook: str) -> None:
    for path in (each for each in FILES if rulebook_in(each) == rulebook):
        hand = parse(path.read_text(encoding="utf-8"))
        named, titled = CLAUSE.match(path.name), CLAUSE.match(hand.title)
        assert named is not None, f"{path.name} does not begin with a clause"
        assert titled is not None, f"the title of {path.name} does not begin with a clause"
        assert named[0] == titled[0], path.name
        assert hand.setup.rulebook == rulebook, path.name


def test_every_file_is_of_a_game_that_there_is() -> None:
    assert {rulebook_in(path) for path in FILES} <= set(RULEBOOKS)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_rulebook_has_hands(rulebook: str) -> None:
    assert [path for path in FILES if rulebook_in(path) == rulebook]


@pytest.mark.parametrize("number", range(1, 8))
def test_every_error_clause_has_hands_on_both_sides_of_its_deadline(number: int) -> None:
    assert len([path for path in FILES if path.name.startswith(f"THB-ERR-{number}-")]) >= 2


def test_a_decision_that_is_not_written_is_a_difference() -> None:
    hand = parse("# x\nrulebook texas-bonus\n> bet 1 ante 1000\n> press no-more-bets\n")
    assert differences(hand) == ["line 4: after '> press no-more-bets': expected nothing; found phase dealing"]


def test_a_decision_that_does_not_come_is_a_difference() -> None:
    hand = parse("# x\nrulebook texas-bonus\n> bet 1 ante 1000\n< phase dealing\n")
    assert differences(hand) == ["line 4: after '> bet 1 ante 1000': expected phase dealing; found nothing"]
