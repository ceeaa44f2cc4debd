"""Actions of a seat that has not the turn (THL-PLE-6, THL-PLE-7, AMB-26, THO-RND-2).

The croupier is asked whether it was so. If it was, a fold is final at once; everything else binds and is carried out by
itself when the seat's turn comes. Behind a bet or a raise made meanwhile it binds no more: who put chips in calls or
raises and leaves them where they are (or folds without them, as the house has it), a check lapses. Two who act behind a
seat that was passed over end that seat's right to act (THL-PLE-13, see `skipped`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tablectl.core.engine.circle.betting.moves import Reason, Wrong
from tablectl.core.engine.circle.betting.rounds import Rounds
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.circle.speech import correction, legality, speaking
from tablectl.core.engine.decisions import Stored, TakenBack
from tablectl.core.engine.errors.outcome import Outcome, carried_out, raised
from tablectl.core.engine.facts import Acted, PutIn
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import Incident, State
from tablectl.core.engine.words import Action, Chooser, Question, Refusal, Remedy, Severity

#: Actions whose amount is said.
_WITH_CHIPS: Final = (Action.BET, Action.RAISE, Action.ALL_IN)


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """An action out of turn: what was entered, what it looked like, and whether somebody bet or raised since."""

    fact: Acted | PutIn
    action: Action
    #: the whole stake of the seat with its chips; None where it is not known
    to: int | None
    is_raised: bool = False

    def after_a_raise(self) -> Waiting:
        """It binds no more as it is (THL-PLE-7)."""
        return replace(self, is_raised=True)


def offer(state: State, circle: Memory, fact: Acted | PutIn) -> None:
    """An entry for another seat than the one in turn: the croupier says whether that is what happened."""
    rounds, seat = circle.rounds, fact.seat
    assert rounds is not None
    assert seat is not None
    assert state.rulebook.circle is not None
    if rounds.is_all_in(seat):
        # THL-END-3, THO-ALL-2: he has nothing to say any more.
        state.refuse(Refusal.ILLEGAL_ACTION, state.rulebook.circle.clauses.all_in_stays, f"seat-{seat} all-in")
        return
    if seat in circle.stored:
        state.refuse(Refusal.NOT_IN_TURN, "THL-PLE-6", f"stored=seat-{seat}")
        return
    wrong = _impossible(rounds, fact, seat)
    if wrong is not None:
        legality.refuse(state, rounds, _looks_like(circle, rounds, fact, seat)[0], wrong)
        return
    circle.chosen, circle.is_all_in, circle.offered = None, False, fact
    incident = raised(
        state,
        Outcome(
            clause="THL-PLE-6",
            expected=f"turn-seat-{rounds.turn}",
            observed=f"out-of-turn-seat-{seat}",
            remedies=(Remedy.BIND,),
            chooser=Chooser.CROUPIER,
            severity=Severity.NOTICE,
            seats=(seat,),
        ),
    )
    ask(state, Question.OUT_OF_TURN, f"seat-{seat}", incident)


def _impossible(rounds: Rounds, fact: Acted | PutIn, seat: int) -> Wrong | None:
    """What no turn will make legal: an amount where none is entered, no amount at all, chips that he has not."""
    stake, stack = rounds.stake(seat), rounds.stack(seat)
    if stake is None:
        if isinstance(fact, PutIn) or fact.to is not None:
            return Wrong(reason=Reason.AMOUNT_NOT_ENTERED)
        return Wrong(reason=Reason.CALL_OR_RAISE) if fact.action is Action.ALL_IN else None
    if isinstance(fact, PutIn):
        to = stake + fact.chips
        if fact.chips < 0 or (not fact.chips and fact.said is None):
            return Wrong(reason=Reason.NO_AMOUNT)
    else:
        to = fact.to if fact.to is not None and fact.action in _WITH_CHIPS else stake
        if fact.to is not None and fact.action in _WITH_CHIPS and to <= stake:
            return Wrong(reason=Reason.NO_AMOUNT)
    return Wrong(reason=Reason.ABOVE_STACK, limit=stake + stack) if stack is not None and to > stake + stack else None


def confirmed(state: State, circle: Memory, incident: Incident) -> None:
    """It was so, and binds (THL-PLE-6): a fold is final at once (AMB-26), anything else waits for the turn."""
    fact, circle.offered = circle.offered, None
    assert fact is not None, "it is asked about an entry"
    assert fact.seat is not None, "an entry out of turn names its seat"
    close(state, incident, Remedy.BIND, Chooser.CROUPIER)
    rounds, seat = circle.rounds, fact.seat
    if rounds is None or state.phase.kind is not Kind.DECIDING or seat not in state.staying or seat == rounds.turn:
        # Something else happened before he answered, and it cannot be out of turn any more.
        return
    circle.entry = correction.before(state, circle)
    behind = (*circle.behind, seat)
    if _looks_like(circle, rounds, fact, seat)[0] is Action.FOLD:
        speaking.said(state, circle, rounds.fold_out_of_turn(seat))
    else:
        store(state, circle, fact, seat)
    circle.behind = behind


def store(state: State, circle: Memory, fact: Acted | PutIn, seat: int) -> None:
    """It waits for its seat's turn."""
    rounds = circle.rounds
    assert rounds is not None
    action, to = _looks_like(circle, rounds, fact, seat)
    circle.stored = {**circle.stored, seat: Waiting(fact=fact, action=action, to=to)}
    state.say(Stored(seat=seat, action=action, to=to))


