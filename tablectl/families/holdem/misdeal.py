"""Errors of the deal (THL-MIS, THL-CRE-2, THL-CRE-8, THL-PLE-11, -12): void before two actions, accepted afterwards.

`open-holdem` states none and takes these. What belongs to one idea is in a module of its own: `two_actions` the
deadline, `dealt_order`, `counts`, `without_cards`, `exposed`, `wrong_button` and `deck_faults` the errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from tablectl.core.engine.dealing import is_hole_plan
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, ask_first
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind, Part
from tablectl.core.engine.seat_said import one_seat
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy, Severity
from tablectl.families.holdem import (
    counts,
    dealt_order,
    deck_faults,
    exposed,
    two_actions,
    unreported,
    without_cards,
    wrong_button,
)
from tablectl.families.holdem.deadlines import TWO, actions
from tablectl.families.holdem.state import HoldemState
from tablectl.families.pots.hand_open import before_the_first_card, is_open

Answered = Callable[[HoldemState, Pending, str | int], None]

_MISDEAL: Final = "THL-MIS-0"
OTHERS_CARD: Final = "THL-MIS-3"
_CUT: Final = "THL-SHF-8"
_DECK: Final = "deck"


# --- the croupier says that it is a misdeal -------------------------------------------------------------------------


def _misdeal_outcome(state: HoldemState) -> Outcome:
    """THL-MIS-0: all cards are collected, and the hand begins anew."""
    return two_actions.judged(state, clause=_MISDEAL, expected="deal", observed=Declaration.MISDEAL)


def _misdeal(state: HoldemState, fact: Declared) -> None:
    if not _misdeal_applies(state):
        state.refuse(Refusal.NOT_LIVE, _MISDEAL)
    else:
        two_actions.carry_out(state, _misdeal_outcome(state))


def _misdeal_applies(state: HoldemState) -> bool:
    return is_open(state) and not _is_asked_whether_two_acted(state)


def _is_asked_whether_two_acted(state: HoldemState) -> bool:
    return any(pending.question is Question.TWO_ACTIONS for pending in state.asking)


# --- somebody saw another one's card ----------------------------------------------------------------------------------


def _others_card_applies(state: HoldemState) -> bool:
    return _misdeal_applies(state) and bool(state.deal.at) and state.phase.part is not Part.BUTTON


def _others_card_outcome(state: HoldemState, seats: tuple[int, ...] = ()) -> Outcome:
    """THL-MIS-3: he got it and saw it; not seen it is a wrong order (THL-MIS-1). His own card seen before the deal is
    over is no error (THL-DLG-5)."""
    return two_actions.judged(
        state, clause=OTHERS_CARD, expected="own-cards", observed=Declaration.OTHERS_CARD_SEEN, seats=seats
    )


def _others_card_seen(state: HoldemState, fact: Declared) -> None:
    if not _others_card_applies(state):
        state.refuse(Refusal.NO_CARD, OTHERS_CARD)
        return
    seat = one_seat(state, fact, state.order, OTHERS_CARD)
    if seat is not None:
        two_actions.carry_out(state, _others_card_outcome(state, (seat,)))


def others_card_matters(state: HoldemState) -> bool:
    """Whether it still decides that somebody saw another one's card: the hole cards lie there, and two have not acted
    yet."""
    return _others_card_applies(state) and is_hole_plan(state) and actions(state) != TWO


def _others_card_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """THL-MIS-3: a card that was carried to another seat was seen there; not seen it is carried back (THL-MIS-1)."""
    incident = pending.incident
    assert incident is not None, "it is asked about a card"
    if answer != "seen":
        ask_first(state, Question.MOVED, pending.about, incident)
    elif actions(state) is None:
        two_actions.ask_about(state, incident)
    else:
        two_actions.void(state, incident)


# --- before the first card --------------------------------------------------------------------------------------------


def _cut_applies(state: HoldemState) -> bool:
    """Until the first card; the draw for the button is no deal."""
    in_draw = state.phase.part is Part.BUTTON and not state.deal.draws
    is_before = state.phase.kind is Kind.IDLE or in_draw or before_the_first_card(state)
    return is_before and not any(pending.question is Question.RESHUFFLED for pending in state.asking)


def _cut_outcome(state: HoldemState) -> Outcome:
    """THL-SHF-8: the deck is shuffled again; blinds that are posted stay."""
    return Outcome(
        clause=_CUT,
        expected="unseen",
        observed=Declaration.CARD_SEEN_AT_CUT,
        remedies=(Remedy.RESHUFFLE,),
        chooser=Chooser.CROUPIER,
        severity=Severity.NOTICE,
    )


def _seen_at_cut(state: HoldemState, fact: Declared) -> None:
    if not _cut_applies(state):
        state.refuse(Refusal.NOT_LIVE, _CUT)
    else:
        ask(state, Question.RESHUFFLED, _DECK, raised(state, _cut_outcome(state)))


# --- tables -----------------------------------------------------------------------------------------------------------

_EXPOSED: Final = (Declaration.TURNED_WHILE_DEALT, Declaration.FALLEN_CARD)
RULES: Final[Mapping[Declaration, Rule[HoldemState]]] = {
    Declaration.FACE_UP_IN_SHOE: Rule(
        applies=exposed.face_up_applies,
        foretells=partial(exposed.foretold, what=Declaration.FACE_UP_IN_SHOE),
        does=exposed.declared,
        cards=exposed.face_up_cards,
    ),
    **{
        what: Rule(
            applies=exposed.applies,
            foretells=partial(exposed.foretold, what=what),
            does=exposed.declared,
            cards=exposed.cards,
        )
        for what in _EXPOSED
    },
    Declaration.WRONG_COUNT: Rule(
        applies=counts.applies,
        foretells=counts.foretold,
        does=unreported.wrong_count,
        cards=counts.extra_cards,
    ),
    Declaration.WRONG_ORDER: Rule(
        applies=dealt_order.applies, foretells=dealt_order.foretold, does=dealt_order.declared
    ),
    Declaration.OTHERS_CARD_SEEN: Rule(
        applies=_others_card_applies, foretells=_others_card_outcome, does=_others_card_seen
    ),
    Declaration.CARDS_TO_EMPTY_SEAT: Rule(
        applies=dealt_order.empty_applies, foretells=dealt_order.empty_foretold, does=dealt_order.empty_declared
    ),
    Declaration.WRONG_BUTTON: Rule(
        applies=wrong_button.applies, foretells=wrong_button.foretold, does=wrong_button.declared
    ),
    Declaration.MISDEAL: Rule(applies=_misdeal_applies, foretells=_misdeal_outcome, does=_misdeal),
    Declaration.CARD_SEEN_AT_CUT: Rule(applies=_cut_applies, foretells=_cut_outcome, does=_seen_at_cut),
}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[HoldemState], tuple[int, ...]]]] = {
    Declaration.WRONG_COUNT: counts.seats,
    Declaration.OTHERS_CARD_SEEN: lambda state: state.order,
    Declaration.CARDS_TO_EMPTY_SEAT: dealt_order.empty_seats,
    Declaration.WRONG_BUTTON: wrong_button.wrong_seats,
}
#: What follows from the answers to this module's questions.
ANSWERED: Final[Mapping[Question, Answered]] = {
    Question.TWO_ACTIONS: two_actions.said,
    Question.COUNT_CARDS: counts.cards_said,
    Question.COUNT_LAP: counts.lap_said,
    Question.RECONSTRUCTED: dealt_order.reconstructed_said,
}
#: Where it depends on the error that the question is about.
ANSWERED_ON: Final[Mapping[tuple[Question, str], Answered]] = {
    (Question.TWO_ACTIONS, dealt_order.ORDER): dealt_order.two_said,
    (Question.TWO_ACTIONS, counts.COUNT): counts.two_said,
    (Question.TWO_ACTIONS, without_cards.CLAUSE): without_cards.two_said,
    (Question.TWO_ACTIONS, deck_faults.CLAUSE): deck_faults.two_said,
    (Question.TWO_ACTIONS, wrong_button.CLAUSE): wrong_button.two_said,
    (Question.RECONSTRUCTED, counts.COUNT): counts.reconstructed_said,
    (Question.SEEN, OTHERS_CARD): _others_card_said,
    (Question.SEEN, counts.COUNT): counts.seen_said,
    (Question.SEEN, exposed.ONE): exposed.seen_said,
}
#: Where it depends on the error that he rules on.
RULED_ON: Final[Mapping[tuple[Remedy, str], Callable[[HoldemState, Incident], None]]] = {
    (Remedy.LOSE_BETS, without_cards.CLAUSE): without_cards.ruled_lost,
    (Remedy.REFUND_BETS, without_cards.CLAUSE): without_cards.ruled_returned,
    (Remedy.BURN_IT_INSTEAD, exposed.ONE): exposed.shown_by_ruling,
    (Remedy.SHOW_TO_ALL, exposed.ONE): exposed.shown_by_ruling,
    (Remedy.DISCARD, exposed.BOXED): exposed.discarded_by_ruling,
}
