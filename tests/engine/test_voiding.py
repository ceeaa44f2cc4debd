"""Ruling "Who confirms": to annul a hand takes what it takes to undo a payment, in every game and phase: what is paid
back to each seat is said before, there is a reason, and where the house knows its people there are two of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.incidents import can_void
from tablectl.core.engine.preview import Fate
from tablectl.core.engine.previews import preview
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Refusal, Remedy
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import HandFile
from tablectl.journal.handfile.playing import opening
from tests.engine.tables import IN_TURN
from tests.engine.test_undo import hands_of


def begun_by_people(hand: HandFile) -> Table:
    """The table of a hand file in a house that knows its people."""
    setup = replace(hand.carry.setup, staff=True)
    table = Table.resume(replace(hand.carry, setup=setup), rulebook_of)
    table.apply(f.SignedOn(at_us=0, croupier="ana"))
    for fact in opening(hand):
        table.apply(fact)
    return table


def called_for(game: str) -> Iterator[tuple[Table, int, str]]:
    """The pit boss is called, in each phase of some hand in which the hand could be annulled; the incident's number."""
    met = set[str]()
    for hand in hands_of(game):
        table = begun_by_people(hand)
        for at, step in enumerate(hand.steps):
            table.apply(step.fact)
            state = table.state
            if state.phase.name in met or state.held or not state.in_play or not can_void(state):
                continue
            met.add(state.phase.name)
            called = begun_by_people(hand)
            for earlier in hand.steps[: at + 1]:
                called.apply(earlier.fact)
            said = called.apply(f.Called(at_us=0, by="luis", reason="a misdeal"))
            (raised,) = [told for told in said if isinstance(told, d.IncidentRaised)]
            yield called, raised.incident, state.phase.name


@pytest.mark.parametrize("game", IN_TURN)
def test_a_hand_is_annulled_by_two_persons_with_a_reason_and_by_nobody_else(game: str) -> None:
    phases = list[str]()
    for table, number, phase in called_for(game):
        rule = f.Ruled(at_us=0, incident=number, remedy=Remedy.VOID_HAND, by="luis", second="eva", reason="a misdeal")
        alone, without_reason = replace(rule, second=""), replace(rule, reason="")
        for wrong, why in ((alone, Refusal.SECOND_PERSON), (without_reason, Refusal.NO_REASON)):
            (refused,) = table.apply(wrong)
            assert isinstance(refused, d.Refused)
            assert refused.why is why, phase
        assert table.state.ruling, "the table still waits"
        foretold = preview(table, table.state.ruling[number], Remedy.VOID_HAND)
        assert foretold.fate is Fate.VOID
        decisions = table.apply(rule)
        back = {said.seat for said in decisions if isinstance(said, d.Refund | d.BetReversed)}
        assert back <= {money.seat for money in foretold.seats}, phase
        phases.append(phase)
    assert len(phases) >= 4, phases
