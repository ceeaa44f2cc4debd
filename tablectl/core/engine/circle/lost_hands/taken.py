"""Cards of a live hand that antennas see among the discards: was it protected (THL-CRE-4) or not (THL-GEN-8)?"""

from __future__ import annotations

from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.errors.outcome import Outcome, carried_out, raised
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import BOARD, DISCARD, SEATS, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Chooser, Question, Remedy, Severity

_DISCARD, _BOARD = DISCARD[0].spot, BOARD[0].spot


def live_hands(state: State) -> tuple[int, ...]:
    """The seats with cards before them that nobody has seen yet: they can be taken away, touched or thrown. A hand that
    was shown speaks for itself (THL-CRE-1); the last one left has won, whatever becomes of his cards (THL-END-2)."""
    circle = state.circle
    if circle is None or state.phase.kind not in IN_HAND or state.is_one_left:
        return ()
    at = state.deal.at
    return tuple(seat for seat in state.staying if SEATS[seat - 1][0] in at and seat not in circle.has_shown)


def came_to_discards(state: State, circle: Memory, draw: Draw, slot: Slot) -> None:
    """A card came to the discards: in which order they come tells what was mixed with what (THL-PLE-2a).

    Cards of the seat in turn are no alarm yet: a player throws them, and the fold is entered a moment later.
    """
    if draw.number in circle.muck:
        circle.muck.remove(draw.number)
    circle.muck.append(draw.number)
    if state.phase.kind is Kind.SETTLING:
        _before_delivery(state, circle, slot)
    elif slot.seat is not None and slot.seat in live_hands(state) and slot.seat != _speaking(state, circle):
        _was_it_protected(state, circle, slot.seat)


def look_at_discards(state: State, circle: Memory) -> None:
    """The round is over: whoever is still in and has a card among the discards did not fold."""
    if _DISCARD not in state.felt.values():
        return
    at = state.deal.at
    for seat in live_hands(state):
        draws = [at[slot].number for slot in SEATS[seat - 1] if slot in at]
        if any(state.felt.get(number) == _DISCARD for number in draws):
            _was_it_protected(state, circle, seat)


def came_back(state: State, circle: Memory, slot: Slot) -> None:
    """The card lies before its player again: it was not mixed with anything, and the hand goes on."""
    for pending in list(state.asking):
        incident = pending.incident
        if pending.question is Question.PROTECTED and incident is not None and slot.seat in incident.seats:
            circle.noticed.difference_update(incident.seats)
            close(state, incident, Remedy.CORRECT, Chooser.RULE)


def _speaking(state: State, circle: Memory) -> int | None:
    """Who may be throwing his cards just now."""
    if state.phase.kind is Kind.REVEALING:
        return circle.chosen if circle.chosen in circle.to_show else next(iter(circle.to_show), None)
    return circle.turn


def _was_it_protected(state: State, circle: Memory, seat: int) -> None:
    if seat in circle.noticed:
        return
    circle.noticed.add(seat)
    incident = raised(
        state,
        Outcome(
            clause="THL-GEN-8",
            expected="live-hand",
            observed=_DISCARD,
            remedies=(Remedy.VOID_SEAT,),
            chooser=Chooser.CROUPIER,
            seats=(seat,),
        ),
    )
    ask(state, Question.PROTECTED, f"seat-{seat}", incident)


def _before_delivery(state: State, circle: Memory, slot: Slot) -> None:
    """THL-SDN-7: cards stay until the pot is delivered. A notice, once for each spot; nothing is changed by it."""
    spot = slot.seat if slot.seat is not None else 0
    is_needed = slot.spot == _BOARD or slot.seat in state.staying
    if len(state.staying) < 2 or not is_needed or spot in circle.noticed:
        return
    circle.noticed.add(spot)
    carried_out(
        state,
        Outcome(
            clause="THL-SDN-7",
            expected="pot-delivered",
            observed=slot.spot,
            remedies=(Remedy.CONTINUE,),
            severity=Severity.NOTICE,
            seats=() if slot.seat is None else (slot.seat,),
        ),
    )
