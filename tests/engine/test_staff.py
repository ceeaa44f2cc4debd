"""Who deals: a croupier takes the table between two hands; without one nothing begins where the house has people."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.outputs import outputs
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key, Refusal
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.people import NAME
from tablectl.journal.handfile.playing import opening
from tests.engine.tables import lines, remembered, setup, table_of
from tests.journal.journals import HANDS

ANA: Final = f.SignedOn(at_us=0, croupier="ana")
LUIS: Final = f.SignedOn(at_us=0, croupier="luis")
NO_CROUPIER: Final = (d.Refused(why=Refusal.NO_CROUPIER),)


def table(rulebook: str = "texas-bonus", *, staff: bool = True) -> Table:
    made = table_of(replace(setup(rulebook, profile={}), staff=staff))
    made.seat_players((1, 2, 3))
    return made


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_no_key_does_anything_before_a_croupier_is_there_in_any_game(rulebook: str) -> None:
    there = table(rulebook)
    before = remembered(there.state)
    for key in Key:
        assert there.apply(f.Pressed(at_us=0, key=key)) == NO_CROUPIER, key
    assert remembered(there.state) == before
    prompt = there.prompt()
    assert (prompt.instruction, prompt.about, prompt.keys) == (Instruction.SIGN_ON, "croupier", ())
    assert outputs(prompt, refused=None).lit == ()
    there.apply(ANA)
    assert there.prompt().instruction is Instruction.NEW_HAND


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_house_that_does_not_know_its_people_needs_nobody(rulebook: str) -> None:
    there = table(rulebook, staff=False)
    assert there.prompt().instruction is Instruction.NEW_HAND
    assert there.apply(ANA) == (d.CroupierAtTable(croupier="ana"),), "and who says who he is, is known all the same"


def test_a_hand_says_whose_it_is() -> None:
    there = table()
    there.apply(ANA)
    (opened, *_) = there.apply(f.Pressed(at_us=0, key=Key.NEW_HAND))
    assert isinstance(opened, d.HandOpened)
    assert opened.croupier == "ana"


def test_within_a_hand_nobody_takes_the_table_and_nobody_leaves_it() -> None:
    there = table()
    lines(there, "croupier ana\npress new-hand\ncroupier luis")
    assert (there.state.croupier, there.state.next_croupier) == ("ana", "luis")
    assert lines(there, "croupier-off ana") == ["refused hand-in-play"]
    assert lines(there, "croupier ana") == ["at-table ana"], "she stays, and he does not wait any more"
    assert (there.state.croupier, there.state.next_croupier) == ("ana", "")


def test_a_question_between_two_hands_waits_for_a_croupier_and_a_ruling_for_nobody() -> None:
    there = table()
    lines(there, "croupier ana\nshuffled 51\ncroupier-off ana")
    assert there.state.asking
    assert there.prompt().instruction is Instruction.SIGN_ON
    assert there.prompt().held
    lines(there, "call by luis")
    assert there.prompt().instruction is Instruction.WAIT_PIT_BOSS
    assert there.prompt().keys == ()
    assert lines(there, "rule 2 continue by eva") == ["closed 2 continue by pit-boss"]
    lines(there, "croupier luis")
    assert there.prompt().instruction is Instruction.ANSWER


def test_a_list_that_is_open_is_closed_when_the_croupier_goes() -> None:
    there = table()
    lines(there, "croupier ana\npress incident")
    assert there.state.menu
    lines(there, "croupier-off ana")
    assert not there.state.menu
    assert there.prompt().instruction is Instruction.SIGN_ON


@pytest.mark.parametrize(
    "chosen", ["rulebook=texas-poker", "rulebook=circle-holdem", "staff=no", "places=5", "profile.tie=same-category"]
)
def test_whoever_deals_still_does_under_another_setup(chosen: str) -> None:
    there = table()
    lines(there, f"croupier ana\nrestart {chosen}")
    assert there.state.croupier == "ana"


def test_a_table_remembers_from_hand_to_hand_who_deals_and_who_waits() -> None:
    there = table()
    lines(there, "croupier ana\npress new-hand\ncroupier luis")
    again = Table.resume(there.carry(), rulebook_of)
    assert (again.state.croupier, again.state.next_croupier) == ("ana", "luis")


def test_a_table_that_gets_people_within_a_hand_plays_it_to_its_end() -> None:
    """Rules and configuration change between hands only."""
    hand = parse((HANDS / "texas-bonus/THB-STF-3-a-change-of-croupier-waits-for-the-end.hand").read_text("utf-8"))
    without = replace(hand.carry, setup=replace(hand.setup, staff=False), croupier="")
    there = Table.resume(without, rulebook_of)
    for fact in opening(replace(hand, setup=without.setup)):
        there.apply(fact)
    there.apply(f.Opened(at_us=0, setup=hand.setup))
    lines(there, "press confirm\nbet 1 ante 1000\npress no-more-bets\ndraw As\ndraw Qh\ndraw Kd\ndraw Js\npress fold")
    assert lines(there, "press bank\npress confirm")[-1] == "phase closed"
    assert there.prompt().instruction is Instruction.SIGN_ON


@pytest.mark.parametrize("word", ["Ana", "ana+luis", "1ana", "a" * 33, "", "ana-maría"])
def test_a_name_is_one_plain_word(word: str) -> None:
    assert NAME.fullmatch(word) is None
    with pytest.raises(ValueError, match="croupier"):
        lines(table(), f"croupier {word}")


@pytest.mark.parametrize("word", ["ana", "j.perez", "luis-2", "a" * 32])
def test_names_that_there_are(word: str) -> None:
    assert lines(table(), f"croupier {word}") == [f"at-table {word}"]
