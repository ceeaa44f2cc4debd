"""The draw: each player in turn says how many cards he changes, puts them away and is dealt as many (FCD-DSC).

The number that was asked for, that which lies among the discards and that which is dealt are equal (FCD-DSC-2, -14).
Antennas count the discards and see which cards they are; with a shoe alone the croupier says that they lie there, and
which of the player's cards he kept is known when he shows them.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine import dealing
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import CardPlaced, Discards, Exchanges
from tablectl.core.engine.facts import AsksFor
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import DISCARD, SEATS, Slot
from tablectl.core.engine.vocabulary import Chooser, Question, Refusal, Remedy, Severity
from tablectl.core.options.draw import MostDiscards
from tablectl.families.draw import holdings
from tablectl.families.draw.state import DrawState, Turn

_MOST: Final = {MostDiscards.FIVE: 5, MostDiscards.FOUR: 4, MostDiscards.THREE: 3}
_DISCARD: Final = DISCARD[0].spot
#: The triggers: a seat's cards are put away, and everybody has changed what he wants.
ASKED: Final = "asked"
SERVED: Final = "served"


def most(state: DrawState) -> int:
    """How many cards a player may change: settled before the session (FCD-DSC-7, -8)."""
    return _MOST[state.rulebook.house.most_discards]


def entered(state: DrawState) -> None:
    """The draw begins, or a seat has its cards: the next one is asked, in order from the dealer's left (FCD-DSC-4)."""
    hand = state.draw
    if hand.turn is not None and not hand.turn.is_removed and hand.turn.seat in state.staying:
        return  # a card that another seat lacked was dealt (AMB-73); this one is still asked
    if hand.turn is not None:
        _has_changed(state, hand.turn.seat)
    _next(state)


def _has_changed(state: DrawState, seat: int) -> None:
    """This seat has the cards that it wants: five, or it is counted."""
    state.draw.served.append(seat)
    state.draw.came_early.discard(seat)


def may_come_early(state: DrawState, seat: int) -> bool:
    """Whether a card of the draw that lies at this seat can be one of those that it will get for its own."""
    hand = state.draw
    has_put_away = seat in hand.served or (hand.turn is not None and hand.turn.seat == seat and hand.turn.is_removed)
    return seat in state.staying and not has_put_away and seat not in hand.came_early


def came_early(state: DrawState, seat: int, draw: Draw) -> None:
    """FCD-DSC-4: it came before this player was asked, and is one of those that he gets (AMB-73: the numbers are
    right). Until he has changed his cards he has six."""
    holdings.one_more(state, draw, seat)
    state.draw.came_early.add(seat)


def goes_where_it_is_due(state: DrawState, draw: Draw, spot: str) -> bool:
    """Such a card is carried to the seat that waits for one after all. False where it is another card."""
    slot, due = draw.slot, state.deal.due
    if slot is None or slot.seat not in state.draw.came_early or slot.position <= holdings.HAND:
        return False
    if due is None or due.spot != spot or not dealing.is_due(state):
        return False
    state.draw.came_early.remove(slot.seat)
    del state.deal.at[slot]
    state.felt.confirmed.add(draw.number)
    dealing.place(state, draw)
    return True


def seat_left(state: DrawState) -> None:
    """A hand died in the draw: where it was that of the seat in turn, the next one is asked."""
    hand = state.draw
    if state.phase.kind is Kind.EXCHANGING and (hand.turn is None or hand.turn.seat not in state.staying):
        _next(state)


def _next(state: DrawState) -> None:
    hand = state.draw
    hand.turn = next((Turn(seat) for seat in state.staying if seat not in hand.served), None)
    if hand.turn is None:
        hand.stood = None
        state.fire(SERVED)


def asks_for(state: DrawState, fact: AsksFor) -> None:
    """FCD-DSC-4, -14, -15: the player whose turn it is says how many cards he changes; FCD-DSC-12, -13: none, and he
    says "servido". Another number before the cards lie among the discards takes the place of the first."""
    turn = state.draw.turn
    if turn is None or state.phase.kind is not Kind.EXCHANGING:
        state.refuse(Refusal.NOT_LIVE, "FCD-DSC-16", str(fact.cards))
    elif state.held:
        state.refuse(Refusal.HELD)
    elif fact.seat is not None and fact.seat != turn.seat:
        state.refuse(Refusal.NOT_IN_TURN, "FCD-DSC-4", f"turn=seat-{turn.seat}")
    elif not 0 <= fact.cards <= most(state):
        # FCD-DSC-1: his five cards at most; FCD-DSC-8: where fewer were settled.
        clause = "FCD-DSC-1" if most(state) == _MOST[MostDiscards.FIVE] else "FCD-DSC-8"
        state.refuse(Refusal.TOO_MANY_CARDS, clause, f"most={most(state)}")
    else:
        _said(state, turn, fact.cards)


def _said(state: DrawState, turn: Turn, cards: int) -> None:
    hand = state.draw
    state.say(Exchanges(seat=turn.seat, cards=cards))
    state.forget_entry()
    if cards == 0:
        seen = _among_discards(state, turn.seat)
        if turn.seat in hand.came_early and len(seen) == 1:
            _these(state, turn, seen)  # of his six he puts one away, and gets none
        _has_changed(state, turn.seat)
        hand.stood = turn.seat
        _next(state)
        return
    hand.stood, turn.cards = None, cards


# --- the discards -------------------------------------------------------------------------------------------------


