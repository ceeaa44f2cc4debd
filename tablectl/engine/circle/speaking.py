"""What players do in a betting round: entered as an action, or as chips and words that the rules make one of."""

from __future__ import annotations

from tablectl.engine.circle import flow
from tablectl.engine.circle.memory import Memory
from tablectl.engine.circle.moves import Legal, Wrong
from tablectl.engine.decisions import Spoke, TakenBack
from tablectl.engine.facts import Acted, PutIn
from tablectl.engine.rulebook import Kind
from tablectl.engine.state import State
from tablectl.engine.words import Action, Refusal, Tracking


def acted(state: State, fact: Acted) -> None:
    """THL-RD1-2 to -5, THO-RND-3: the action of the seat whose turn it is. An illegal one changes nothing."""
    circle = state.circle
    if circle is None or circle.rounds is None or state.phase.kind is not Kind.DECIDING:
        state.refuse(Refusal.BETS_CLOSED, state.rulebook.errors.too_early_entry)
    elif state.held:
        state.refuse(Refusal.HELD)
    elif fact.seat is not None and fact.seat not in state.staying:
        state.refuse(Refusal.UNKNOWN_SEAT, state.rulebook.errors.out_of_turn, f"seat-{fact.seat}")
    elif state.setup.tracking is Tracking.ROUNDS:
        _in_a_round(state, circle, fact)
    elif fact.seat not in (None, circle.turn):
        state.refuse(Refusal.NOT_IN_TURN, state.rulebook.errors.out_of_turn, f"turn=seat-{circle.turn}")
    else:
        speak(state, circle, fact)


def speak(state: State, circle: Memory, fact: Acted) -> None:
    """The seat in turn does this, if it may."""
    rounds, rules = circle.rounds, state.rulebook.circle
    assert rounds is not None
    assert rules is not None
    judged = rounds.judged(fact.action, fact.to, is_all_in=fact.is_all_in)
    if isinstance(judged, Wrong):
        clause = {Action.CHECK: rules.clauses.check, Action.CALL: rules.clauses.call}.get(
            fact.action, rules.clauses.raises
        )
        state.refuse(Refusal.ILLEGAL_ACTION, clause, f"{fact.action} {legal_text(rounds.legal())}")
        return
    done = judged
    rounds.carry_out(done)
    circle.chosen, circle.is_all_in, circle.takes_back = None, False, True
    state.say(Spoke(seat=done.seat, action=done.action, to=done.to, added=done.added, is_all_in=done.is_all_in))
    if done.action is Action.FOLD:
        state.seats.fold(done.seat)
    if rounds.turn is None or state.is_one_left:
        flow.close_round(state, circle)


def _in_a_round(state: State, circle: Memory, fact: Acted) -> None:
    """Where only rounds are entered, a fold is all that is said of a seat."""
    rounds = circle.rounds
    assert rounds is not None
    if fact.action is not Action.FOLD or fact.seat is None:
        state.refuse(Refusal.NOT_LIVE, detail=fact.action)
        return
    rounds.leave(fact.seat, returned=False)
    state.seats.fold(fact.seat)
    state.say(Spoke(seat=fact.seat, action=Action.FOLD, to=None, added=None, is_all_in=False))
    if state.is_one_left:
        flow.close_round(state, circle)


def put_in(state: State, fact: PutIn) -> None:
    """Chips and words."""
    state.refuse(Refusal.NOT_LIVE, detail="chips")


def all_check(state: State, circle: Memory) -> None:
    """Everybody who has still to speak checks, as far as that goes."""
    while (turn := circle.turn) is not None and state.phase.kind is Kind.DECIDING:
        speak(state, circle, Acted(at_us=0, action=Action.CHECK, seat=turn))
        if circle.entered is not None or (state.out[-1:] and not isinstance(state.out[-1], Spoke)):
            return


def least_of(circle: Memory, action: Action) -> int | None:
    """What a key without an amount means: the least bet or raise that is legal; the screen lets another be entered."""
    if action not in (Action.BET, Action.RAISE) or circle.rounds is None or circle.rounds.turn is None:
        return None
    return circle.rounds.legal().raise_from


def can_take_back(state: State) -> bool:
    """Whether the last action can still be corrected: nobody has acted and no card has come since."""
    circle = state.circle
    if circle is None or circle.rounds is None or not circle.takes_back or state.held:
        return False
    if state.phase.kind is Kind.DECIDING:
        return circle.rounds.can_undo
    return state.machine.refusal("take-back", state) is None and state.deal.next == 0 and not state.deal.waiting


def take_back(state: State, circle: Memory) -> None:
    """The croupier corrects his last entry, until the next one."""
    rounds = circle.rounds
    if rounds is None or not can_take_back(state):
        state.refuse(Refusal.NOTHING_TO_TAKE_BACK)
        return
    if state.phase.kind is not Kind.DECIDING:
        state.fire("take-back")
        circle.entered = None
        state.is_to_settle = False
        circle.won.clear()
        state.house_won = 0
    done = rounds.undo()
    if done.action is Action.FOLD:
        state.seats.unfold(done.seat)
    circle.takes_back = False
    state.say(TakenBack(seat=done.seat, action=done.action))


def legal_text(legal: Legal) -> str:
    """What the seat in turn may do, in words of a hand file: `check bet=200..5000` or `call=200 raise=400..5000`."""
    words: list[str] = []
    if legal.may_check:
        words.append("check")
    if legal.may_call:
        words.append("call" if legal.call is None else f"call={legal.call}")
    if legal.may_raise:
        name = "bet" if legal.is_bet else "raise"
        to = "" if legal.raise_to is None else str(legal.raise_to)
        words.append(name if legal.raise_from is None else f"{name}={legal.raise_from}..{to}")
    return " ".join(words)
