"""The hands of five-card draw with each of the three kinds of equipment: the same decisions, where they can be had.

With antennas nobody presses for the discards, they lie there; and a card that a player kept is known when he shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Final

import pytest

from tablectl.engine import decisions as d
from tablectl.engine import facts as f
from tablectl.engine.circle.draw import stub
from tablectl.engine.slots import SEATS
from tablectl.engine.table import Table
from tablectl.engine.words import Declaration, Equipment, Key, Question
from tablectl.handfile.decisions import decision_lines
from tablectl.handfile.file import HandFile, parse
from tests.engine.circle.draw.tables import hand_of
from tests.engine.hands_seen import cleared, spots_of, table_with

HANDS: Final = Path(__file__).parents[3] / "hands" / "draw-poker"
FILES: Final = {path.stem: path for path in sorted(HANDS.glob("*.hand"))}
#: Keys are pressed less often, and where a discard lies only antennas tell.
_ONLY_OF_ONE: Final = re.compile(r" presses=\d+|^card discard\..*|^turned .*")

_KNOWN: Final = {
    **dict.fromkeys(
        ("FCD-DSC-3-from-the-same-stub", "FCD-DSC-3-kept-card-not-his"),
        "which cards he kept is known, and nobody has to name one",
    ),
    "FCD-DSC-5-the-stub-is-not-enough": "the card that comes again is one that he is known to have kept",
}
DIFFERS: Final[dict[Equipment, dict[str, str]]] = {
    Equipment.BOTH: _KNOWN,
    Equipment.ANTENNAS: {
        **_KNOWN,
        **dict.fromkeys(
            (
                "FCD-OPN-5-a-card-not-read",
                "FCD-OPN-5-all-in-not-checked",
                "FCD-OPN-5-found-out-and-nobody-opened",
                "FCD-OPN-5-jacks-among-the-cards-that-were-read",
                "FCD-SEA-2-a-run-of-consecutive-ranks",
            ),
            "what a shoe could not read is to an antenna a tag of no card: the pit boss has it",
        ),
        **dict.fromkeys(
            ("FCD-DSC-6-his-own-discard-comes-out", "FCD-DSC-6-his-own-stay-apart"),
            "a discard that comes out of the stub is seen at a seat again (FCD-DSC-10)",
        ),
        "FCD-DSC-14-blind": "without a shoe no card is read while the antennas are away",
        **dict.fromkeys(
            ("FCD-DSC-14-too-few", "FCD-DSC-14-too-many-before-he-says-it"),
            "what lies among the discards stands in it, and that it is not the number he said",
        ),
    },
}


def put_away(table: Table) -> list[f.Fact]:
    """The croupier is about to say that the cards lie there: antennas see them come, the last ones of the seat."""
    state, turn = table.state, hand_of(table).turn
    if state.held or turn is None or turn.cards is None or turn.is_removed:
        return []
    there = [state.deal.at[slot] for slot in SEATS[turn.seat - 1] if slot in state.deal.at]
    spot = SEATS[turn.seat - 1][0].spot
    lifted: list[f.Fact] = []
    for draw in there[-turn.cards :]:
        if draw.card is None:
            return []
        if draw.number in state.felt:
            lifted.append(f.Gone(at_us=0, spot=spot, card=draw.card))
        lifted.append(f.Seen(at_us=0, spot="discard", card=draw.card))
    return lifted


def gathered(table: Table) -> list[f.Fact]:
    """The discards are taken up for the new stub; those that stay apart lie where they lay."""
    state = table.state
    if not any(each.question is Question.NEW_STUB for each in state.asking):
        return []
    assert state.circle is not None
    taken = {draw.number for seat in stub.gathered(state, state.circle) for draw in hand_of(table).discards[seat]}
    return [_gone(table, number) for number, spot in state.felt.items() if spot == "discard" and number in taken]


def held_in_the_hand(table: Table) -> list[f.Fact]:
    """A number of cards is in question: the players have taken up theirs, and no antenna counts them."""
    return [_gone(table, number) for number, spot in table.state.felt.items() if spot.startswith("seat-")]


def _gone(table: Table, number: int) -> f.Fact:
    return f.Gone(at_us=0, spot=table.state.felt[number], card=table.state.deal.draws[number - 1].card)


def told(table: Table, fact: f.Fact) -> Iterator[f.Fact]:
    """What happens instead of this at a table with antennas."""
    if isinstance(fact, f.Pressed) and fact.key is Key.CONFIRM:
        away = put_away(table)
        yield from away or (*gathered(table), fact)
    elif isinstance(fact, f.Named):
        there = [draw for slot, draw in table.state.deal.at.items() if slot.name == fact.slot]
        if not any(draw.card is not None for draw in there):
            yield fact
    elif _is_about_a_number(fact):
        yield from (*held_in_the_hand(table), fact)
    elif isinstance(fact, f.Opened):
        yield replace(fact, setup=table.state.setup)
    else:
        yield fact


def _is_about_a_number(fact: f.Fact) -> bool:
    if isinstance(fact, f.Declared):
        return fact.what is Declaration.WRONG_COUNT
    return isinstance(fact, f.Pressed) and fact.key is Key.WRONG_COUNT


def lines_of(hand: HandFile, equipment: Equipment) -> list[str]:
    """What the table says of the hand with this equipment, in the order in which it does."""
    table, spots, found = table_with(hand, equipment), spots_of(hand), list[str]()

    def happens(fact: f.Fact) -> tuple[d.Decision, ...]:
        decisions = table.apply(fact)
        found.extend(decision_lines(fact, decisions, last_draw=len(table.state.deal.draws)))
        return decisions

    for number, step in enumerate(hand.steps):
        if table.state.phase.name == "voided":
            cleared(table)
        fact = step.fact
        if equipment is Equipment.ANTENNAS and isinstance(fact, f.Drawn):
            there, due = [spot for spot in spots.get(number, []) if spot != "discard"], table.state.deal.due
            spot = there[0] if there else due.spot if due is not None else "board"
            fact = f.Seen(at_us=fact.at_us, spot=spot, card=fact.card)
        for each in tuple(told(table, fact)):
            decisions = happens(each)
            if equipment is Equipment.BOTH and isinstance(each, f.Drawn) and each.card is not None:
                for decision in decisions:
                    if isinstance(decision, d.CardPlaced):
                        happens(f.Seen(at_us=0, spot=decision.slot.spot, card=each.card))
    return found


def differences(hand: HandFile, equipment: Equipment) -> list[str]:
    expected = _alike([text for step in hand.steps for _, text in step.expected])
    found = _alike(lines_of(hand, equipment))
    return [f"{a} | {b}" for a, b in zip_longest(expected, found) if a != b]


def _alike(lines: list[str]) -> list[str]:
    """In order, and behind that what was turned: with a shoe alone one by one, as it is named."""
    ordered = [text for line in lines if (text := _ONLY_OF_ONE.sub("", line))]
    return [*ordered, *sorted({line for line in lines if line.startswith("turned ")})]


def _cases() -> Iterator[tuple[str, Equipment]]:
    """A hand that antennas alone read is not one of a shoe."""
    for name, path in FILES.items():
        yield name, Equipment.ANTENNAS
        if parse(path.read_text(encoding="utf-8")).setup.equipment is not Equipment.ANTENNAS:
            yield name, Equipment.BOTH


@pytest.mark.parametrize(("name", "equipment"), list(_cases()))
def test_the_decisions_are_the_same(name: str, equipment: Equipment) -> None:
    found = differences(parse(FILES[name].read_text(encoding="utf-8")), equipment)
    assert bool(found) == (name in DIFFERS[equipment]), found
