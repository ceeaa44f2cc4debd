"""A deal in the name of the wrong player (FCD-IRR-5): until its last card a new one can be demanded, then it stands
(FCD-IRR-6).

The croupier deals in the name of the player with the button (AMB-70), so somebody "deals out of turn" where the deal
begins left of another seat.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.circle.deal_errors.two_actions import before_the_first_card, is_open
from tablectl.core.engine.circle.draw import cases
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.errors.outcome import Outcome, raised
from tablectl.core.engine.errors.seat_said import seat_of
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Chooser, Declaration, Question, Refusal, Remedy, Severity

LATE: Final = "FCD-IRR-6"
_BUTTON: Final = "button"
_DEAL: Final = frozenset({"dealing", "first-betting"})


def applies(state: State) -> bool:
    """Whether it can be noticed now: from when the dealer is settled until the draw begins, once for each deadline."""
    circle = state.circle
    assert circle is not None
    if circle.positions is None or not (before_the_first_card(state) or is_open(state)):
        return False
    if before_the_first_card(state):
        return not any(each.question is Question.MOVED and each.about == _BUTTON for each in state.asking)
    return state.phase.name in _DEAL and not _is_noticed(state, circle)


def _is_noticed(state: State, circle: Memory) -> bool:
    """It is a case already, and still is."""
    return cases.WRONG_DEALER in circle.draw.hand.cases and not cases.deal_is_over(state, circle)


def foretold(state: State) -> Outcome:
    """What follows now."""
    circle = state.circle
    assert circle is not None
    return _outcome(state, circle, ())


def declared(state: State, fact: Declared) -> None:
    """`spot` says for whom it was dealt, where anybody knows."""
    circle = state.circle
    assert circle is not None
    seat = None if fact.spot is None else seat_of(fact.spot)
    if not applies(state):
        state.refuse(Refusal.NOT_OFFERED, _clause(state))
    elif fact.spot is not None and (seat not in circle.present or seat == circle.button):
        state.refuse(Refusal.UNKNOWN_SEAT, cases.WRONG_DEALER, fact.spot)
    else:
        _noticed(state, circle, () if seat is None else (seat,))


def may_lie_at(state: State, circle: Memory, seat: int) -> bool:
    """Whether the croupier can say, in a hand, that the button lies before this seat."""
    return applies(state) and not state.held and seat != circle.button


def lies_at(state: State, circle: Memory, seat: int) -> None:
    """The croupier says, in a hand, that the button lies before this seat."""
    if may_lie_at(state, circle, seat):
        _noticed(state, circle, (seat,))
    else:
        state.refuse(Refusal.HAND_IN_PLAY, _clause(state), f"button=seat-{circle.button}")


def _noticed(state: State, circle: Memory, seats: tuple[int, ...]) -> None:
    outcome = _outcome(state, circle, seats)
    if outcome.chooser is Chooser.CROUPIER:
        ask(state, Question.MOVED, _BUTTON, raised(state, outcome))
    else:
        cases.noticed(state, circle, outcome)


def _clause(state: State) -> str:
    """The clause until the last card of the deal, and from then on."""
    return LATE if cases.is_over(state, cases.WRONG_DEALER) else cases.WRONG_DEALER


def _outcome(state: State, circle: Memory, seats: tuple[int, ...]) -> Outcome:
    """Before the first card the button is moved. FCD-IRR-6: when the deal is over the game stands."""
    is_before, is_late = before_the_first_card(state), cases.is_over(state, cases.WRONG_DEALER)
    remedy = Remedy.CORRECT if is_before else Remedy.CONTINUE if is_late else Remedy.REDEAL_ON_DEMAND
    return Outcome(
        clause=_clause(state),
        expected=f"dealer-seat-{circle.button}",
        observed=Declaration.WRONG_DEALER,
        remedies=(remedy,),
        chooser=Chooser.CROUPIER if is_before else Chooser.RULE,
        severity=Severity.ALERT if remedy is Remedy.REDEAL_ON_DEMAND else Severity.NOTICE,
        seats=seats,
    )
