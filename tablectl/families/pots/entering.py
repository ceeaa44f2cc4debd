"""What the croupier enters in a betting round: an action, or chips as they were seen; and whose it is."""

from __future__ import annotations

from tablectl.core.engine.decisions import Spoke
from tablectl.core.engine.facts import Acted, PutIn
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Action, Refusal, Tracking
from tablectl.families.pots import correction, flow, legality, out_of_turn, speaking, talk
from tablectl.families.pots.betting.legal import Reason, Wrong
from tablectl.families.pots.state import PotGameState


def acted(state: PotGameState, fact: Acted) -> None:
    """THL-RD1-2 to -5, THO-RND-3: an action of the seat whose turn it is. One of another seat is offered as an action
    out of turn (THL-PLE-6)."""
    if not _can_speak(state, fact.seat):
        return
    if state.setup.tracking is Tracking.ROUNDS:
        _in_a_round(state, fact)
    elif fact.seat is not None and fact.seat != state.turn:
        out_of_turn.offer(state, fact)
    else:
        entry = correction.before(state)
        if speaking.speak(state, fact.action, fact.to, is_all_in=fact.is_all_in):
            state.entry = entry


def put_in(state: PotGameState, fact: PutIn) -> None:
    """THL-GEN-2: chips that crossed the line, with the word that was said (THL-GEN-5). What a seat adds to its own
    action is a second movement and does not count (THL-GEN-3, THL-GEN-9)."""
    if not _can_speak(state, fact.seat):
        return
    rounds = state.rounds
    assert rounds is not None
    if not state.amounts:
        legality.refuse(state, rounds, fact.said or Action.BET, Wrong(reason=Reason.AMOUNT_NOT_ENTERED))
    elif talk.is_second_movement(state, fact):
        talk.second_movement(state, fact.seat)
    elif fact.seat != state.turn:
        out_of_turn.offer(state, fact)
    else:
        entry = correction.before(state)
        if speaking.put_in(state, fact):
            state.entry = entry


def all_check(state: PotGameState) -> None:
    """Everybody who has still to speak checks, as far as that goes (THL-RD2-5, THO-ACT-3). It is one entry."""
    entry, rounds = correction.before(state), state.rounds
    assert rounds is not None
    if not speaking.speak(state, Action.CHECK):
        return
    state.entry = entry
    while not state.held and state.phase.kind is Kind.DECIDING:
        if rounds.turn in state.stored:
            out_of_turn.follow(state)
        elif rounds.turn is None or not rounds.legal().may_check or not speaking.speak(state, Action.CHECK):
            return


def close_round(state: PotGameState) -> None:
    """Where only rounds are entered: this one is over, and everybody who is in has put in the same (THL-END-1)."""
    entry, rounds = correction.before(state), state.rounds
    assert rounds is not None
    while rounds.turn is not None:
        rounds.act(Action.CALL if rounds.legal().may_call else Action.CHECK)
    flow.close_round(state)
    state.entry = entry


def _can_speak(state: PotGameState, seat: int | None) -> bool:
    """Whether a betting round is open, and this seat is in it; otherwise the entry is refused."""
    if state.rounds is None or state.phase.kind is not Kind.DECIDING:
        state.refuse(Refusal.BETS_CLOSED, state.rulebook.errors.too_early_entry)
    elif state.held:
        state.refuse(Refusal.HELD)
    elif seat is not None and seat not in state.staying:
        state.refuse(Refusal.UNKNOWN_SEAT, state.rulebook.errors.out_of_turn, f"seat-{seat}")
    else:
        return True
    return False


def _in_a_round(state: PotGameState, fact: Acted) -> None:
    """Where only rounds are entered, a fold is all that is said of a seat."""
    rounds = state.rounds
    assert rounds is not None
    if fact.action is not Action.FOLD or fact.seat is None:
        state.refuse(Refusal.NOT_LIVE, detail=fact.action)
        return
    state.entry, state.chosen = correction.before(state), None
    rounds.leave(fact.seat, returned=False)
    state.seats.fold(fact.seat)
    state.say(Spoke(seat=fact.seat, action=Action.FOLD, to=None, added=None, is_all_in=False))
    if state.is_one_left:
        flow.close_round(state)
