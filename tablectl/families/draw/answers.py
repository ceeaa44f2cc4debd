"""What follows from answers and rulings in a game with discards: each module's own, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.vocabulary import Declaration, Question, Remedy
from tablectl.families.draw import (
    conduct,
    counts,
    dealt_order,
    demands,
    false_opening,
    next_dealt,
    one_too_many,
    seat_draw,
    stub,
)
from tablectl.families.draw.state import DrawState
from tablectl.families.pots import hands, own_cards, talk

ANSWERED: Final[Mapping[Question, Callable[[DrawState, Pending, str | int], None]]] = {
    **hands.ANSWERED,
    **talk.ANSWERED,
    **counts.ANSWERED,
    **dealt_order.ANSWERED,
    **next_dealt.ANSWERED,
    Question.COUNT_CARDS: one_too_many.cards_said,
    Question.COUNT_SPOT: one_too_many.spot_said,
    Question.NEW_STUB: stub.made_said,
    Question.PLACE_CARD: seat_draw.given_up,
    Question.PLAYER_CARD: seat_draw.given_up,
}
RULED: Final[Mapping[Remedy, Callable[[DrawState, Incident], None]]] = {
    **hands.RULED,
    **talk.RULED,
    **conduct.RULED,
}
#: Where it depends on the error that he rules on.
RULED_ON: Final[Mapping[tuple[Remedy, str], Callable[[DrawState, Incident], None]]] = {
    **false_opening.RULED_ON,
    **counts.RULED_ON,
}
SEATS_ASKED: Final[Mapping[Declaration, Callable[[DrawState], tuple[int, ...]]]] = {
    **hands.SEATS_ASKED,
    **talk.SEATS_ASKED,
    **demands.SEATS_ASKED,
    **counts.SEATS_ASKED,
    **dealt_order.SEATS_ASKED,
    **false_opening.SEATS_ASKED,
    **conduct.SEATS_ASKED,
    **own_cards.SEATS_ASKED,
}


def ruled(incident: Incident, remedy: Remedy) -> Callable[[DrawState, Incident], None] | None:
    """What a remedy does in this game, where it is no general one."""
    return RULED_ON.get((remedy, incident.clause)) or RULED.get(remedy)
