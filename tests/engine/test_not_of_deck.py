"""A card that is double or of another deck, seen by a person: what ruling 13 says of it, in every game (AMB-13)."""

from __future__ import annotations

from typing import Final

import pytest

from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Strange
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import opening
from tests.engine.tables import lines
from tests.fault_matrix.hand_plans import HEADERS, deck_of, reached, steps_of

#: The clause on a deck that is not sound, by game; texas-bonus has none, and open-holdem takes that of circle-holdem.
CLAUSES: Final = {
    "texas-poker": "TPC-MIS-5",
    "texas-bonus": "THB-CRD-1",
    "circle-holdem": "THL-MIS-5",
    "open-holdem": "THL-MIS-5",
    "draw-poker": "FCD-IRR-4",
}
#: The house has marked decks void the hand by rule, or on nobody's demand: that is another fault.
VOIDS_BY_RULE: Final = {"texas-poker", "texas-bonus", "draw-poker"}


def begun(rulebook: str, profile: str = "") -> Table:
    """A table at the beginning of a hand."""
    hand = parse(f"# a hand\n{HEADERS[rulebook]}{profile}\n")
    table = Table.resume(hand.carry, rulebook_of)
    for fact in opening(hand):
        table.apply(fact)
    return table


def dealt(rulebook: str, profile: str = "") -> Table:
    """The hand when all cards of the deal are out."""
    table = begun(rulebook, profile)
    deck = iter(deck_of(rulebook).split())
    for step in steps_of(rulebook)[: reached(rulebook, "deal-ended")]:
        lines(table, f"draw {next(deck)}" if step.spot is not None else step.line)
    return table


def raised(rulebook: str) -> str:
    clause = CLAUSES[rulebook]
    return f"incident {clause} expected=52-different-cards observed={{}} remedy=void-hand|continue"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_amb_13_a_double_or_foreign_card_is_for_the_pit_boss_with_void_proposed_in_every_game(rulebook: str) -> None:
    told = lines(dealt(rulebook), "declare card-not-of-deck")
    assert [line.partition(" who=")[0] for line in told] == [raised(rulebook).format("card-not-of-deck")]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_amb_13_a_reader_that_finds_it_and_a_person_who_sees_it_lead_to_the_same(rulebook: str) -> None:
    by_person, by_reader = dealt(rulebook), dealt(rulebook)
    lines(by_person, "declare card-not-of-deck")
    by_reader.apply(f.StrangeTag(at_us=0, spot="shoe", what=Strange.FOREIGN))
    (ruled_by_person,), (ruled_by_reader,) = by_person.state.ruling.values(), by_reader.state.ruling.values()
    assert (ruled_by_person.clause, ruled_by_person.remedies) == (ruled_by_reader.clause, ruled_by_reader.remedies)


@pytest.mark.parametrize("rulebook", sorted(VOIDS_BY_RULE))
def test_amb_13_no_choice_of_the_house_voids_a_hand_for_it_by_rule(rulebook: str) -> None:
    profile = "profile deck_fault=void-hand"
    assert any(line.startswith("void-hand ") for line in lines(dealt(rulebook, profile), "declare defective-deck"))
    told = lines(dealt(rulebook, profile), "declare card-not-of-deck")
    assert [line.partition(" who=")[0] for line in told] == [raised(rulebook).format("card-not-of-deck")]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_amb_13_a_hand_that_may_go_on_is_the_last_one_with_this_deck(rulebook: str) -> None:
    table = dealt(rulebook)
    assert lines(table, "declare card-not-of-deck\nrule 1 continue by ana") == ["closed 1 continue by pit-boss"]
    assert table.state.needs_deck
    assert not table.state.held


@pytest.mark.parametrize("rulebook", ["circle-holdem", "open-holdem", "draw-poker"])
def test_amb_13_before_the_first_card_another_deck_takes_its_place(rulebook: str) -> None:
    table = begun(rulebook)
    told = lines(table, "declare card-not-of-deck")
    assert told[-1] == "asked new-deck deck"
    assert "remedy=new-deck" in told[0]
