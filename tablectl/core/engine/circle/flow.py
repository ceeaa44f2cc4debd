"""What follows by itself when a phase of a circle game begins, and when a betting round is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.circle.common_cards import streets
from tablectl.core.engine.circle.draw import cut, exchange, openings, stub
from tablectl.core.engine.circle.ending import awards, showdown
from tablectl.core.engine.circle.lost_hands import taken
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.circle.seating import opening
from tablectl.core.engine.circle.seating.places import Places
from tablectl.core.engine.decisions import PotMade
from tablectl.core.engine.rulebook import Kind, Phase
from tablectl.core.engine.slots import SEAT_UP
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Tracking
from tablectl.core.options.draw import SecondRound

#: The trigger that ends a round, a showdown, or anything in which nobody is left to play against.
ROUND_CLOSED = "round-closed"
PASSED_OUT = "passed-out"
ONE_LEFT = "one-left"


def follow(state: State, circle: Memory) -> None:
    """Do what the phase asks for that was entered, and what that one leads to."""
    if circle.draw_waits and state.phase.name == "blinds":
        opening.button_by_card(state, circle)
    if state.is_draw:
        exchange.follow(state, circle)
    while (phase := circle.entered) is not None:
        circle.entered = None
        begins = _BEGINS.get(phase.kind)
        if begins is not None:
            begins(state, circle, phase)
    if state.is_draw:
        cut.follow(state, circle)
        stub.follow(state, circle)


def _post(state: State, circle: Memory, phase: Phase) -> None:
    if phase.name == "antes":
        opening.take_places(state, circle)
    elif phase.name == "blinds":
        if state.deal.at and any(slot in state.deal.at for slot in SEAT_UP):
            opening.button_by_card(state, circle)
        else:
            opening.take_places(state, circle)


def _deal(state: State, circle: Memory, phase: Phase) -> None:
    if phase.name in streets.STREETS:
        streets.begin(state, circle)


def _open_round(state: State, circle: Memory, phase: Phase) -> None:
    """THL-RD1-1, THL-RD2-4, THO-RND-1, THO-RND-5: who speaks first. Where nobody can bet any more the next cards come
    (THL-END-3)."""
    rounds, positions = circle.rounds, circle.positions
    assert rounds is not None
    assert positions is not None
    assert phase.round is not None
    if state.is_one_left:
        state.fire(ROUND_CLOSED)
        return
    if state.setup.tracking is Tracking.ROUNDS:
        rounds.index = phase.round  # who speaks is not entered, and the round is closed by hand
        return
    if rounds.index != phase.round:
        # Otherwise a card was due again in mid-round (`REOPEN`); it was dealt, and the round goes on.
        rounds.open(_first(state, circle, positions, phase.round), phase.round)
    if rounds.turn is None:
        close_round(state, circle)


def _first(state: State, circle: Memory, positions: Places, number: int) -> int:
    """Who speaks first: where cards were changed, the left of the dealer or whoever opened (AMB-66)."""
    if number == 0:
        return positions.first_to_act
    game = state.rulebook.circle
    assert game is not None
    if state.is_draw and game.draw.second_round is SecondRound.OPENER and circle.draw.hand.opener is not None:
        return circle.draw.hand.opener
    return positions.first_after


#: What a phase begins with.
_BEGINS: Final[Mapping[Kind, Callable[[State, Memory, Phase], None]]] = {
    Kind.BETTING: _post,
    Kind.EXCHANGING: lambda state, circle, _: exchange.entered(state, circle),
    Kind.DEALING: _deal,
    Kind.DECIDING: _open_round,
    Kind.REVEALING: lambda state, circle, _: showdown.begin(state, circle),
}


def close_round(state: State, circle: Memory) -> None:
    """THL-END-1, THL-RD2-1: everybody has put in the same or is all-in; the chips go to the pot, which is divided where
    somebody is all-in, and everybody is told for which he competes (THL-END-4)."""
    if state.amounts and not state.is_one_left:
        for number, pot in enumerate(awards.pots_now(state, circle), start=1):
            state.say(PotMade(pot=number, amount=pot.amount, seats=pot.eligible))
    circle.chosen, circle.is_all_in = None, False
    circle.forget_out_of_turn()
    circle.note_folds()
    if not state.is_one_left:
        taken.look_at_discards(state, circle)
    if state.is_draw and openings.is_passed_out(state, circle):
        circle.draw.hand.is_passed_out = True
        state.fire(PASSED_OUT)
        return
    state.fire(ROUND_CLOSED)


def after_a_seat_left(state: State, circle: Memory) -> None:
    """A hand is dead: with one left he wins the pot (THL-END-2), and where nobody is left to speak the round is
    over."""
    rounds = circle.rounds
    if state.phase.kind is Kind.DECIDING:
        if state.is_one_left or (
            rounds is not None and rounds.turn is None and state.setup.tracking is not Tracking.ROUNDS
        ):
            close_round(state, circle)
    elif state.phase.kind is Kind.REVEALING:
        showdown.seat_left(state, circle)
    elif state.phase.kind is Kind.EXCHANGING and not state.is_one_left:
        exchange.seat_left(state, circle)
    elif state.is_one_left and state.machine.refusal(ONE_LEFT, state) is None:
        state.fire(ONE_LEFT)
    elif state.phase.kind is Kind.DEALING and state.deal.due is None:
        state.fire("dealt")
