"""Cards that went to the wrong place: hole cards out of order, a common card laid down as a burn."""

from __future__ import annotations

from dataclasses import replace

from tablectl.core.engine import one_order
from tablectl.core.engine.clauses import Exposure, Policy
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, close, void_hand
from tablectl.core.engine.outcome import carried_out, question_about, raised
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.slots import BOARD, Slot
from tablectl.core.engine.vocabulary import Chooser, Question, Refusal, Remedy, Severity
from tablectl.families.banked.state import BankedState
from tablectl.families.banked.windows import anybody_decided, hole_deal

_BOARD = BOARD[0].spot


# --- hole cards -----------------------------------------------------------------------------------------------------


def wrong_order_applies(state: BankedState) -> bool:
    """Whether hole cards can have been dealt in the wrong order: some lie there, the settlement is not confirmed, it is
    not asked about already, and the house does not simply accept it."""
    rules = state.rulebook.errors
    if rules.wrong_order_policy is Policy.ACCEPT or question_about(state, state.deal.last) is not None:
        return False
    if one_order.asked(state, rules.wrong_order) is not None:
        return False
    is_open = state.phase.kind in IN_HAND or (state.phase.kind is Kind.SETTLING and not state.is_to_settle)
    return is_open and any(slot.seat is not None for slot in state.deal.at)


def wrong_order_outcome(state: BankedState) -> Outcome:
    """TPC-MIS-1: the hand is void, however they could be told apart. THB-DEV-7, AMB-55: the document is silent; unseen
    they are put right, seen the pit boss decides. What is found late, after another card or a decision, the pit boss
    decides in both games: there is no deadline until the settlement is confirmed, and void is proposed."""
    rules = state.rulebook.errors
    if not hole_deal(state):
        return _of_order(rules.wrong_order, (Remedy.VOID_HAND, Remedy.CONTINUE), Chooser.PIT_BOSS)
    if rules.wrong_order_policy is Policy.VOID:
        return _of_order(rules.wrong_order, (Remedy.VOID_HAND,), Chooser.RULE)
    return _of_order(rules.wrong_order, (Remedy.CORRECT,), Chooser.CROUPIER)


def _of_order(clause: str, remedies: tuple[Remedy, ...], chooser: Chooser) -> Outcome:
    return Outcome(clause=clause, expected="order", observed="wrong-order", remedies=remedies, chooser=chooser)


def wrong_order(state: BankedState, fact: Declared) -> None:
    """The players did not get their cards in order. Who is concerned may be said: between two hands that are folded or
    returned it changes nothing."""
    rules = state.rulebook.errors
    if not wrong_order_applies(state):
        state.refuse(_why_not(state), rules.wrong_order)
        return
    seats = [seat for spot in (fact.spot, fact.other) if spot is not None and (seat := seat_of(spot)) is not None]
    if len(seats) == 2 and not {*state.staying, *state.rulebook.shows(state)} & {*seats}:
        outcome = _of_order(rules.wrong_order, (Remedy.CONTINUE,), Chooser.RULE)
        carried_out(state, replace(outcome, severity=Severity.NOTICE, seats=tuple(seats)))
        return
    outcome = wrong_order_outcome(state)
    if rules.wrong_order_policy is Policy.VOID and _is_at_an_empty_seat(state, seats) and _is_flop_of_one(state):
        outcome = _of_order(rules.wrong_order, (Remedy.VOID_HAND,), Chooser.RULE)
    incident = carried_out(state, outcome)
    if incident.chooser is Chooser.CROUPIER:
        ask(state, Question.SEEN, "moved-cards", incident)


def _why_not(state: BankedState) -> Refusal:
    rules = state.rulebook.errors
    if one_order.asked(state, rules.wrong_order) is not None:
        return Refusal.CARD_KNOWN
    return Refusal.NOT_LIVE if rules.wrong_order_policy is Policy.ACCEPT else Refusal.NO_CARD


def _is_at_an_empty_seat(state: BankedState, seats: list[int]) -> bool:
    """AMB-16: whether one of those who are named does not play: a card to his seat is one more than the plan has."""
    return any(seat not in state.seats for seat in seats)


def _is_flop_of_one(state: BankedState) -> bool:
    """AMB-12: whether the card drawn last, which was taken for the first one of the flop, can be the last of the deal:
    then nothing has followed it."""
    last = state.deal.last
    is_first = last is not None and last.slot is BOARD[0] and not state.deal.waiting
    return is_first and not anybody_decided(state)


def voids(state: BankedState, incident: Incident) -> bool:
    """TPC-MIS-1: a card of a player that was seen at another hand voids the hand, where the rulebook voids for the
    order. False where it is another error."""
    rules = state.rulebook.errors
    if incident.clause != rules.wrong_order or rules.wrong_order_policy is not Policy.VOID:
        return False
    close(state, incident, Remedy.VOID_HAND, Chooser.CROUPIER)
    void_hand(state, rules.wrong_order)
    return True


def seen_late(state: BankedState, draw: Draw, slot: Slot, spot: str) -> None:
    """Antennas see after the deal that a card was not dealt to its own place: the pit boss, void proposed."""
    rules = state.rulebook.errors
    accepts = rules.wrong_order_policy is Policy.ACCEPT
    outcome = _of_order(rules.wrong_order, (Remedy.VOID_HAND, Remedy.CONTINUE), Chooser.PIT_BOSS)
    if accepts:
        outcome = replace(_of_order(rules.wrong_order, (Remedy.CONTINUE,), Chooser.RULE), severity=Severity.NOTICE)
    outcome = replace(outcome, expected=slot.name, observed=spot, draw=draw)
    if not one_order.is_told(state, outcome):
        carried_out(state, *one_order.with_the_others(state, outcome))


# --- a burn that nobody asked for -----------------------------------------------------------------------------------


def burnt_applies(state: BankedState) -> bool:
    """Whether the card drawn last can have been laid down as a burn where none is due (AMB-56, AMB-81)."""
    last = state.deal.last
    return _clause(state, last) is not None and state.phase.kind in IN_HAND


def burnt_outcome(state: BankedState) -> Outcome:
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


def burnt(state: BankedState, fact: Declared) -> None:
    """The card drawn last lies face down as a burn; it belongs to the place where it would have gone."""
    if not burnt_applies(state):
        state.refuse(Refusal.NO_CARD, state.rulebook.errors.early.clause)
        return
    outcome = burnt_outcome(state)
    assert outcome.draw is not None, "it is about a card"
    assert outcome.draw.slot is not None, "that lies somewhere"
    if outcome.chooser is Chooser.RULE:
        carried_out(state, outcome)
        ask(state, Question.MOVED, outcome.draw.slot.name)
    else:
        ask(state, Question.SEEN, "last-card", raised(state, outcome))


def _clause(state: BankedState, last: Draw | None) -> str | None:
    """Of the phase that dealt the last card, where it went to the board and the layout has no burn there."""
    deal = state.deal
    if last is None or last.slot is None or last.slot.spot != _BOARD or deal.waiting:
        return None
    if deal.next == 0 or deal.plan[deal.next - 1] is not last.slot:
        return None
    if state.phase.kind is Kind.DEALING:
        return state.phase.burnt
    dealt = (phase for phase in state.rulebook.phases.values() if phase.plan is not None)
    return next((phase.burnt for phase in dealt if phase.plan and last.slot in phase.plan(state.order)), None)
