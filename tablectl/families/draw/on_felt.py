"""What antennas see of the discards: how they come, that they stay, and what goes back into a new stub (FCD-DSC-10).

After the showdown cards are swept together, and nothing follows from where they lie.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine import misplaced
from tablectl.core.engine.deal import STAND_IN, Draw
from tablectl.core.engine.decisions import CardPlaced, CardTurned
from tablectl.core.engine.facts import Seen
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import IN_HAND
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.slots import DISCARD, SEATS, Slot
from tablectl.core.engine.vocabulary import Question, Remedy, Severity
from tablectl.families.draw import exchange, holdings, stub
from tablectl.families.draw.state import DrawState
from tablectl.families.pots import retrieved_cards

_DISCARD: Final = DISCARD[0].spot
_CLAUSE: Final = "FCD-DSC-10"


def came_to_discards(state: DrawState, draw: Draw, slot: Slot) -> None:
    """A card of a player came to the discards: while cards are changed he puts it away, in a round of betting he folds
    or somebody took it from him."""
    if state.draw.turn is not None:
        exchange.came_to_discards(state, draw, slot)
    else:
        retrieved_cards.came_to_discards(state, draw, slot)


def is_in_the_stub(state: DrawState, fact: Seen) -> bool:
    """Whether this card went back and is not shuffled in yet: it is seen where the discards lie, and was not dealt."""
    if fact.card is None or fact.spot != _DISCARD or state.deal.newest(fact.card) is not None:
        return False
    return state.deal.gone_back(fact.card) is not None


def comes_again(state: DrawState, card: Draw, spot: str) -> bool:
    """Whether a card that was put away can be the one that is due at this spot: one of several of which nobody knows
    which went back."""
    due = state.deal.due
    if due is None or due.spot != spot or card.card is None:
        return False
    return state.draw.card_pools.may_be_back(card.card)


def known_again(state: DrawState, draw: Draw, spot: str) -> None:
    """A card of which nobody knew where it lies is seen by an antenna: at a seat, or among the discards, where the
    player in turn puts his."""
    turn = state.draw.turn
    seat = seat_of(spot)
    if spot == _DISCARD and turn is not None and not turn.is_removed:
        seat = turn.seat
    if draw.slot is None and seat is not None:
        slot = state.draw.card_pools.seen(state.deal, holdings.held_by(state, seat), draw)
        if slot is not None:
            state.say(CardPlaced(draw=draw.number, slot=slot))
            _is_named_by_antenna(state, draw, slot)


def _is_named_by_antenna(state: DrawState, draw: Draw, slot: Slot) -> None:
    """Nobody is asked any more which card lies open at this place."""
    asked = next((other for other in state.unnamed if other.slot is slot and other is not draw), None)
    if asked is not None:
        state.unnamed.remove(asked)
        state.say(CardTurned(draw=draw.number, slot=slot))


def _surplus(state: DrawState, seat: int | None) -> Draw | None:
    """A card of this seat that lies among the discards beyond those that it asked to change (FCD-DSC-14)."""
    if seat is None or seat not in state.draw.discards:
        return None
    kept = [state.deal.at[slot] for slot in holdings.held_by(state, seat)]
    return next((draw for draw in kept if state.felt.spot_of(draw) == _DISCARD), None)


def _came_back_instead(state: DrawState, draw: Draw, surplus: Draw) -> None:
    """FCD-DSC-14: the surplus came back without anybody looking at the discards; whichever card it is, it is accepted,
    and the other one is put away."""
    slot, owner = surplus.slot, _owner(state, draw)
    assert slot is not None, "it lies in his hand by the books"
    assert owner is not None, "the other one was put away"
    del state.deal.at[slot]
    state.say(CardPlaced(draw=surplus.number, slot=state.deal.discard(surplus)))
    state.deal.lay(draw, slot)
    state.felt.confirmed.add(draw.number)
    state.say(CardPlaced(draw=draw.number, slot=slot))
    cards = state.draw.discards[owner]
    cards[cards.index(draw)] = surplus


def comes_back(state: DrawState, draw: Draw, spot: str) -> bool:
    """A card that was put away lies before its owner again, who had put away too many. False where it is another."""
    owner = _owner(state, draw)
    if state.phase.kind not in IN_HAND or owner is None or spot != SEATS[owner - 1][0].spot:
        return False
    surplus = _surplus(state, owner)
    if surplus is not None:
        _came_back_instead(state, draw, surplus)
    return surplus is not None


def discard_at_a_seat(state: DrawState, draw: Draw, spot: str) -> bool:
    """A card that was put away lies at a seat again: for the pit boss (ruling "burn at a seat"). False where it is
    another."""
    owner = _owner(state, draw)
    if state.phase.kind not in IN_HAND or spot == _DISCARD or owner is None:
        return False
    if not any(incident.draw is draw for incident in state.ruling.values()):
        misplaced.dead_card_at_a_seat(state, draw, DISCARD[0], spot)
    return True


def some_discard(state: DrawState) -> Draw | None:
    """A discard of which nobody knows which card it is: the stand-in for one that was put away."""
    put_away = (draw for cards in state.draw.discards.values() for draw in cards)
    return next((draw for draw in put_away if draw.number == STAND_IN), None)


def must_stay(state: DrawState, draw: Draw, spot: str) -> bool:
    """Whether this card is a discard, and has to lie there; unless the new stub is made of it, its owner takes back
    what was too much, or it was told already that it does not."""
    owner = _owner(state, draw)
    if owner is None or spot != _DISCARD or state.phase.kind not in IN_HAND or draw.number in state.early.missed:
        return False
    if any(pending.question is Question.NEW_STUB for pending in state.asking) and owner in stub.gathered(state):
        return False
    return _surplus(state, owner) is None


def gone(state: DrawState, draw: Draw, spot: str) -> None:
    """A discard is away; told once of each."""
    if not must_stay(state, draw, spot):
        return
    state.early.missed.add(draw.number)
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


def _owner(state: DrawState, draw: Draw) -> int | None:
    """Whose discard it is; None for every other card."""
    return next((seat for seat, cards in state.draw.discards.items() if draw in cards), None)