def confirm(state: DrawState) -> None:
    """The croupier says that the cards lie among the discards, face down (FCD-DSC-10). Antennas have counted them."""
    turn = state.draw.turn
    if turn is None or turn.cards is None:
        state.refuse(Refusal.NOT_LIVE)
        return
    seen = _among_discards(state, turn.seat)
    # A card that nobody could read can lie there unseen.
    most_there = len(seen) + _unread_of(state, turn.seat)
    if state.tells_places and not len(seen) <= turn.cards <= most_there:
        # FCD-DSC-14: the number that was asked for and that of the cards put away differ.
        state.refuse(Refusal.WRONG_NUMBER, "FCD-DSC-14", f"asked={turn.cards} discarded={len(seen)}")
    else:
        _removed(state, turn, seen)


def came_to_discards(state: DrawState, draw: Draw, slot: Slot) -> None:
    """Antennas see a player's card among the discards while cards are changed."""
    turn, seat = state.draw.turn, slot.seat
    if turn is None or seat is None or seat not in state.staying or (seat == turn.seat and not turn.is_removed):
        return  # of the player in turn they are counted when all of it is known (`follow`)
    if seat == turn.seat or seat in state.draw.served:
        # FCD-DSC-14: more than he asked for.
        _back(state, seat, "FCD-DSC-14", expected=slot.name, observed=_DISCARD)
    else:
        # FCD-DSC-16: before his turn. Nobody has seen a face, and the cards go back to him.
        _back(state, seat, "FCD-DSC-16", expected=f"turn-seat-{turn.seat}", observed=f"discard-seat-{seat}")


def _back(state: DrawState, seat: int, clause: str, *, expected: str, observed: str) -> None:
    """Once for all the cards that a player puts there together."""
    spot = SEATS[seat - 1][0].spot
    if any(pending.question is Question.MOVED and pending.about == spot for pending in state.asking):
        return
    outcome = Outcome(
        clause=clause,
        expected=expected,
        observed=observed,
        remedies=(Remedy.CORRECT,),
        chooser=Chooser.CROUPIER,
        severity=Severity.NOTICE,
        seats=(seat,),
    )
    ask(state, Question.MOVED, spot, raised(state, outcome))


def _among_discards(state: DrawState, seat: int) -> list[Draw]:
    """The cards of this seat that antennas see among the discards."""
    at = state.deal.at
    there = [at[slot] for slot in SEATS[seat - 1] if slot in at]
    return [draw for draw in there if state.felt.spot_of(draw) == _DISCARD]


def _unread_of(state: DrawState, seat: int) -> int:
    at = state.deal.at
    return sum(slot in at and at[slot].card is None for slot in SEATS[seat - 1])


def follow(state: DrawState) -> None:
    """As many as he asked for lie there, and nothing holds the table any more: nobody has to press anything."""
    turn = state.draw.turn
    if turn is None or turn.cards is None or turn.is_removed or state.held:
        return
    seen = _among_discards(state, turn.seat)
    if len(seen) == turn.cards:
        _removed(state, turn, seen)


def _removed(state: DrawState, turn: Turn, seen: list[Draw]) -> None:
    """They lie there, and as many are dealt (FCD-DSC-2, -3)."""
    assert turn.cards is not None
    slots = holdings.held_by(state, turn.seat)
    if len(seen) == turn.cards:
        _these(state, turn, seen)
    elif turn.cards == len(slots):
        # All that he has, a card that antennas could not read too.
        _these(state, turn, [state.deal.at[slot] for slot in slots])
    else:
        _some_of(state, turn, slots)
    turn.is_removed = True
    if free := holdings.free_of_five(state, turn.seat):
        state.fire(ASKED)
        state.deal.start(free)
    else:
        _has_changed(state, turn.seat)  # the only one that he gets has come before
        _next(state)


def _these(state: DrawState, turn: Turn, cards: list[Draw]) -> None:
    """It is known which cards he puts away."""
    free = sorted((slot for slot in SEATS[turn.seat - 1] if state.deal.at.get(slot) in cards), key=lambda s: s.position)
    state.draw.discards[turn.seat] = list(cards)
    known = tuple(card.number for card in cards if card.number)
    state.say(Discards(seat=turn.seat, cards=len(cards), draws=known))
    for slot in free:
        card = state.deal.at.pop(slot)
        state.shown.discard(slot)
        there = state.deal.discard(card)
        if card.number:
            state.say(CardPlaced(draw=card.number, slot=there))


def _some_of(state: DrawState, turn: Turn, slots: list[Slot]) -> None:
    """Nobody knows which: those that he keeps count as lying in his first places."""
    assert turn.cards is not None
    state.draw.card_pools.mix(state.deal, slots)
    # Of a card that everybody has seen nobody knows either whether he keeps it (FCD-IRR-6b).
    state.shown.difference_update(slots)
    free = slots[-turn.cards :]
    state.draw.discards[turn.seat] = [state.deal.at.pop(slot) for slot in free]
    for card in state.draw.discards[turn.seat]:
        card.slot = None
    state.say(Discards(seat=turn.seat, cards=turn.cards))


# --- an entry is taken back -------------------------------------------------------------------------------------------


def can_take_back(state: DrawState) -> bool:
    """Whether the last number can still be corrected: nothing was put away or entered since."""
    if state.phase.kind is not Kind.EXCHANGING or state.draw.turn is None or state.held:
        return False
    hand = state.draw
    assert hand.turn is not None
    return hand.turn.cards is not None or hand.stood in state.staying


def take_back(state: DrawState) -> None:
    """The number was keyed wrongly: the seat is asked again."""
    hand = state.draw
    assert hand.turn is not None, "somebody is asked"
    if hand.turn.cards is None:
        assert hand.stood is not None, "somebody said servido last"
        hand.served.remove(hand.stood)
        hand.turn, hand.stood = Turn(hand.stood), None
    hand.turn.cards = None
    state.refuse(Refusal.TAKEN_BACK, "FCD-DSC-14", f"seat-{hand.turn.seat}")
