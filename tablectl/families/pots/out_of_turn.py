"""Actions of a seat that has not the turn (THL-PLE-6, THL-PLE-7, AMB-26, THO-RND-2).

The croupier is asked whether it was so. If it was, a fold is final at once; everything else binds and is carried out by
itself when the seat's turn comes. After a bet or a raise made meanwhile it binds no more: who put chips in calls or
raises and leaves them where they are (or folds without them, as the house has it), a check lapses. Two who act after a
seat that was passed over end that seat's right to act (THL-PLE-13, see `skipped`).
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.decisions import Stored, TakenBack
from tablectl.core.engine.facts import Acted, PutIn
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Action, Chooser, Question, Refusal, Remedy, Severity
from tablectl.families.pots import correction, legality, speaking
from tablectl.families.pots.betting.legal import Reason, Wrong
from tablectl.families.pots.betting.rounds import Rounds
from tablectl.families.pots.state import PotGameState, Waiting

#: Actions whose amount is said.
_WITH_CHIPS: Final = (Action.BET, Action.RAISE, Action.ALL_IN)


def offer(state: PotGameState, fact: Acted | PutIn) -> None:
    """An entry for another seat than the one in turn: the croupier says whether that is what happened."""
    rounds, seat = state.rounds, fact.seat
    assert rounds is not None
    assert seat is not None
    if rounds.is_all_in(seat):
        # THL-END-3, THO-ALL-2: he has nothing to say any more.
        state.refuse(Refusal.ILLEGAL_ACTION, state.rulebook.clauses.all_in_stays, f"seat-{seat} all-in")
        return
    if seat in state.stored:
        state.refuse(Refusal.NOT_IN_TURN, "THL-PLE-6", f"stored=seat-{seat}")
        return
    wrong = _impossible(rounds, fact, seat)
    if wrong is not None:
        legality.refuse(state, rounds, _looks_like(state, rounds, fact, seat)[0], wrong)
        return
    state.chosen, state.is_all_in, state.offered = None, False, fact
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
    chosen = fact.said_to if isinstance(fact, PutIn) else fact.to if fact.action is not Action.ALL_IN else None
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
    if stack is not None and to > stake + stack:
        return Wrong(reason=Reason.ABOVE_STACK, limit=stake + stack)
    if chosen is not None and rounds.rules.in_chips(chosen) != chosen != stake + (stack or 0):
        return Wrong(reason=Reason.NOT_IN_CHIPS, limit=chosen)
    return None


def confirmed(state: PotGameState, incident: Incident) -> None:
    """It was so, and binds (THL-PLE-6): a fold is final at once (AMB-26), anything else waits for the turn."""
    fact, state.offered = state.offered, None
    assert fact is not None, "it is asked about an entry"
    assert fact.seat is not None, "an entry out of turn names its seat"
    close(state, incident, Remedy.BIND, Chooser.CROUPIER)
    rounds, seat = state.rounds, fact.seat
    if rounds is None or state.phase.kind is not Kind.DECIDING or seat not in state.staying or seat == rounds.turn:
        # Something else happened before he answered, and it cannot be out of turn any more.
        return
    state.entry = correction.before(state)
    acted_after = (*state.acted_after, seat)
    if _looks_like(state, rounds, fact, seat)[0] is Action.FOLD:
        speaking.said(state, rounds.fold_out_of_turn(seat))
    else:
        store(state, fact, seat)
    state.acted_after = acted_after


def store(state: PotGameState, fact: Acted | PutIn, seat: int) -> None:
    """It waits for its seat's turn."""
    rounds = state.rounds
    assert rounds is not None
    action, to = _looks_like(state, rounds, fact, seat)
    state.stored = {**state.stored, seat: Waiting(fact=fact, action=action, to=to)}
    state.say(Stored(seat=seat, action=action, to=to))


def _looks_like(state: PotGameState, rounds: Rounds, fact: Acted | PutIn, seat: int) -> tuple[Action, int | None]:
    """What it would be if it were the seat's turn now, and its whole stake; what it is shows when the turn comes."""
    high, stake, stack = rounds.high, rounds.stake(seat), rounds.stack(seat)
    if high is None or stake is None:
        return fact.action if isinstance(fact, Acted) else fact.said or Action.BET, None
    # Who acts after a bet out of turn acts upon it.
    high = max(high, *(stored.to or 0 for stored in state.stored.values()), 0)
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


def follow(state: PotGameState) -> None:
    """The turn has come to seats that acted before it: what they did is done now, one after the other."""
    rounds = state.rounds
    while rounds is not None and state.phase.kind is Kind.DECIDING and not state.held:
        seat = rounds.turn
        if seat is None or seat not in state.stored:
            return
        # Who acted after this one's bet knew of it: it does not release him.
        order = list(state.stored)
        knew = {other: state.stored[other] for other in order[order.index(seat) + 1 :]}
        waiting = state.stored[seat]
        state.stored = {other: action for other, action in state.stored.items() if other != seat}
        if waiting.is_raised:
            _released(state, waiting, seat)
        elif not _carried_out(state, waiting.fact):
            state.say(TakenBack(seat=seat, action=waiting.action))
        state.stored = {other: knew.get(other, action) for other, action in state.stored.items()}


def _carried_out(state: PotGameState, fact: Acted | PutIn) -> bool:
    if isinstance(fact, PutIn):
        return speaking.put_in(state, fact)
    rounds, action = state.rounds, fact.action
    assert rounds is not None
    if action is Action.CALL and rounds.legal().may_check:
        # He goes along for no more than lies there, and there is nothing to add: he may not raise now (THL-PLE-6).
        action = Action.CHECK
    to = fact.to if fact.to is not None or not state.amounts else speaking.least_of(state, action)
    return speaking.speak(state, action, to, is_all_in=fact.is_all_in)


def _released(state: PotGameState, waiting: Waiting, seat: int) -> None:
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
        state.frozen = {**state.frozen, seat: waiting.to}
