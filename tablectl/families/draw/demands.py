"""A player demands a new deal (FCD-IRR-0), and what is declared of the cases in which he may.

What belongs to one idea is in a module of its own: `cases` which of them stand and until when, `cut`, `exposed`,
`dealer` and `deck_faults` the cases themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import close, void_hand
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.seat_said import one_seat
from tablectl.core.engine.vocabulary import Chooser, Declaration, Refusal, Remedy
from tablectl.families.draw import cut, dealer, exposed
from tablectl.families.draw.cases import standing
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.hand_open import before_the_first_card

_RIGHT: Final = "FCD-IRR-0"


def _can_demand(state: DrawState) -> bool:
    return bool(standing(state))


def _outcome(state: DrawState, seats: tuple[int, ...] = ()) -> Outcome:
    """The first case that stands is the reason, in the order of the page. Before the first card nothing is annulled."""
    is_before = before_the_first_card(state)
    return Outcome(
        clause=standing(state)[0],
        expected="play",
        observed=Declaration.REDEAL_DEMANDED,
        remedies=(Remedy.RESHUFFLE if is_before else Remedy.REDEAL,),
        chooser=Chooser.CROUPIER if is_before else Chooser.RULE,
        seats=seats,
    )


def _demanded(state: DrawState, fact: Declared) -> None:
    """FCD-IRR-0: all cards are collected, shuffled, cut and dealt again by the same dealer. Any player of the hand may
    demand it, one who has folded too; antes stay and bets go back (AMB-46)."""
    if not _can_demand(state):
        state.refuse(Refusal.NOT_OFFERED, _RIGHT)
        return
    seat = one_seat(state, fact, state.order, _RIGHT)
    if seat is None:
        return
    outcome = _outcome(state, (seat,))
    if before_the_first_card(state):
        cut.again(state, outcome)
        return
    close(state, raised(state, outcome), Remedy.REDEAL, Chooser.RULE)
    void_hand(state, outcome.clause)


_EXPOSED: Final = (Declaration.TURNED_WHILE_DEALT, Declaration.FACE_UP_IN_SHOE, Declaration.FALLEN_CARD)
RULES: Final[Mapping[Declaration, Rule[DrawState]]] = {
    Declaration.REDEAL_DEMANDED: Rule(applies=_can_demand, foretells=_outcome, does=_demanded),
    **{
        what: Rule(
            applies=exposed.applies,
            foretells=partial(exposed.foretold, what=what),
            does=exposed.declared,
            cards=exposed.cards,
        )
        for what in _EXPOSED
    },
    Declaration.CARD_SEEN_AT_CUT: Rule(applies=cut.seen_applies, foretells=cut.seen_outcome, does=cut.seen),
    Declaration.WRONG_DEALER: Rule(applies=dealer.applies, foretells=dealer.foretold, does=dealer.declared),
}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[DrawState], tuple[int, ...]]]] = {
    Declaration.REDEAL_DEMANDED: lambda state: state.order,
}
