"""Cards that went to the wrong place: hole cards out of order, a common card laid down as a burn."""

from __future__ import annotations

from tablectl.core.engine.clauses import Exposure, Policy
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.errors.outcome import Outcome, carried_out, raised
from tablectl.core.engine.errors.windows import hole_deal
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import BOARD
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Chooser, Question, Refusal, Remedy, Severity

_BOARD = BOARD[0].spot


# --- hole cards -----------------------------------------------------------------------------------------------------


def wrong_order_applies(state: State) -> bool:
    """Whether hole cards can have been dealt in the wrong order: they are being dealt, and the house does not simply
    accept it."""
    last = state.deal.last
    policy = state.rulebook.errors.wrong_order_policy
    return last is not None and last.slot is not None and hole_deal(state) and policy is not Policy.ACCEPT


def wrong_order_outcome(state: State) -> Outcome:
    """TPC-MIS-1: the hand is void, however they could be told apart. THB-DEV-7, AMB-55: the document is silent; unseen
    they are put right, seen the pit boss decides."""
    rules = state.rulebook.errors
    voids = rules.wrong_order_policy is Policy.VOID
    return Outcome(
        clause=rules.wrong_order,
        expected="order",
        observed="wrong-order",
        remedies=(Remedy.VOID_HAND if voids else Remedy.CORRECT,),
        chooser=Chooser.RULE if voids else Chooser.CROUPIER,
    )


def wrong_order(state: State, fact: Declared) -> None:
    """The players did not get their cards in order."""
    rules, last = state.rulebook.errors, state.deal.last
    if last is None or last.slot is None or not hole_deal(state):
        state.refuse(Refusal.NO_CARD, rules.wrong_order)
    elif not wrong_order_applies(state):
        state.refuse(Refusal.NOT_LIVE, rules.wrong_order)
    else:
        incident = carried_out(state, wrong_order_outcome(state))
        if incident.chooser is Chooser.CROUPIER:
            ask(state, Question.SEEN, "moved-cards", incident)


# --- a burn that nobody asked for -----------------------------------------------------------------------------------


def burnt_applies(state: State) -> bool:
    """Whether the card drawn last can have been laid down as a burn where none is due (AMB-56, AMB-81)."""
    last = state.deal.last
    return _clause(state, last) is not None and state.phase.kind in IN_HAND


def burnt_outcome(state: State) -> Outcome:
    """TPC-DEV-7, TPC-DEV-17: a card drawn by error. Not seen it is the next card; seen the pit boss decides, unless
    every decision has been made."""
    last = state.deal.last
    clause = _clause(state, last)
    assert last is not None, "a clause is found for a card only"
    assert last.slot is not None, "and for one that lies somewhere"
    assert clause is not None, "it applies"
    return Outcome(
        clause=clause,
        expected=last.slot.name,
        observed="burn",
        remedies=(Remedy.NEXT_CARD,),
        chooser=Chooser.RULE if state.phase.exposure is Exposure.AFTER else Chooser.CROUPIER,
        severity=Severity.NOTICE,
        draw=last,
    )


def burnt(state: State, fact: Declared) -> None:
    """The card drawn last lies face down as a burn; it belongs to the place where it would have gone."""
    if not burnt_applies(state):
        state.refuse(Refusal.NO_CARD, state.rulebook.banked.early.clause)
        return
    outcome = burnt_outcome(state)
    assert outcome.draw is not None, "it is about a card"
    assert outcome.draw.slot is not None, "that lies somewhere"
    if outcome.chooser is Chooser.RULE:
        carried_out(state, outcome)
        ask(state, Question.MOVED, outcome.draw.slot.name)
    else:
        ask(state, Question.SEEN, "last-card", raised(state, outcome))


def _clause(state: State, last: Draw | None) -> str | None:
    """Of the phase that dealt the last card, where it went to the board and the layout has no burn there."""
    deal = state.deal
    if last is None or last.slot is None or last.slot.spot != _BOARD or deal.waiting:
        return None
    if deal.next == 0 or deal.plan[deal.next - 1] is not last.slot:
        return None
    if state.phase.kind is Kind.DEALING:
        return state.phase.burnt
    dealt = (each for each in state.rulebook.phases.values() if each.plan is not None)
    return next((each.burnt for each in dealt if each.plan and last.slot in each.plan(state.order)), None)
