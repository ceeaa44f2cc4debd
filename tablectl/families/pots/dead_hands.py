"""A hand of a circle game dies: its seat is out of the pot, and what it put in stays there or goes back."""

from __future__ import annotations

from tablectl.core.engine.decisions import SeatVoided, SeatWithdrawn
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import SEATS
from tablectl.families.pots import awards
from tablectl.families.pots.state import PotGameState


def withdraw(state: PotGameState, seat: int, clause: str) -> None:
    """The cards are out of play; what becomes of the chips is still to be ruled."""
    state.seats.withdraw(seat)
    state.deal.drop(SEATS[seat - 1])
    state.say(SeatWithdrawn(seat=seat, clause=clause))


def annul(state: PotGameState, seat: int, clause: str) -> None:
    """The hand is void: everything that the seat put in during the hand goes back to it (THL-CRE-4, AMB-35)."""
    state.deal.drop(SEATS[seat - 1])
    state.say(SeatVoided(seat=seat, clause=clause))
    _chips_back(state, seat)


def out(state: PotGameState, seat: int, clause: str, *, returned: bool) -> None:
    """A hand dies for an error of the deal, at any time until the pot is delivered (THL-PLE-12, THL-MIS-7): what it put
    in stays in the pot, or goes back."""
    assert state.rounds is not None
    if returned:
        state.family.refund(state, seat, keeps_entry=False)
        state.seats.annul(seat)
    else:
        state.seats.withdraw(seat)
    state.rounds.leave(seat, returned=returned)
    state.say(SeatWithdrawn(seat=seat, clause=clause))
    if state.phase.kind is Kind.SETTLING:
        # The pot is not delivered: it is awarded anew, without him. Whoever is left alone wins it with any cards.
        of_others = (card for card in state.unnamed if card.slot is None or card.slot.seat in (None, *state.staying))
        state.unnamed = [] if state.is_one_left else [*of_others]
        awards.anew(state)
    else:
        state.family.hand_died(state)
        awards.announce_again(state)


def lose_bets(state: PotGameState, incident: Incident) -> None:
    """The pit boss: what these seats put in stays in the pot. One that was awarded is awarded anew."""
    if state.phase.kind is Kind.SETTLING:
        for seat in _not_void(state, incident):
            if state.seats[seat].stays and not state.is_one_left:
                out(state, seat, incident.clause, returned=False)
        return
    for seat in _not_void(state, incident):
        if state.seats[seat].stays:
            withdraw(state, seat, incident.clause)
        _leave(state, seat, returned=False)
    go_on(state)


def refund_bets(state: PotGameState, incident: Incident) -> None:
    """The pit boss: these seats get back what they put in."""
    for seat in _not_void(state, incident):
        if state.seats[seat].stays:
            withdraw(state, seat, incident.clause)
        _chips_back(state, seat)
    go_on(state)


def go_on(state: PotGameState) -> None:
    """The round or the hand may be over now; not before it is ruled on every seat that is out."""
    if state.rounds is None or set(state.rounds.live) == set(state.staying):
        state.family.hand_died(state)
        awards.announce_again(state)


def _chips_back(state: PotGameState, seat: int) -> None:
    state.seats.annul(seat)
    state.family.refund(state, seat, keeps_entry=False)
    _leave(state, seat, returned=True)


def _leave(state: PotGameState, seat: int, *, returned: bool) -> None:
    state.forget_entry()
    rounds = state.rounds
    if rounds is not None and rounds.is_in(seat):
        rounds.leave(seat, returned=returned)


def _not_void(state: PotGameState, incident: Incident) -> list[int]:
    return [seat for seat in incident.seats if (held := state.seats.get(seat)) is not None and not held.void]
