"""What follows from answers and rulings in a game with discards: each module's own, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.circle.draw import conduct, counts, demands, false_opening, seat_draw, stub
from tablectl.core.engine.circle.lost_hands import hands
from tablectl.core.engine.circle.speech import talk
from tablectl.core.engine.state import Incident, Pending, State
from tablectl.core.engine.words import Declaration, Question, Remedy

ANSWERED: Final[Mapping[Question, Callable[[State, Pending, str | int], None]]] = {
    **hands.ANSWERED,
    **talk.ANSWERED,
    **demands.ANSWERED,
    **counts.ANSWERED,
    **conduct.ANSWERED,
    Question.NEW_STUB: stub.made_said,
    Question.PLACE_CARD: seat_draw.given_up,
    Question.PLAYER_CARD: seat_draw.given_up,
}
RULED: Final[Mapping[Remedy, Callable[[State, Incident], None]]] = {
    **hands.RULED,
    **talk.RULED,
    **demands.RULED,
    **counts.RULED,
    **conduct.RULED,
    Remedy.RETURN_AND_RESHUFFLE: stub.ruled_own_too,
}
#: Where it depends on the error that he rules on.
RULED_ON: Final[Mapping[tuple[Remedy, str], Callable[[State, Incident], None]]] = {**false_opening.RULED_ON}
SEATS_ASKED: Final[Mapping[Declaration, Callable[[State], tuple[int, ...]]]] = {
    **hands.SEATS_ASKED,
    **talk.SEATS_ASKED,
    **demands.SEATS_ASKED,
    **counts.SEATS_ASKED,
    **false_opening.SEATS_ASKED,
    **conduct.SEATS_ASKED,
}


def ruled(incident: Incident, remedy: Remedy) -> Callable[[State, Incident], None] | None:
    """What a remedy does in this game, where it is no general one."""
    return RULED_ON.get((remedy, incident.clause)) or RULED.get(remedy)
