"""Cards of a live hand that antennas see among the discards: was it protected (THL-CRE-4) or not (THL-GEN-8)?"""

from __future__ import annotations

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.rule import Outcome, noted
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import BOARD, DISCARD, SEATS, Slot
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy
from tablectl.families.pots.state import PotGameState

_DISCARD, _BOARD = DISCARD[0].spot, BOARD[0].spot


def live_hands(state: PotGameState) -> tuple[int, ...]:
    """The seats with cards before them that nobody has seen yet: they can be taken away, touched or thrown. A hand that
    was shown speaks for itself (THL-CRE-1); the last one left has won, whatever becomes of his cards (THL-END-2)."""
    if state.phase.kind not in IN_HAND or state.is_one_left:
        return ()
    at = state.deal.at
    return tuple(seat for seat in state.staying if SEATS[seat - 1][0] in at and seat not in state.has_shown)


def came_to_discards(state: PotGameState, draw: Draw, slot: Slot) -> None:
    """A card came to the discards: in which order they come tells what was mixed with what (THL-PLE-2a).

    Cards of the seat in turn are no alarm yet: a player throws them, and the fold is entered a moment later.
    """
    if draw.number in state.muck:
        state.muck.remove(draw.number)
    state.muck.append(draw.number)
    if state.phase.kind is Kind.SETTLING:
        _before_delivery(state, slot)
    elif slot.seat is not None and slot.seat in live_hands(state) and slot.seat != _speaking(state):
        _was_it_protected(state, slot.seat)


def look_at_discards(state: PotGameState) -> None:
    """The round is over: whoever is still in and has a card among the discards did not fold."""
    if _DISCARD not in state.felt.spots:
        return
    at = state.deal.at
    for seat in live_hands(state):
        if any(state.felt.spot_of(at[slot]) == _DISCARD for slot in SEATS[seat - 1] if slot in at):
            _was_it_protected(state, seat)


def came_back(state: PotGameState, slot: Slot) -> None:
    """The card lies before its player again: it was not mixed with anything, and the hand goes on."""
    for pending in list(state.asking):
        incident = pending.incident
        if pending.question is Question.PROTECTED and incident is not None and slot.seat in incident.seats:
            state.noticed.difference_update(incident.seats)
            close(state, incident, Remedy.CORRECT, Chooser.RULE)


def _speaking(state: PotGameState) -> int | None:
    """Who may be throwing his cards just now."""
    if state.phase.kind is Kind.REVEALING:
        return state.chosen if state.chosen in state.to_show else next(iter(state.to_show), None)
    return state.turn


def _was_it_protected(state: PotGameState, seat: int) -> None:
    if seat in state.noticed:
        return
    state.noticed.add(seat)
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


def _before_delivery(state: PotGameState, slot: Slot) -> None:
    """THL-SDN-7: cards stay until the pot is delivered. A notice, once for each spot; nothing is changed by it."""
    spot = slot.seat if slot.seat is not None else 0
    is_needed = slot.spot == _BOARD or slot.seat in state.staying
    if len(state.staying) < 2 or not is_needed or spot in state.noticed:
        return
    state.noticed.add(spot)
    carried_out(
        state,
        noted(
            "THL-SDN-7", expected="pot-delivered", observed=slot.spot, seats=() if slot.seat is None else (slot.seat,)
        ),
    )
