"""What a player does in a betting round, once it is known what it is: judged, carried out, and the round closed."""

from __future__ import annotations

from dataclasses import replace

from tablectl.core.engine.circle import flow
from tablectl.core.engine.circle.betting.moves import Done, Wrong
from tablectl.core.engine.circle.draw import openings
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.circle.speech import legality
from tablectl.core.engine.circle.speech.chips_in import meaning
from tablectl.core.engine.decisions import Spoke
from tablectl.core.engine.errors.outcome import Outcome, carried_out
from tablectl.core.engine.facts import PutIn
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Action, Refusal, Severity
from tablectl.core.options.pots import OutOfTurn


def speak(state: State, circle: Memory, action: Action, to: int | None = None, *, is_all_in: bool = False) -> bool:
    """The seat in turn does this, if it may (THL-RD1-2 to -6, THO-ACT-1 to -6); True where it was done. An action that
    is not legal changes nothing (THO-RND-3)."""
    done = _judged(state, circle, action, to, is_all_in=is_all_in)
    if done is None:
        return False
    _carry_out(state, circle, done, down(circle) if circle.frozen and done.action is Action.FOLD else 0)
    return True


def put_in(state: State, circle: Memory, fact: PutIn) -> bool:
    """Chips of the seat in turn crossed the line (THL-GEN-2): what they amount to is done; True where it was.

    Where the rules make something else of them than what was put in, a notice names the clause and what it does.
    """
    rounds, rules = circle.rounds, state.rulebook.circle
    assert rounds is not None
    assert rules is not None
    lying = down(circle)
    whole = replace(fact, chips=fact.chips + lying) if fact.chips > 0 or fact.said is Action.FOLD else fact
    found = meaning(rounds, rules.house, whole)
    if isinstance(found, Wrong):
        legality.refuse(state, rounds, fact.said or Action.BET, found)
        return False
    done = _judged(state, circle, found.action, found.to, is_all_in=False)
    if done is None:
        return False
    if found.departs is not None:
        carried_out(
            state,
            Outcome(
                clause=found.departs.clause,
                expected=legality.legal_text(rounds.legal()).replace(" ", "|"),
                observed="chips",
                remedies=(found.departs.remedy,),
                severity=Severity.NOTICE,
                seats=(done.seat,),
            ),
        )
    _carry_out(state, circle, done, found.lost)
    return True


def fold(state: State, circle: Memory) -> None:
    """The seat in turn is out, as it must be; chips that it had put in stay (THL-PLE-5)."""
    rounds = circle.rounds
    assert rounds is not None
    done = rounds.judged(Action.FOLD)
    assert isinstance(done, Done), "to fold is always legal"
    _carry_out(state, circle, done, down(circle))


def _judged(state: State, circle: Memory, action: Action, to: int | None, *, is_all_in: bool) -> Done | None:
    """What it comes to; None where it is refused."""
    rounds = circle.rounds
    assert rounds is not None
    judged = rounds.judged(action, to, is_all_in=is_all_in)
    if not isinstance(judged, Done):
        legality.refuse(state, rounds, action, judged)
        return None
    if not chips_stay(state, circle, judged):
        legal = legality.legal_text(rounds.legal())
        state.refuse(Refusal.ILLEGAL_ACTION, "THL-PLE-7", f"{judged.action} {legal}")
        return None
    return judged if not state.is_draw or openings.stands(state, circle, judged) else None


def _carry_out(state: State, circle: Memory, done: Done, lost: int) -> None:
    rounds = circle.rounds
    assert rounds is not None
    if lost:
        # THL-PLE-5, THL-PLE-7, AMB-26: the chips that he had put in stay where they are.
        done = rounds.fold_with(lost)
    else:
        rounds.carry_out(done)
    said(state, circle, done)


def said(state: State, circle: Memory, done: Done) -> None:
    """The action is done in the round: say so, and close the round where it was the last one (THL-END-1, THL-END-2)."""
    rounds = circle.rounds
    assert rounds is not None
    circle.chosen, circle.is_all_in = None, False
    circle.behind = ()
    if done.seat in circle.frozen:
        circle.frozen = {seat: chips for seat, chips in circle.frozen.items() if seat != done.seat}
    if circle.stored and done.action in (Action.BET, Action.RAISE):
        circle.stored = {seat: waiting.after_a_raise() for seat, waiting in circle.stored.items()}
    state.out.append(Spoke(seat=done.seat, action=done.action, to=done.to, added=done.added, is_all_in=done.is_all_in))
    if done.action is Action.FOLD:
        state.seats.fold(done.seat)
    if state.is_draw:
        openings.opened(circle, done)
    if rounds.turn is None or state.is_one_left:
        flow.close_round(state, circle)


def down(circle: Memory) -> int:
    """What the seat in turn has put in already and cannot take back: chips of an action out of turn (THL-PLE-7)."""
    rounds = circle.rounds
    assert rounds is not None
    seat = rounds.turn
    frozen = circle.frozen.get(seat) if seat is not None else None
    if seat is None or frozen is None:
        return 0
    return frozen - (rounds.stake(seat) or 0)


def can(state: State, circle: Memory, action: Action) -> bool:
    """Whether the seat in turn can do this as it is: fold, check, or call; chips that it has put in out of turn stay
    where they are (THL-PLE-7)."""
    rounds = circle.rounds
    done = rounds.judged(action) if rounds is not None else None
    return isinstance(done, Done) and chips_stay(state, circle, done)


def chips_stay(state: State, circle: Memory, done: Done) -> bool:
    """THL-PLE-7: who bet out of turn and met a raise calls or raises and takes no chips back; whether he may fold
    without them is the house's choice (AMB-26). False where he may not do this.

    Where a raise of the chips that lie there would be legal, a call for less would take some of them back.
    """
    rounds, rules = circle.rounds, state.rulebook.circle
    assert rounds is not None
    assert rules is not None
    if done.seat not in circle.frozen:
        return True
    frozen, legal = circle.frozen[done.seat], rounds.legal()
    if done.action is Action.FOLD:
        return rules.house.out_of_turn is OutOfTurn.MAY_FOLD
    if frozen is None or done.to is None or done.to >= frozen:
        return True
    is_above = legal.raise_to is not None and frozen > legal.raise_to
    return not legal.may_raise or is_above or (legal.raise_from or 0) > frozen


def least_chips(circle: Memory) -> int:
    """The least chips of the seat in turn that are a call or, where nobody has bet, a bet."""
    rounds = circle.rounds
    assert rounds is not None
    assert rounds.turn is not None
    legal, stake = rounds.legal(), rounds.stake(rounds.turn) or 0
    return legal.call if legal.call is not None else max((legal.raise_from or 0) - stake, 0)


def least_of(circle: Memory, action: Action) -> int | None:
    """What a key without an amount means: the least bet or raise that is legal, of the chips that lie there at least;
    the screen lets another be entered."""
    rounds = circle.rounds
    if action not in (Action.BET, Action.RAISE) or rounds is None or rounds.turn is None:
        return None
    least, frozen = rounds.legal().raise_from, circle.frozen.get(rounds.turn)
    return least if least is None or frozen is None else max(least, frozen)
