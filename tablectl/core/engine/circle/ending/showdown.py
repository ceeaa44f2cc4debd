"""The showdown: who shows in which order, who may give his hand up, and when the pot is delivered."""

from __future__ import annotations

from tablectl.core.engine.circle.draw.unsure import STAND_IN
from tablectl.core.engine.circle.ending import awards
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.circle.seating import attendance
from tablectl.core.engine.decisions import CardTurned, HandClosed, Mucked
from tablectl.core.engine.errors.decks import ask_for_deck
from tablectl.core.engine.errors.outcome import Outcome, carried_out
from tablectl.core.engine.naming import COMMON, own_places, unread
from tablectl.core.engine.slots import BOARD
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Refusal, Remedy, Severity


def begin(state: State, circle: Memory) -> None:
    """THL-SDN-1: the order in which hands are shown."""
    circle.to_show = list(awards.showing_order(state, circle))
    circle.has_shown = set()


def next_to_show(circle: Memory) -> int | None:
    """Whose turn it is to show or to give up: the seat that the croupier chose, or the next one in order."""
    if circle.chosen in circle.to_show:
        return circle.chosen
    return circle.to_show[0] if circle.to_show else None


def show(state: State, circle: Memory) -> None:
    """The next hand is turned up."""
    seat = next_to_show(circle)
    if seat is not None:
        _warn_if_out_of_order(state, circle, seat)
        _turn(state, circle, seat)
        _go_on(state, circle)


def _warn_if_out_of_order(state: State, circle: Memory, seat: int) -> None:
    """THL-SDN-1: hands are shown one by one to the left. Out of order they count all the same."""
    first, rules = circle.to_show[0], state.rulebook.circle
    assert rules is not None
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


def show_all(state: State, circle: Memory) -> None:
    """Everybody who has not shown does, in order."""
    for seat in list(circle.to_show):
        _turn(state, circle, seat)
    _go_on(state, circle)


def muck(state: State, circle: Memory) -> None:
    """THL-SDN-5, THL-PLE-2b: a player gives his hand up unseen; the last one that could win cannot, since his bet was
    called."""
    seat = next_to_show(circle)
    assert state.rulebook.circle is not None
    if seat is None:
        return
    if not _may_muck(state, circle, seat):
        state.refuse(Refusal.MUST_SHOW, state.rulebook.circle.clauses.must_show, f"seat-{seat}")
        return
    circle.forget_entry()
    if seat == circle.to_show[0]:
        circle.gave_up.add(seat)
    circle.to_show.remove(seat)
    circle.chosen = None
    state.seats.fold(seat)
    if circle.rounds is not None:
        circle.rounds.leave(seat, returned=False)
    state.say(Mucked(seat=seat))
    _go_on(state, circle)


def _may_muck(state: State, circle: Memory, seat: int) -> bool:
    """Not where a pot would be his alone: his bet was called, so he has to show (THL-SDN-5)."""
    if state.is_draw or len(state.staying) == 1:
        return False  # FCD-WIN-2: everybody who is in shows his cards
    return not state.amounts or all(pot.eligible != (seat,) for pot in awards.pots_now(state, circle))


def seat_left(state: State, circle: Memory) -> None:
    """A hand died at the showdown."""
    circle.to_show = [seat for seat in circle.to_show if seat in state.staying]
    _go_on(state, circle)


def _turn(state: State, circle: Memory, seat: int) -> None:
    circle.forget_entry()
    circle.to_show.remove(seat)
    circle.chosen = None
    circle.has_shown.add(seat)
    at = state.deal.at
    for slot in own_places(state, seat):
        if slot in at and slot not in state.shown:
            state.shown.add(slot)
            if at[slot].number != STAND_IN:
                state.say(CardTurned(draw=at[slot].number, slot=slot))


def _go_on(state: State, circle: Memory) -> None:
    """Everybody has shown or given up: the hands are compared, once every card in them is known."""
    if circle.to_show:
        return
    slots = [slot for seat in state.staying for slot in own_places(state, seat)]
    if len(state.staying) > 1:
        state.naming = unread(state, [*BOARD[:COMMON], *slots])
    state.fire("revealed")


def deliver(state: State, circle: Memory) -> None:
    """THL-SDN-6: everybody has seen the winning hand and agrees; the pot is delivered and the hand is over."""
    if state.amounts:
        awards.pay(state, circle)
    if state.is_draw:
        circle.draw.is_pot_waiting = circle.draw.hand.is_passed_out
    close(state, circle, voided=False)


def close(state: State, circle: Memory, *, voided: bool) -> None:
    """Between two hands again: whose blinds were paid, who has missed them; after a void hand nothing changes
    (AMB-62)."""
    attendance.after_hand(state, circle, voided=voided)
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
