"""What follows by itself when a phase of a circle game begins, and when a betting round is over."""

from __future__ import annotations

from tablectl.core.engine.decisions import PotMade
from tablectl.core.engine.rulebook import DEALT, Kind, Phase
from tablectl.core.engine.vocabulary import Tracking
from tablectl.families.pots import awards, retrieved_cards, showdown
from tablectl.families.pots.state import PotGameState

#: The trigger that ends a round, a showdown, or anything in which nobody is left to play against.
ROUND_CLOSED = "round-closed"
PASSED_OUT = "passed-out"
ONE_LEFT = "one-left"


def follow(state: PotGameState) -> None:
    """Do what the phase asks for that was entered, and what that one leads to."""
    while (phase := state.entered) is not None:
        state.entered = None
        if phase.kind is Kind.DECIDING:
            _open_round(state, phase)
        elif phase.kind is Kind.REVEALING:
            showdown.begin(state)
        else:
            state.family.phase_entered(state)


def _open_round(state: PotGameState, phase: Phase) -> None:
    """THL-RD1-1, THL-RD2-4, THO-RND-1, THO-RND-5: who speaks first. Where nobody can bet any more the next cards come
    (THL-END-3)."""
    rounds, positions = state.rounds, state.positions
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
        rounds.open(state.family.first_to_act(state, positions, phase.round), phase.round)
    if rounds.turn is None:
        close_round(state)


def close_round(state: PotGameState) -> None:
    """THL-END-1, THL-RD2-1: everybody has put in the same or is all-in; the chips go to the pot, which is divided where
    somebody is all-in, and everybody is told for which he competes (THL-END-4)."""
    if state.amounts and not state.is_one_left:
        for number, pot in enumerate(awards.pots_now(state), start=1):
            state.say(PotMade(pot=number, amount=pot.amount, seats=pot.eligible))
    state.chosen, state.is_all_in = None, False
    state.forget_out_of_turn()
    state.note_folds()
    if not state.is_one_left:
        retrieved_cards.look_at_discards(state)
    if state.family.passed_out(state):
        state.fire(PASSED_OUT)
        return
    state.fire(ROUND_CLOSED)


def after_a_seat_left(state: PotGameState) -> None:
    """A hand is dead: with one left he wins the pot (THL-END-2), and where nobody is left to speak the round is
    over."""
    rounds = state.rounds
    if state.phase.kind is Kind.DECIDING:
        if state.is_one_left or (
            rounds is not None and rounds.turn is None and state.setup.tracking is not Tracking.ROUNDS
        ):
            close_round(state)
    elif state.phase.kind is Kind.REVEALING:
        showdown.seat_left(state)
    elif state.is_one_left and state.machine.refusal(ONE_LEFT, state) is None:
        state.fire(ONE_LEFT)
    elif state.phase.kind is Kind.DEALING and state.deal.due is None:
        state.fire(DEALT)
