"""A deal in the name of the wrong player (FCD-IRR-5): until its last card a new one can be demanded, then it stands
(FCD-IRR-6).

The croupier deals in the name of the player with the button (AMB-70), so somebody "deals out of turn" where the deal
begins left of another seat.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy, Severity
from tablectl.families.draw import cases, holdings
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.hand_open import before_the_first_card, is_open

LATE: Final = "FCD-IRR-6"
_BUTTON: Final = "button"


def applies(state: DrawState) -> bool:
    """Whether it can be noticed now: from when the dealer is settled until the pot is delivered, once in the deal."""
    if state.positions is None or not (before_the_first_card(state) or is_open(state)):
        return False
    if before_the_first_card(state):
        return not any(pending.question is Question.MOVED and pending.about == _BUTTON for pending in state.asking)
    return not _is_noticed(state)


def _is_noticed(state: DrawState) -> bool:
    """It is a case already, and still is."""
    return cases.WRONG_DEALER in state.draw.cases and not cases.deal_is_over(state)


def foretold(state: DrawState) -> Outcome:
    """What follows now."""
    return _outcome(state, ())


def declared(state: DrawState, fact: Declared) -> None:
    """`spot` says for whom it was dealt, where anybody knows."""
    seat = None if fact.spot is None else seat_of(fact.spot)
    if not applies(state):
        state.refuse(Refusal.NOT_OFFERED, _clause(state))
    elif fact.spot is not None and (seat not in state.present or seat == state.button):
        state.refuse(Refusal.UNKNOWN_SEAT, cases.WRONG_DEALER, fact.spot)
    else:
        noticed(state, () if seat is None else (seat,))


def may_lie_at(state: DrawState, seat: int) -> bool:
    """Whether the croupier can say, in a hand, that the button lies before this seat."""
    return applies(state) and not state.held and seat != state.button


def lies_at(state: DrawState, seat: int) -> None:
    """The croupier says, in a hand, that the button lies before this seat."""
    if may_lie_at(state, seat):
        noticed(state, (seat,))
    else:
        state.refuse(Refusal.HAND_IN_PLAY, _clause(state), f"button=seat-{state.button}")


def noticed(state: DrawState, seats: tuple[int, ...] = ()) -> None:
    """The deal does not begin where it has to; `seats`: for whom it is dealt, where anybody knows."""
    outcome = _outcome(state, seats)
    if outcome.chooser is Chooser.CROUPIER:
        ask(state, Question.MOVED, _BUTTON, raised(state, outcome))
        return
    cases.noticed(state, outcome)
    if outcome.clause == LATE:
        holdings.mixed(state, state.staying)  # each has the cards of another one, by the plan


def _clause(state: DrawState) -> str:
    """The clause until the last card of the deal, and from then on."""
    return LATE if cases.is_over(state, cases.WRONG_DEALER) else cases.WRONG_DEALER


def _outcome(state: DrawState, seats: tuple[int, ...]) -> Outcome:
    """Before the first card the button is moved. FCD-IRR-6: when the deal is over the game stands."""
    is_before, is_late = before_the_first_card(state), cases.is_over(state, cases.WRONG_DEALER)
    remedy = Remedy.CORRECT if is_before else Remedy.CONTINUE if is_late else Remedy.REDEAL_ON_DEMAND
    return Outcome(
        clause=_clause(state),
        expected=f"dealer-seat-{state.button}",
        observed=Declaration.WRONG_DEALER,
        remedies=(remedy,),
        chooser=Chooser.CROUPIER if is_before else Chooser.RULE,
        severity=Severity.ALERT if remedy is Remedy.REDEAL_ON_DEMAND else Severity.NOTICE,
        seats=seats,
    )
