"""The cut before the deal: it was not offered (FCD-IRR-1), or a card was seen at it (FCD-IRR-2)."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind, Part
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy, Severity
from tablectl.families.draw import cases
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.hand_open import before_the_first_card, is_open

_DECK: Final = "deck"


def is_to_be_offered(state: DrawState) -> bool:
    """FCD-IRR-1, AMB-86: a deck that is shuffled by hand is offered to be cut, once the antes are due."""
    if state.phase.part is not Part.POSTS or state.positions is None:
        return False
    return state.rulebook.errors.shuffle_first is None and not state.draw.is_cut


def anew(state: DrawState) -> None:
    """The deck was shuffled again, or it is another one, before the first card: what was seen at the cut is over, and
    before the antes lie there it is offered once more."""
    if before_the_first_card(state):
        state.draw.cases.discard(cases.SEEN_AT_CUT)
    if state.phase.kind is Kind.BETTING:
        state.draw.is_cut = False


def follow(state: DrawState) -> None:
    """FCD-IRR-1: the first card of a hand is dealt, and the deck was not offered. It is told once, and play goes on; a
    shoe that shuffles stands in for the cut (AMB-86)."""
    hand = state.draw
    if hand.is_cut or cases.NO_CUT in hand.cases or state.rulebook.errors.shuffle_first is not None:
        return
    if is_open(state) and state.rounds is not None and state.deal.at:
        cases.noticed(
            state,
            Outcome(
                clause=cases.NO_CUT,
                expected="cut",
                observed="card",
                remedies=(Remedy.REDEAL_ON_DEMAND,),
                severity=Severity.NOTICE,
            ),
        )


# --- a card was seen ------------------------------------------------------------------------------------------------


def seen_applies(state: DrawState) -> bool:
    """Between two hands the deck is shuffled again; in a hand a new deal can be demanded, until that is over."""
    if any(pending.question is Question.RESHUFFLED for pending in state.asking):
        return False
    if state.phase.kind is Kind.IDLE:
        return True
    stands = cases.SEEN_AT_CUT in state.draw.cases
    return (
        (before_the_first_card(state) or is_open(state)) and not stands and not cases.is_over(state, cases.SEEN_AT_CUT)
    )


def seen_outcome(state: DrawState) -> Outcome:
    """What follows now from a card that was seen at the cut. Between two hands nobody has a right to anything yet:
    whoever saw the card saw it for the hand to come."""
    is_between = state.phase.kind is Kind.IDLE
    return Outcome(
        clause=cases.SEEN_AT_CUT,
        expected="unseen",
        observed=Declaration.CARD_SEEN_AT_CUT,
        remedies=(Remedy.RESHUFFLE if is_between else Remedy.REDEAL_ON_DEMAND,),
        chooser=Chooser.CROUPIER if is_between else Chooser.RULE,
        severity=Severity.NOTICE if is_between else Severity.ALERT,
    )


def seen(state: DrawState, fact: Declared) -> None:
    """FCD-IRR-2: a card was seen when the deck was cut."""
    if not seen_applies(state):
        state.refuse(Refusal.NOT_OFFERED, cases.SEEN_AT_CUT)
    elif state.phase.kind is Kind.IDLE:
        again(state, seen_outcome(state))
    else:
        cases.noticed(state, seen_outcome(state))


def again(state: DrawState, outcome: Outcome) -> None:
    """Nothing is dealt: the deck is shuffled again and offered once more (FCD-IRR-1), and nothing is annulled."""
    incident = raised(state, outcome)
    anew(state)
    ask(state, Question.RESHUFFLED, _DECK, incident)
