"""Cards that could not be read: a person says which they are, once they lie open and before anything is decided upon
them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tablectl.core.cards import Card
from tablectl.core.engine.circle.draw.unsure import Pool, Unsure
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import CardTurned
from tablectl.core.engine.facts import Named
from tablectl.core.engine.incidents import can_void, raise_incident
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import BOARD, BY_NAME, HOUSE, SEATS, Face, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Chooser, Refusal, Remedy

#: Cards that can lie at a spot that is turned: two, and one too many.
MOST_AT_SPOT: Final = 3
HOLE: Final = 2
FLOP: Final = 3
COMMON: Final = 5


def turned_at_reveal(state: State) -> list[Slot]:
    """What the bank's reveal turns: its own cards and those of every seat whose cards are shown."""
    spots = (HOUSE, *(SEATS[seat - 1] for seat in state.rulebook.shows(state)))
    return [slot for spot in spots for slot in spot[:MOST_AT_SPOT] if slot in state.deal.at]


def own_places(state: State, seat: int) -> tuple[Slot, ...]:
    """Where the cards of a player can lie: two and one too many; in a game with discards, wherever he has one."""
    return SEATS[seat - 1] if state.is_draw else SEATS[seat - 1][:MOST_AT_SPOT]


def unread(state: State, slots: Iterable[Slot]) -> list[Draw]:
    """The cards at these places that nobody knows yet."""
    at = state.deal.at
    return [at[slot] for slot in slots if slot in at and at[slot].card is None]


def named(state: State, fact: Named) -> bool:
    """A card that could not be read lies open now: a person says which one it is, and may correct that until the
    settlement. Whether the same face lies hidden elsewhere is not to be found out by trying: such a name is taken, and
    two cards with one face are a defective deck (THB-CRD-1, TPC-MIS-5) for the pit boss.

    True where this was the last name that was missing, and what waited for it can go on.
    """
    slot: Slot | None = BY_NAME.get(fact.slot)
    draw = state.deal.at.get(slot) if slot is not None else None
    if slot is None or draw is None or draw.card is fact.card or not _nameable(state, draw, slot):
        state.refuse(Refusal.CARD_KNOWN, detail=fact.slot)
        return False
    if state.circle is not None and state.is_draw:
        unsure = state.circle.draw.hand.unsure
        pool = unsure.at(slot, draw)
        if pool is not None:
            return _one_of_several(state, unsure, pool, slot, fact.card)
    others = state.deal.others(draw, fact.card)
    if any(lies_open(state, other) for other in others):
        state.refuse(Refusal.CARD_ELSEWHERE, state.rulebook.errors.deck.twice, fact.slot)
        return False
    state.deal.name(draw, fact.card)
    state.say(CardTurned(draw=draw.number, slot=slot))
    if others:
        same_card_again(state, (Remedy.VOID_HAND, Remedy.CONTINUE) if can_void(state) else (Remedy.CONTINUE,))
    if draw not in state.naming:
        return False
    state.naming.remove(draw)
    return not state.naming


def read_late(state: State, draw: Draw) -> bool:
    """A reader says which card it is that a person was asked for: there is nothing to name any more.

    True where this was the last name that was missing, as for `named`.
    """
    if draw not in state.naming or draw.slot is None:
        return False
    state.say(CardTurned(draw=draw.number, slot=draw.slot))
    state.naming.remove(draw)
    return not state.naming


def _one_of_several(state: State, unsure: Unsure, pool: Pool, slot: Slot, card: Card) -> bool:
    """It is known which cards were dealt to this player, and not which of them lies here: only one of them can."""
    lies_here = pool.holds(card)
    if lies_here is None and pool.is_short and not state.deal.knows(card):
        # More cards lie there than were reported: this is one that no reader saw come.
        lies_here, _ = state.deal.note(card)
        pool.cards.append(lies_here)
    if lies_here is None:
        state.refuse(Refusal.CARD_ELSEWHERE, state.rulebook.errors.outside_shoe, slot.name)
        return False
    stood_for = unsure.lies(state.deal, pool, slot, lies_here)
    if lies_here.card is None:
        state.deal.name(lies_here, card)
    lies_here.named = True
    state.say(CardTurned(draw=lies_here.number, slot=slot))
    if state.deal.others(lies_here, card):
        same_card_again(state, (Remedy.VOID_HAND, Remedy.CONTINUE) if can_void(state) else (Remedy.CONTINUE,))
    if stood_for not in state.naming:
        return False
    state.naming.remove(stood_for)
    return not state.naming


def nameable(state: State) -> Iterator[Slot]:
    """The places of cards that a person can name now, or name anew."""
    return (slot for slot, draw in state.deal.at.items() if _nameable(state, draw, slot))


def _nameable(state: State, draw: Draw, slot: Slot) -> bool:
    """Whether a person may say which card this is: it lies open and was not read, and is not settled upon."""
    if draw.named:
        return (bool(state.naming) or state.phase.kind in IN_HAND) and not _is_settled_upon(state, slot)
    return draw.card is None and (draw in state.naming or slot.face is Face.UP)


def _is_settled_upon(state: State, slot: Slot) -> bool:
    """Whether a side bet was decided by this card in mid-hand (TPC-DEV-14): another name would decide it otherwise."""
    return any(slot in (*BOARD[:FLOP], *SEATS[each.seat - 1]) for each in state.settled_early)


def lies_open(state: State, draw: Draw) -> bool:
    """Whether everybody can see this card."""
    slot = draw.slot
    return slot is not None and (slot.face is Face.UP or slot in state.shown)


def same_card_again(state: State, remedies: tuple[Remedy, ...]) -> None:
    """Two cards with one face: the pit boss has it (AMB-13)."""
    raise_incident(
        state,
        clause=state.rulebook.errors.deck.twice,
        expected="52-different-cards",
        observed="same-card-again",
        remedies=remedies,
        chooser=Chooser.PIT_BOSS,
    )


def can_rank(state: State, seats: Iterable[int], *, bank: bool = False) -> bool:
    """Against the bank: whether no face comes twice among the common cards and those of any one of these seats, or of
    the bank."""
    at = state.deal.at

    def known(slots: tuple[Slot, ...]) -> list[Card]:
        return [card for slot in slots if slot in at and (card := at[slot].card) is not None]

    board = known(BOARD[:COMMON])
    spots = (*((HOUSE,) if bank else ()), *(SEATS[seat - 1] for seat in seats))
    hands = [board + known(spot[:HOLE]) for spot in spots]
    return all(len(set(hand)) == len(hand) for hand in hands)


def waits_for_names(state: State) -> bool:
    """Whether a settlement waits for a name."""
    return bool(state.naming) and state.phase.kind in (Kind.SETTLING, Kind.CLAIMING)
