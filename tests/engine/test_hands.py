"""Every hand file is played against the engine and must come out line by line as it is written."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import play
from tests.engine.recorded_versions import (
    KEPT,
    Digests,
    Kept,
    changes,
    hand_files,
    kept,
    name_of,
    of_this_program,
    play_file,
    same_facts,
    written,
)
from tests.journal.journals import HANDS

FILES = hand_files()
CLAUSE = re.compile(r"[A-Z]{3}-[A-Z0-9]{3}-\d+")


def rulebook_in(path: Path) -> str:
    """The folder of a game. Hands in `read/` below it were written from the document before the code was."""
    return path.relative_to(HANDS).parts[0]


def differences(hand: HandFile) -> list[str]:
    return [str(difference) for difference in play(hand, rulebook_of)]


@cache
def played_once(path: Path) -> tuple[list[str], Digests]:
    return play_file(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(HANDS)) for path in FILES])
def test_the_hand_comes_out_as_written(path: Path) -> None:
    hand = parse(path.read_text(encoding="utf-8"))
    assert any(step.expected for step in hand.steps), f"{path.name} expects nothing: it would show nothing"
    found, _ = played_once(path)
    assert found == []


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_each_file_is_named_by_the_clause_of_its_title(rulebook: str) -> None:
    for path in (file for file in FILES if rulebook_in(file) == rulebook):
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


OPEN_CARD = (
    "# x\nrulebook texas-bonus\n> bet 1 ante 1000\n> press no-more-bets\n< phase dealing\n> draw 7h\n< card seat-1.1\n"
)
DECLARED = "> declare face-up-in-shoe\n< incident THB-ERR-2 expected=seat-1.1 observed=face-up-card remedy=discard"


@pytest.mark.parametrize("who", ["", " who=rule"])
def test_who_may_choose_a_remedy_is_compared_where_the_file_says_it(who: str) -> None:
    assert differences(parse(f"{OPEN_CARD}{DECLARED}{who}\n< card discard.1\n")) == []


@pytest.mark.parametrize("who", [" who=pit-boss", " who=", " who=rule more"])
def test_somebody_else_who_may_choose_is_a_difference(who: str) -> None:
    (told,) = differences(parse(f"{OPEN_CARD}{DECLARED}{who}\n< card discard.1\n"))
    assert f"remedy=discard{who}; found" in told
    assert told.endswith("remedy=discard who=rule")


# --- versions of rules and prompts ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded() -> Kept:
    return kept(KEPT.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def now() -> Kept:
    return of_this_program({name_of(path): played_once(path)[1] for path in FILES})


def test_what_is_decided_and_told_changes_only_with_its_number(recorded: Kept, now: Kept) -> None:
    assert list(changes(recorded, now)) == []


def test_the_digests_belong_to_the_numbers_of_this_program(recorded: Kept, now: Kept) -> None:
    numbers = (recorded.rules, recorded.prompts)
    assert numbers == (now.rules, now.prompts), "a number was raised: run `make versions`"


def test_nearly_every_hand_file_is_among_them(recorded: Kept, now: Kept) -> None:
    """New ones may be added later, and those whose facts changed."""
    assert len(same_facts(recorded, now)) >= 0.9 * len(now.by_hand), "many hand files are new: run `make versions`"


def test_what_is_kept_is_read_as_it_was_written(now: Kept) -> None:
    assert kept(written(now)) == now


BEFORE = Kept(2, 5, {"a": Digests("f", "r", "p"), "b": Digests("f", "r", "p")})


@pytest.mark.parametrize(
    ("rules", "prompts", "a", "sentences"),
    [
        (2, 5, Digests("f", "r", "p"), []),
        (2, 5, Digests("f", "x", "p"), ["raise RULES "]),
        (2, 5, Digests("f", "r", "x"), ["raise PROMPTS "]),
        (2, 5, Digests("f", "x", "x"), ["raise RULES ", "raise PROMPTS "]),
        (2, 6, Digests("f", "x", "x"), ["raise RULES "]),
        (2, 6, Digests("f", "r", "x"), []),
        # Where the rules are others, no prompt is compared.
        (3, 5, Digests("f", "x", "x"), []),
        # Other facts: another hand.
        (2, 5, Digests("g", "x", "x"), []),
    ],
)
def test_a_change_without_a_raised_number_is_told_in_a_sentence(
    rules: int, prompts: int, a: Digests, sentences: list[str]
) -> None:
    changed = list(changes(BEFORE, Kept(rules, prompts, {**BEFORE.by_hand, "a": a, "new": Digests("n", "n", "n")})))
    assert len(changed) == len(sentences)
    for sentence, wanted in zip(changed, sentences, strict=True):
        assert wanted in sentence
        assert "1 hand files changed (first: a)" in sentence
        assert "`make versions`" in sentence


def test_other_notes_in_a_hand_file_are_no_other_facts() -> None:
    text = "# x\nrulebook texas-bonus\n> bet 1 ante 1000\n> press no-more-bets\n< phase dealing\n"
    once = play_file(text)
    assert once[0] == []
    assert play_file(text.replace("# x", "# y").replace("< phase dealing\n", ""))[1] == once[1]
    assert play_file(text.replace("1000", "2000"))[1].facts != once[1].facts