def _looks_like(circle: Memory, rounds: Rounds, fact: Acted | PutIn, seat: int) -> tuple[Action, int | None]:
    """What it would be if it were the seat's turn now, and its whole stake; what it is shows when the turn comes."""
    high, stake, stack = rounds.high, rounds.stake(seat), rounds.stack(seat)
    if high is None or stake is None:
        return fact.action if isinstance(fact, Acted) else fact.said or Action.BET, None
    # Who acts behind a bet out of turn acts upon it.
    high = max(high, *(each.to or 0 for each in circle.stored.values()), 0)
    to: int | None
    if isinstance(fact, Acted):
        action, to = fact.action, fact.to
    else:
        to = fact.said_to if fact.said_to is not None else stake + fact.chips if fact.chips else None
        action = fact.said or _by_the_chips(high, stake + fact.chips, is_single=fact.is_single)
    if action is Action.CALL:
        to = high
    elif action in (Action.CHECK, Action.FOLD):
        to = None
    elif action is Action.ALL_IN and stack is not None:
        to = stake + stack
    return action, to if to is None or stack is None else min(to, stake + stack)


def _by_the_chips(high: int, total: int, *, is_single: bool) -> Action:
    if not high:
        return Action.BET
    return Action.CALL if total <= high or is_single else Action.RAISE


def follow(state: State, circle: Memory) -> None:
    """The turn has come to seats that acted before it: what they did is done now, one after the other."""
    rounds = circle.rounds
    while rounds is not None and state.phase.kind is Kind.DECIDING and not state.held:
        seat = rounds.turn
        if seat is None or seat not in circle.stored:
            return
        # Who acted behind this one's bet knew of it: it does not release him.
        order = list(circle.stored)
        knew = {other: circle.stored[other] for other in order[order.index(seat) + 1 :]}
        waiting = circle.stored[seat]
        circle.stored = {other: each for other, each in circle.stored.items() if other != seat}
        if waiting.is_raised:
            _released(state, circle, waiting, seat)
        elif not _carried_out(state, circle, waiting.fact):
            state.say(TakenBack(seat=seat, action=waiting.action))
        circle.stored = {other: knew.get(other, each) for other, each in circle.stored.items()}


def _carried_out(state: State, circle: Memory, fact: Acted | PutIn) -> bool:
    if isinstance(fact, PutIn):
        return speaking.put_in(state, circle, fact)
    rounds, action = circle.rounds, fact.action
    assert rounds is not None
    if action is Action.CALL and rounds.legal().may_check:
        # He goes along for no more than lies there, and there is nothing to add: he may not raise now (THL-PLE-6).
        action = Action.CHECK
    to = fact.to if fact.to is not None or not state.amounts else speaking.least_of(circle, action)
    return speaking.speak(state, circle, action, to, is_all_in=fact.is_all_in)


def _released(state: State, circle: Memory, waiting: Waiting, seat: int) -> None:
    """THL-PLE-7: somebody bet or raised before his turn, so he speaks anew; his chips stay. A check lapses (AMB-26)."""
    carried_out(
        state,
        Outcome(
            clause="THL-PLE-7",
            expected=str(waiting.action),
            observed="raised",
            remedies=(Remedy.CHOOSE_AGAIN,),
            severity=Severity.NOTICE,
            seats=(seat,),
        ),
    )
    state.say(TakenBack(seat=seat, action=waiting.action))
    if waiting.action is not Action.CHECK:
        circle.frozen = {**circle.frozen, seat: waiting.to}
