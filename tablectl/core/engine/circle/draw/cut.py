"""The cut before the deal: it was not offered (FCD-IRR-1), or a card was seen at it (FCD-IRR-2)."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.circle.deal_errors.two_actions import before_the_first_card, is_open
from tablectl.core.engine.circle.draw import cases
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.errors.outcome import Outcome, raised
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Chooser, Declaration, Question, Refusal, Remedy, Severity

_DECK: Final = "deck"


def is_to_be_offered(state: State, circle: Memory) -> bool:
    """FCD-IRR-1, AMB-86: a deck that is shuffled by hand is offered to be cut, once the antes are due."""
    if not state.is_draw or state.phase.name != "antes" or circle.positions is None:
        return False
    return state.rulebook.errors.shuffle_first is None and not circle.draw.hand.is_cut


def anew(state: State, circle: Memory) -> None:
    """The deck was shuffled again, or it is another one, before the antes lie there: it is offered once more."""
    if state.phase.kind is Kind.BETTING:
        circle.draw.hand.is_cut = False


def follow(state: State, circle: Memory) -> None:
    """FCD-IRR-1: the first card of a hand is dealt, and the deck was not offered. It is told once, and play goes on; a
    shoe that shuffles stands in for the cut (AMB-86)."""
    hand = circle.draw.hand
    if hand.is_cut or cases.NO_CUT in hand.cases or state.rulebook.errors.shuffle_first is not None:
        return
    if is_open(state) and circle.rounds is not None and state.deal.at:
        cases.noticed(
            state,
            circle,
            Outcome(
                clause=cases.NO_CUT,
                expected="cut",
                observed="card",
                remedies=(Remedy.REDEAL_ON_DEMAND,),
                severity=Severity.NOTICE,
            ),
        )


# --- a card was seen ------------------------------------------------------------------------------------------------


def seen_applies(state: State) -> bool:
    """Until the first card the deck is shuffled again; afterwards a new deal can be demanded, until that is over."""
    circle = state.circle
    assert circle is not None
    if _is_before(state):
        return not any(each.question is Question.RESHUFFLED for each in state.asking)
    stands = cases.SEEN_AT_CUT in circle.draw.hand.cases
    return is_open(state) and not stands and not cases.is_over(state, cases.SEEN_AT_CUT)


def _is_before(state: State) -> bool:
    """Between hands too: a deck is cut once, and whoever saw the card saw it for the hand to come."""
    return state.phase.kind is Kind.IDLE or before_the_first_card(state)


def seen_outcome(state: State) -> Outcome:
    """What follows now from a card that was seen at the cut."""
    is_before = _is_before(state)
    return Outcome(
        clause=cases.SEEN_AT_CUT,
        expected="unseen",
        observed=Declaration.CARD_SEEN_AT_CUT,
        remedies=(Remedy.RESHUFFLE if is_before else Remedy.REDEAL_ON_DEMAND,),
        chooser=Chooser.CROUPIER if is_before else Chooser.RULE,
        severity=Severity.NOTICE if is_before else Severity.ALERT,
    )


def seen(state: State, fact: Declared) -> None:
    """FCD-IRR-2: a card was seen when the deck was cut."""
    circle = state.circle
    assert circle is not None
    if not seen_applies(state):
        state.refuse(Refusal.NOT_OFFERED, cases.SEEN_AT_CUT)
    elif _is_before(state):
        cut_again = raised(state, seen_outcome(state))
        anew(state, circle)
        ask(state, Question.RESHUFFLED, _DECK, cut_again)
    else:
        cases.noticed(state, circle, seen_outcome(state))
