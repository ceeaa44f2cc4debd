"""What the croupier enters in a betting round: an action, or chips as they were seen; and whose it is."""

from __future__ import annotations

from tablectl.core.engine.circle import flow
from tablectl.core.engine.circle.betting.moves import Reason, Wrong
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.circle.speech import correction, legality, out_of_turn, speaking, talk
from tablectl.core.engine.decisions import Spoke
from tablectl.core.engine.facts import Acted, PutIn
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Action, Refusal, Tracking


def acted(state: State, fact: Acted) -> None:
    """THL-RD1-2 to -5, THO-RND-3: an action of the seat whose turn it is. One of another seat is offered as an action
    out of turn (THL-PLE-6)."""
    circle = _speaking(state, fact.seat)
    if circle is None:
        return
    if state.setup.tracking is Tracking.ROUNDS:
        _in_a_round(state, circle, fact)
    elif fact.seat is not None and fact.seat != circle.turn:
        out_of_turn.offer(state, circle, fact)
    else:
        entry = correction.before(state, circle)
        if speaking.speak(state, circle, fact.action, fact.to, is_all_in=fact.is_all_in):
            circle.entry = entry


def put_in(state: State, fact: PutIn) -> None:
    """THL-GEN-2: chips that crossed the line, with the word that was said (THL-GEN-5). What a seat adds to its own
    action is a second movement and does not count (THL-GEN-3, THL-GEN-9)."""
    circle = _speaking(state, fact.seat)
    if circle is None:
        return
    rounds = circle.rounds
    assert rounds is not None
    if not state.amounts:
        legality.refuse(state, rounds, fact.said or Action.BET, Wrong(reason=Reason.AMOUNT_NOT_ENTERED))
    elif talk.is_second_movement(state, fact):
        talk.second_movement(state, fact.seat)
    elif fact.seat != circle.turn:
        out_of_turn.offer(state, circle, fact)
    else:
        entry = correction.before(state, circle)
        if speaking.put_in(state, circle, fact):
            circle.entry = entry


def all_check(state: State, circle: Memory) -> None:
    """Everybody who has still to speak checks, as far as that goes (THL-RD2-5, THO-ACT-3). It is one entry."""
    entry, rounds = correction.before(state, circle), circle.rounds
    assert rounds is not None
    if not speaking.speak(state, circle, Action.CHECK):
        return
    circle.entry = entry
    while not state.held and state.phase.kind is Kind.DECIDING:
        if rounds.turn in circle.stored:
            out_of_turn.follow(state, circle)
        elif rounds.turn is None or not rounds.legal().may_check or not speaking.speak(state, circle, Action.CHECK):
            return


def close_round(state: State, circle: Memory) -> None:
    """Where only rounds are entered: this one is over, and everybody who is in has put in the same (THL-END-1)."""
    entry, rounds = correction.before(state, circle), circle.rounds
    assert rounds is not None
    while rounds.turn is not None:
        rounds.act(Action.CALL if rounds.legal().may_call else Action.CHECK)
    flow.close_round(state, circle)
    circle.entry = entry


def _speaking(state: State, seat: int | None) -> Memory | None:
    """The memory of a betting round that is open, for a seat that is in it; None where the entry is refused."""
    circle = state.circle
    if circle is None or circle.rounds is None or state.phase.kind is not Kind.DECIDING:
        state.refuse(Refusal.BETS_CLOSED, state.rulebook.errors.too_early_entry)
    elif state.held:
        state.refuse(Refusal.HELD)
    elif seat is not None and seat not in state.staying:
        state.refuse(Refusal.UNKNOWN_SEAT, state.rulebook.errors.out_of_turn, f"seat-{seat}")
    else:
        return circle
    return None


def _in_a_round(state: State, circle: Memory, fact: Acted) -> None:
    """Where only rounds are entered, a fold is all that is said of a seat."""
    rounds = circle.rounds
    assert rounds is not None
    if fact.action is not Action.FOLD or fact.seat is None:
        state.refuse(Refusal.NOT_LIVE, detail=fact.action)
        return
    circle.entry, circle.chosen = correction.before(state, circle), None
    rounds.leave(fact.seat, returned=False)
    state.seats.fold(fact.seat)
    state.say(Spoke(seat=fact.seat, action=Action.FOLD, to=None, added=None, is_all_in=False))
    if state.is_one_left:
        flow.close_round(state, circle)
