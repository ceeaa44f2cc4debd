"""The cases that give any player the right to a new deal, and until when (FCD-IRR-0 to -6a, AMB-74).

A case stands from when it was noticed until its deadline. Nobody has to use the right: play goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from tablectl.core.engine.circle.deal_errors.two_actions import before_the_first_card, is_open
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.errors.outcome import Outcome, carried_out
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Remedy, Tracking
from tablectl.core.options.draw import RedealUntil

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


def deadline_of(state: State, clause: str) -> Deadline:
    """Until when the case of this clause gives a right to a new deal."""
    assert state.rulebook.circle is not None
    return _STATED.get(clause) or _CHOSEN[state.rulebook.circle.draw.redeal_until]


def standing(state: State) -> tuple[str, ...]:
    """The clauses of the cases for which a new deal can be demanded now, in the order of the page."""
    circle = state.circle
    if circle is None or not state.is_draw or not is_open(state) or before_the_first_card(state):
        return ()
    noticed_so_far = circle.draw.hand.cases | ({DECK} if state.needs_deck else set())
    return tuple(sorted(clause for clause in noticed_so_far if not is_over(state, clause)))


def is_over(state: State, clause: str) -> bool:
    """Whether the deadline of this case has passed, in a hand that is open."""
    circle = state.circle
    assert circle is not None
    return _HAS_PASSED[deadline_of(state, clause)](state, circle)


def deal_is_over(state: State, circle: Memory) -> bool:
    """The last of the five laps lies there; a card that is dealt again to complete a hand changes nothing of that."""
    return circle.rounds is not None and circle.rounds.index is not None


def has_bet(state: State, circle: Memory) -> bool:
    """Whether the first bet of the hand was made; a pass is none (AMB-74).

    Where only rounds are entered nobody knows: it counts as not made until the first round is closed, and then as made,
    unless the croupier said that everybody passed.
    """
    if not deal_is_over(state, circle):
        return False
    hand = circle.draw.hand
    if state.setup.tracking is not Tracking.ROUNDS:
        return hand.opener is not None
    return not hand.is_passed_out and not _is_first_round_open(state)


def _is_first_round_open(state: State) -> bool:
    return state.phase.name == "dealing" or (state.phase.kind is Kind.DECIDING and state.phase.round == 0)


_HAS_PASSED: Final[dict[Deadline, Callable[[State, Memory], bool]]] = {
    Deadline.DEAL_END: deal_is_over,
    Deadline.FIRST_BET: has_bet,
    Deadline.POT_DELIVERED: lambda _, __: False,
}


def noticed(state: State, circle: Memory, outcome: Outcome) -> None:
    """Something happened. Where a new deal can be demanded for it, the case stands from now on."""
    carried_out(state, outcome)
    if outcome.remedies == (Remedy.REDEAL_ON_DEMAND,):
        circle.draw.hand.cases.add(outcome.clause)
