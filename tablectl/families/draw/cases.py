"""The cases that give any player the right to a new deal, and until when (FCD-IRR-0 to -6a, AMB-74).

A case stands from when it was noticed until its deadline. Nobody has to use the right: play goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.vocabulary import Remedy, Tracking
from tablectl.core.options.draw import RedealUntil
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.hand_open import before_the_first_card, is_first_deal, is_open

NO_CUT: Final = "FCD-IRR-1"
SEEN_AT_CUT: Final = "FCD-IRR-2"
FACE_UP: Final = "FCD-IRR-3"
DECK: Final = "FCD-IRR-4"
WRONG_DEALER: Final = "FCD-IRR-5"
TWO_EXPOSED: Final = "FCD-IRR-6a"


class Deadline(Enum):
    """What ends the right to a new deal."""

    DEAL_END = auto()
    FIRST_BET = auto()
    POT_DELIVERED = auto()


#: What the page itself states: "before the betting begins", "before the deal is finished". A defective deck is one for
#: as long as the pot is not delivered, since it cannot have been a fair hand (AMB-74).
_STATED: Final = {FACE_UP: Deadline.FIRST_BET, DECK: Deadline.POT_DELIVERED, WRONG_DEALER: Deadline.DEAL_END}
#: For the others the house has its choice (AMB-74).
_CHOSEN: Final = {
    RedealUntil.FIRST_BET: Deadline.FIRST_BET,
    RedealUntil.POT_DELIVERED: Deadline.POT_DELIVERED,
}


def deadline_of(state: DrawState, clause: str) -> Deadline:
    """Until when the case of this clause gives a right to a new deal."""
    return _STATED.get(clause) or _CHOSEN[state.rulebook.house.redeal_until]


def standing(state: DrawState) -> tuple[str, ...]:
    """The clauses of the cases for which a new deal can be demanded now, in the order of the page."""
    if before_the_first_card(state):
        return (SEEN_AT_CUT,) if SEEN_AT_CUT in state.draw.cases else ()  # nothing else can have come before it
    if not is_open(state):
        return ()
    noticed_so_far = state.draw.cases | ({DECK} if state.needs_deck else set())
    return tuple(sorted(clause for clause in noticed_so_far if not is_over(state, clause)))


def is_over(state: DrawState, clause: str) -> bool:
    """Whether the deadline of this case has passed, in a hand that is open."""
    return _HAS_PASSED[deadline_of(state, clause)](state)


def deal_is_over(state: DrawState) -> bool:
    """The last of the five laps lies there; a card that is dealt again to complete a hand changes nothing of that."""
    return state.rounds is not None and state.rounds.index is not None


def has_bet(state: DrawState) -> bool:
    """Whether the first bet of the hand was made; a pass is none (AMB-74).

    Where only rounds are entered nobody knows: it counts as not made until the first round is closed, and then as made,
    unless the croupier said that everybody passed.
    """
    if not deal_is_over(state):
        return False
    hand = state.draw
    if state.setup.tracking is not Tracking.ROUNDS:
        return hand.opener is not None
    return not hand.is_passed_out and not is_first_deal(state)


_HAS_PASSED: Final[dict[Deadline, Callable[[DrawState], bool]]] = {
    Deadline.DEAL_END: deal_is_over,
    Deadline.FIRST_BET: has_bet,
    Deadline.POT_DELIVERED: lambda _: False,
}


def noticed(state: DrawState, outcome: Outcome) -> None:
    """Something happened. Where a new deal can be demanded for it, the case stands from now on."""
    carried_out(state, outcome)
    if outcome.remedies == (Remedy.REDEAL_ON_DEMAND,):
        state.draw.cases.add(outcome.clause)
