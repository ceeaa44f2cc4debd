"""The showdown: who shows in which order, who may give his hand up, and when the pot is delivered."""

from __future__ import annotations

from tablectl.core.engine.deal import STAND_IN
from tablectl.core.engine.decisions import CardTurned, HandClosed, Mucked
from tablectl.core.engine.decks import ask_for_deck
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.unread_cards import unread
from tablectl.core.engine.vocabulary import Refusal, Remedy, Severity
from tablectl.families.pots import attendance, awards
from tablectl.families.pots.state import PotGameState


def begin(state: PotGameState) -> None:
    """THL-SDN-1: the order in which hands are shown."""
    state.to_show = list(awards.showing_order(state))
    state.has_shown = set()


def next_to_show(state: PotGameState) -> int | None:
    """Whose turn it is to show or to give up: the seat that the croupier chose, or the next one in order."""
    if state.chosen in state.to_show:
        return state.chosen
    return state.to_show[0] if state.to_show else None


def show(state: PotGameState) -> None:
    """The next hand is turned up."""
    seat = next_to_show(state)
    if seat is not None:
        _warn_if_out_of_order(state, seat)
        _turn(state, seat)
        _go_on(state)


def _warn_if_out_of_order(state: PotGameState, seat: int) -> None:
    """THL-SDN-1: hands are shown one by one to the left. Out of order they count all the same."""
    first, rules = state.to_show[0], state.rulebook
    if seat != first:
        carried_out(
            state,
            Outcome(
                clause=rules.clauses.showing,
                expected=f"seat-{first}",
                observed=f"seat-{seat}",
                remedies=(Remedy.WARN,),
                severity=Severity.NOTICE,
                seats=(seat,),
            ),
        )


def show_all(state: PotGameState) -> None:
    """Everybody who has not shown does, in order."""
    for seat in list(state.to_show):
        _turn(state, seat)
    _go_on(state)


def muck(state: PotGameState) -> None:
    """THL-SDN-5, THL-PLE-2b: a player gives his hand up unseen; the last one that could win cannot, since his bet was
    called."""
    seat = next_to_show(state)
    if seat is None:
        return
    if not _may_muck(state, seat):
        state.refuse(Refusal.MUST_SHOW, state.rulebook.clauses.must_show, f"seat-{seat}")
        return
    state.forget_entry()
    if seat == state.to_show[0]:
        state.gave_up.add(seat)
    state.to_show.remove(seat)
    state.chosen = None
    state.seats.fold(seat)
    if state.rounds is not None:
        state.rounds.leave(seat, returned=False)
    state.say(Mucked(seat=seat))
    _go_on(state)


def _may_muck(state: PotGameState, seat: int) -> bool:
    """Not where a pot would be his alone: his bet was called, so he has to show (THL-SDN-5)."""
    if not state.family.may_give_up or len(state.staying) == 1:
        return False
    return not state.amounts or all(pot.eligible != (seat,) for pot in awards.pots_now(state))


def seat_left(state: PotGameState) -> None:
    """A hand died at the showdown."""
    state.to_show = [seat for seat in state.to_show if seat in state.staying]
    _go_on(state)


def _turn(state: PotGameState, seat: int) -> None:
    state.forget_entry()
    state.to_show.remove(seat)
    state.chosen = None
    state.has_shown.add(seat)
    at = state.deal.at
    for slot in state.family.own_places(seat):
        if slot in at and slot not in state.shown:
            state.shown.add(slot)
            if at[slot].number != STAND_IN:
                state.say(CardTurned(draw=at[slot].number, slot=slot))


def shows_late(state: PotGameState, seat: int) -> None:
    """A hand that had been given up is in again after the award: it is turned up, and the pots are awarded anew."""
    state.to_show = [seat]
    _turn(state, seat)
    at = state.deal.at
    state.unnamed += unread(state, [slot for slot in state.family.own_places(seat) if slot in at])
    awards.anew(state)


def _go_on(state: PotGameState) -> None:
    """Everybody has shown or given up: the hands are compared, once every card in them is known."""
    if state.to_show:
        return
    slots = [slot for seat in state.staying for slot in state.family.own_places(seat)]
    if len(state.staying) > 1:
        state.unnamed = unread(state, [*state.rulebook.places.board, *slots])
    state.fire("revealed")


def deliver(state: PotGameState) -> None:
    """THL-SDN-6: everybody has seen the winning hand and agrees; the pot is delivered and the hand is over."""
    if state.amounts:
        awards.pay(state)
    state.family.delivered(state)
    close(state, voided=False)


def close(state: PotGameState, *, voided: bool) -> None:
    """Between two hands again: whose blinds were paid, who has missed them; after a void hand nothing changes
    (AMB-62)."""
    attendance.after_hand(state, voided=voided)
    state.say(
        HandClosed(
            hand=state.hand,
            presses=state.presses,
            drawn=len(state.deal.draws),
            float_change=state.house_won if state.amounts else None,
        )
    )
    state.fire("closed")
    state.forget_hand()
    if state.needs_deck:
        ask_for_deck(state)
