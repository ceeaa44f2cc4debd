"""Beside a shoe: cards that were dealt and that no antenna has seen at their places. About those of the seats and the
bank the croupier is asked at the end of the deal, while a wrong count can still be put right; about the others before
the next cards come."""

from __future__ import annotations

from collections import Counter
from typing import Final

from tablectl.core.engine.deal import STAND_IN, Draw
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import HOUSE, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Chooser, Equipment, Question, Remedy, Severity

_BANK: Final = HOUSE[0].spot


def unconfirmed(state: State) -> tuple[Slot, ...]:
    """Beside a shoe: the places of this hand whose card no antenna has seen there, where all antennas could. At the
    showdown a hand that is not turned up has none: nobody looks at it any more (ruling "readers"); nor has one that is
    void."""
    if state.setup.equipment is not Equipment.BOTH or state.is_blind or state.phase.kind is Kind.VOIDED:
        return ()
    numbers = {*state.felt.confirmed, STAND_IN}
    at, felt = state.deal.at, state.felt
    slots = (slot for slot, draw in at.items() if draw.number not in numbers and felt.spot_of(draw) != slot.spot)
    if state.phase.kind is not Kind.REVEALING:
        return tuple(slots)
    shown = state.rulebook.shows(state)
    return tuple(slot for slot in slots if slot.seat is None or slot.seat in shown)


def wake_us(state: State) -> int | None:
    """When the cards of the deal have had the time to be seen, and the croupier is to be asked about those that were
    not; None where none is missing."""
    if state.felt.dealt_us is None or state.held or not _of_hands(state):
        return None
    return state.felt.dealt_us + state.rulebook.dwell_us


def ask_about_hands(state: State) -> None:
    """One question about all seats of which antennas have not seen every card: does each have as many as it should?"""
    slots = () if state.held else _of_hands(state)
    if not slots:
        return
    state.felt.confirmed |= {state.deal.at[slot].number for slot in slots}
    spots = tuple(dict.fromkeys(slot.spot for slot in slots))
    n_cards = Counter(slot.spot for slot in state.deal.at)
    incident = raised(
        state,
        Outcome(
            clause=state.family.clause_on_counts(state),
            expected="+".join(f"{spot}={n_cards[spot]}" for spot in spots),
            observed="cards-not-seen",
            remedies=(Remedy.CONTINUE,),
            chooser=Chooser.CROUPIER,
            severity=Severity.NOTICE,
            seats=tuple(dict.fromkeys(slot.seat for slot in slots if slot.seat is not None)),
        ),
    )
    ask(state, Question.CARDS_THERE, "+".join(spots), incident)


def seen_at_last(state: State) -> None:
    """Antennas see all the cards now that the croupier is asked about: there is nothing to answer."""
    for pending in _asked(state):
        spots = pending.about.split("+")
        cards = [(slot.spot, draw) for slot, draw in state.deal.at.items() if slot.spot in spots]
        if all(state.felt.spot_of(draw) == spot for spot, draw in cards):
            _answer(state, pending, Remedy.CONTINUE, Chooser.RULE)


def counted(state: State) -> None:
    """The croupier says that a count is wrong: he looked at all of them, and says the rest himself."""
    for pending in _asked(state):
        _answer(state, pending, Remedy.CORRECT, Chooser.CROUPIER)


def _asked(state: State) -> list[Pending]:
    return [pending for pending in state.asking if pending.question is Question.CARDS_THERE]


def _answer(state: State, pending: Pending, remedy: Remedy, by: Chooser) -> None:
    assert pending.incident is not None, "it was raised with the question"
    close(state, pending.incident, remedy, by)


def _of_hands(state: State) -> tuple[Slot, ...]:
    """The places before players and the bank whose card no antenna has seen anywhere; one that could not be read in
    the shoe is none that an antenna can be expected to know."""
    at, seen_at = state.deal.at, state.felt.seen_at
    of_hands = (slot for slot in unconfirmed(state) if slot.seat is not None or slot.spot == _BANK)
    return tuple(slot for slot in of_hands if at[slot].card is not None and at[slot].number not in seen_at)


def look_back(state: State, on_its_way: Draw | None = None) -> None:
    """Before the next cards: whatever was assigned and never seen at its place is asked of the croupier, once; but for
    one that cannot be there yet, or that only passes by another place: where it lies shows after the dwell time."""
    if state.held or state.phase.kind is Kind.VOIDED:
        return
    for slot in unconfirmed(state):
        draw = state.deal.at[slot]
        if draw is on_its_way or (draw is state.deal.last and state.phase.kind is Kind.DEALING):
            continue
        if on_its_way is not None and state.felt.is_passing(draw):
            continue
        state.felt.confirmed.add(draw.number)
        incident = raised(
            state,
            Outcome(
                clause=state.rulebook.errors.dealt_by(slot),
                expected=slot.name,
                observed="not-seen",
                remedies=(Remedy.CONTINUE,),
                chooser=Chooser.CROUPIER,
                severity=Severity.NOTICE,
                draw=draw,
            ),
        )
        ask(state, Question.AT_ITS_SPOT, slot.name, incident)
