"""What antennas see of the discards: how they come, that they stay, and what goes back into a new stub (FCD-DSC-10).

Behind the showdown cards are swept together, and nothing follows from where they lie.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.circle.draw import exchange, holdings, stub
from tablectl.core.engine.circle.lost_hands import taken
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.errors.outcome import Outcome, carried_out
from tablectl.core.engine.errors.seat_said import seat_of
from tablectl.core.engine.facts import Seen
from tablectl.core.engine.rulebook import IN_HAND
from tablectl.core.engine.slots import DISCARD, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Chooser, Question, Remedy, Severity

_DISCARD: Final = DISCARD[0].spot
_CLAUSE: Final = "FCD-DSC-10"


def came_to_discards(state: State, circle: Memory, draw: Draw, slot: Slot) -> None:
    """A card of a player came to the discards: while cards are changed he puts it away, in a round of betting he folds
    or somebody took it from him."""
    if circle.draw.hand.turn is not None:
        exchange.came_to_discards(state, circle, draw, slot)
    else:
        taken.came_to_discards(state, circle, draw, slot)


def is_in_the_stub(state: State, fact: Seen) -> bool:
    """Whether this card went back and is not shuffled in yet: it is seen where the discards lie, and was not dealt."""
    if fact.card is None or fact.spot != _DISCARD or state.deal.newest(fact.card) is not None:
        return False
    return state.deal.gone_back(fact.card) is not None


def comes_again(state: State, card: Draw, spot: str) -> bool:
    """Whether a card that was put away can be the one that is due at this spot: one of several of which nobody knows
    which went back."""
    due, circle = state.deal.due, state.circle
    if circle is None or due is None or due.spot != spot or card.card is None:
        return False
    return circle.draw.hand.unsure.may_be_back(card.card)


def known_again(state: State, circle: Memory, draw: Draw, spot: str) -> None:
    """A card of which nobody knew where it lies is seen by an antenna: at a seat, or among the discards, where the
    player in turn puts his."""
    turn = circle.draw.hand.turn
    seat = seat_of(spot)
    if spot == _DISCARD and turn is not None and not turn.is_removed:
        seat = turn.seat
    if draw.slot is None and seat is not None:
        slot = circle.draw.hand.unsure.seen(state.deal, holdings.held_by(state, seat), draw)
        if slot is not None:
            state.say(CardPlaced(draw=draw.number, slot=slot))


def discard_seen(state: State, circle: Memory, draw: Draw, spot: str) -> bool:
    """A card that was put away lies at a seat again: an alarm. False where it is none of these."""
    if state.phase.kind not in IN_HAND or spot == _DISCARD or _owner(circle, draw) is None:
        return False
    if not any(incident.draw is draw for incident in state.ruling.values()):
        carried_out(
            state,
            Outcome(
                clause=_CLAUSE,
                expected=_DISCARD,
                observed=spot,
                remedies=(Remedy.VOID_HAND, Remedy.CORRECT),
                chooser=Chooser.PIT_BOSS,
                draw=draw,
            ),
        )
    return True


def lifted(state: State, circle: Memory, draw: Draw, spot: str) -> None:
    """A card of this hand does not lie there any more. A discard stays where it is, unless the new stub is made of it;
    it is told once of each."""
    circle.draw.hand.lifted[draw.number] = spot
    owner = _owner(circle, draw)
    if owner is None or spot != _DISCARD or state.phase.kind not in IN_HAND or draw.number in circle.early.missed:
        return
    if any(each.question is Question.NEW_STUB for each in state.asking) and owner in stub.gathered(state, circle):
        return
    circle.early.missed.add(draw.number)
    carried_out(
        state,
        Outcome(
            clause=_CLAUSE,
            expected=_DISCARD,
            observed="gone",
            remedies=(Remedy.WARN,),
            severity=Severity.NOTICE,
            draw=draw,
        ),
    )


def _owner(circle: Memory, draw: Draw) -> int | None:
    """Whose discard it is; None for every other card."""
    return next((seat for seat, cards in circle.draw.hand.discards.items() if draw in cards), None)
