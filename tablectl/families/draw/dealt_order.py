"""Two players have each other's cards, as a person says: the numbers are right, the order was not (FCD-OPN-3, AMB-71).

As long as nobody has looked or bet the cards are better dealt again, or the two are laid where they belong
(FCD-IRR-12). Afterwards no clause takes the hand from anybody: it goes on as the cards lie, and of the two hands nobody
knows any more which card lies in which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from typing import Final

from tablectl.core.engine import one_order
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.rule import Outcome, Rule, noted
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.seat_said import seat_of, two_seats
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy
from tablectl.families.draw import count_repair, counts, holdings, looked_at
from tablectl.families.draw.state import DrawState

_ORDER: Final = "FCD-OPN-3"


def applies(state: DrawState) -> bool:
    """Whether it can be said: cards are out, the pot is not delivered, and neither a number of cards nor the order is
    in question."""
    is_open = state.phase.kind in IN_HAND or state.phase.kind is Kind.SETTLING
    if one_order.asked(state, _ORDER) is not None:
        return False
    return is_open and bool(state.deal.at) and not state.is_one_left and not counts.is_in_question(state)


def foretold(state: DrawState) -> Outcome:
    """What it means now; whether one of the two has looked is asked first."""
    if not looked_at.may_deal_again(state):
        return noted(_ORDER, expected="order", observed=Declaration.WRONG_ORDER)
    return Outcome(
        clause=looked_at.DEAL_AGAIN,
        expected="order",
        observed=Declaration.WRONG_ORDER,
        remedies=looked_at.with_redeal(state, Remedy.CORRECT),
        chooser=Chooser.CROUPIER,
    )


def declared(state: DrawState, fact: Declared) -> None:
    """A player or the croupier says that two players have each other's cards."""
    if not applies(state):
        state.refuse(Refusal.NOT_LIVE, _ORDER)
        return
    found = two_seats(state, fact, state.staying, _ORDER)
    if found is not None:
        between(state, found)


def between(state: DrawState, seats: tuple[int, int]) -> None:
    """The order of the deal was wrong between these two."""
    if looked_at.may_deal_again(state):
        low, high = sorted(seats)
        _ask(state, low, high)
    else:
        _stands(state, seats)


def is_asked_between(state: DrawState, seats: Set[int | None]) -> bool:
    """Whether it is asked already what becomes of the order between these two."""
    for pending in state.asking:
        incident = pending.incident
        if incident is not None and incident.observed == Declaration.WRONG_ORDER and {*incident.seats} == seats:
            return True
        if pending.what is Declaration.WRONG_ORDER and {seat_of(pending.about), seat_of(pending.spot or "")} == seats:
            return True
    return False


def _ask(state: DrawState, seat: int, other: int) -> None:
    pending = ask(state, Question.LOOKED, f"seat-{seat}")
    pending.what, pending.spot = Declaration.WRONG_ORDER, f"seat-{other}"


def looked_said(state: DrawState, pending: Pending, answer: str | int) -> None:
    """Whether one of the two has looked at his cards, or a player whose cards are counted."""
    if pending.what is not Declaration.WRONG_ORDER:
        counts.looked_said(state, pending, answer)
        return
    seat, other = seat_of(pending.about), seat_of(pending.spot or "")
    assert seat is not None, "it is asked about a seat"
    assert other is not None, "and of another one"
    if answer == "looked":
        state.draw.looked.add(seat)
    if not applies(state):
        state.refuse(Refusal.NOT_LIVE, _ORDER, pending.about)
    elif not looked_at.may_deal_again(state):
        _stands(state, (seat, other))
    elif seat < other:
        _ask(state, other, seat)
    else:
        count_repair.choose(state, replace(foretold(state), seats=(other, seat)))


def _stands(state: DrawState, seats: tuple[int, int]) -> None:
    holdings.mixed(state, seats)
    carried_out(state, replace(foretold(state), seats=seats))


RULES: Final[Mapping[Declaration, Rule[DrawState]]] = {
    Declaration.WRONG_ORDER: Rule(applies=applies, foretells=foretold, does=declared),
}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[DrawState], tuple[int, ...]]]] = {
    Declaration.WRONG_ORDER: lambda state: state.staying,
}
#: What follows from the answers to this module's questions.
ANSWERED: Final[Mapping[Question, Callable[[DrawState, Pending, str | int], None]]] = {Question.LOOKED: looked_said}
