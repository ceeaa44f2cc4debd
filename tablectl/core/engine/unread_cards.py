"""Cards that could not be read: a person says which they are, once they lie open and before anything is decided upon
them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tablectl.core.cards import Card
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import CardTurned
from tablectl.core.engine.facts import Named
from tablectl.core.engine.incidents import can_void, raise_incident
from tablectl.core.engine.rulebook import IN_HAND
from tablectl.core.engine.slots import BOARD, BY_NAME, SEATS, Face, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Chooser, Refusal, Remedy

FLOP: Final = 3


def turned_at_reveal(state: State) -> list[Slot]:
    """What the bank's reveal turns: its own cards that lie face down, and those of every seat whose cards are shown."""
    places = state.rulebook.places
    spots = (places.at_bank, *(places.at_seat(seat) for seat in state.rulebook.shows(state)))
    return [slot for spot in spots for slot in spot if slot in state.deal.at and slot.face is Face.DOWN]


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
    if (of_several := state.family.named(state, slot, draw, fact)) is not None:
        return of_several
    others = state.deal.others(draw, fact.card)
    if any(lies_open(state, other) for other in others):
        state.refuse(Refusal.CARD_ELSEWHERE, state.rulebook.errors.deck.twice, fact.slot)
        return False
    state.deal.name(draw, fact.card, fact.by)
    state.say(CardTurned(draw=draw.number, slot=slot))
    if others:
        same_card_again(state, (Remedy.VOID_HAND, Remedy.CONTINUE) if can_void(state) else (Remedy.CONTINUE,))
    if draw not in state.unnamed:
        return False
    state.unnamed.remove(draw)
    return not state.unnamed


def name(state: State, fact: Named) -> None:
    """A person says which card one is that could not be read; what waited for the last such name goes on."""
    if named(state, fact):
        state.family.last_name_came(state)


def read_late(state: State, draw: Draw) -> bool:
    """A reader says which card it is that a person was asked for: there is nothing to name any more.

    True where this was the last name that was missing, as for `named`.
    """
    if draw not in state.unnamed or draw.slot is None:
        return False
    state.say(CardTurned(draw=draw.number, slot=draw.slot))
    state.unnamed.remove(draw)
    return not state.unnamed


def nameable(state: State) -> Iterator[Slot]:
    """The places of cards that a person can name now, or name anew."""
    return (slot for slot, draw in state.deal.at.items() if _nameable(state, draw, slot))


def _nameable(state: State, draw: Draw, slot: Slot) -> bool:
    """Whether a person may say which card this is: it lies open and was not read, and is not settled upon."""
    if draw.named:
        return (bool(state.unnamed) or state.phase.kind in IN_HAND) and not _is_settled_upon(state, slot)
    return draw.card is None and (draw in state.unnamed or slot.face is Face.UP)


def _is_settled_upon(state: State, slot: Slot) -> bool:
    """Whether a side bet was decided by this card in mid-hand (TPC-DEV-14): another name would decide it otherwise."""
    return any(slot in (*BOARD[:FLOP], *SEATS[seat - 1]) for seat in state.family.settled_seats(state))


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

    places = state.rulebook.places
    board = known(places.board)
    spots = (*((places.bank,) if bank else ()), *(places.of_seat(seat) for seat in seats))
    hands = [board + known(spot) for spot in spots]
    return all(len(set(hand)) == len(hand) for hand in hands)
