"""Cards: where each one lies, and which are known since they lie open."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from tablectl.core.engine.decisions import CardPlaced, CardTurned, Refused
from tablectl.core.engine.facts import Corrected, Named
from tablectl.core.engine.slots import Face
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.step import Steps, sit
from tablectl.core.public_table.table import Lying, PublicTable


def came(view: PublicTable, record: PublicRecord) -> PublicTable:
    """A card that is new with this fact, whichever device or person told it; a report that the shoe repeated brings
    none. Nobody has read the card of a fact that names no identity, sealed or open."""
    if record.draw is None or record.draw in view.cards:
        return view
    is_read = record.commitment is not None or isinstance(record.event, Named)
    return _lay(view, Lying(draw=record.draw, readable=is_read))


def _lay(view: PublicTable, card: Lying) -> PublicTable:
    return replace(view, cards={**view.cards, card.draw: card})


def _placed(view: PublicTable, said: CardPlaced, record: PublicRecord) -> PublicTable:
    draw, slot = said.draw, said.slot.name
    if record.prompt is not None and draw in record.prompt.back:
        return view  # it is shown there and goes back at once: what lies there stays (FCD-SEA-2)
    card = view.cards.get(draw, Lying(draw=draw))
    slots = {name: at for name, at in view.slots.items() if at != draw}
    cards = dict(view.cards)
    if (other := slots.get(slot)) is not None:
        cards[other] = replace(cards[other], slot=None)  # laid anew by a later decision, or beyond the plan
    slots[slot] = draw
    cards[draw] = replace(card, slot=slot, up=said.slot.face is Face.UP)
    return _dealt_in(replace(view, cards=cards, slots=slots), said.slot.seat)


def _dealt_in(view: PublicTable, seat: int | None) -> PublicTable:
    """A seat with a card is in the hand; in a game with players only where one sits there who can play it: neither an
    empty seat (THL-CRE-2) nor somebody who is away and owes a blind (THL-INI-7)."""
    if seat is None or view.seat(seat).in_hand:
        return view
    players = view.circle.players
    if players and (seat not in players or (players[seat].owes_blind and not players[seat].is_there)):
        return view
    return sit(view, replace(view.seat(seat), in_hand=True))


def _turned(view: PublicTable, said: CardTurned, _record: PublicRecord) -> PublicTable:
    draw = said.draw
    view = _really_at(view, draw, said.slot.name)
    card = view.cards.get(draw, Lying(draw=draw, slot=said.slot.name))
    return _lay(view, replace(card, up=True))


def _really_at(view: PublicTable, draw: int, slot: str) -> PublicTable:
    """Nobody saw which of his cards a player put away: the one that is turned up here changes places with the one that
    the picture had here."""
    other, card = view.slots.get(slot), view.cards.get(draw)
    if other is None or other == draw or card is None:
        return view
    slots = {name: {draw: other, other: draw}.get(at, at) for name, at in view.slots.items()}
    discards = {
        seat: tuple({draw: other, other: draw}.get(number, number) for number in draws)
        for seat, draws in view.circle.discards.items()
    }
    view = _lay(_lay(view, replace(view.cards[other], slot=card.slot)), replace(card, slot=slot))
    return replace(view, slots=slots, circle=replace(view.circle, discards=discards))


def know(view: PublicTable, draw: int, code: str) -> PublicTable:
    """Everybody may see this card from now on."""
    card = view.cards.get(draw)
    return view if card is None else _lay(view, replace(card, code=code))


def named(view: PublicTable, record: PublicRecord) -> PublicTable:
    """A person said which card lies at a slot, and it was taken; or two did, that it is another one than was told."""
    event = record.event
    if any(isinstance(decision, Refused) for decision in record.decisions):
        return view
    if isinstance(event, Named):
        draws, card = [view.slots.get(event.slot)], event.card
    elif isinstance(event, Corrected) and event.card is not None:
        draws, card = [said.draw for said in record.decisions if isinstance(said, CardTurned)], event.card
    else:
        return view
    for draw in draws:
        if draw is not None:
            view = replace(know(view, draw, card.code), named={**view.named, draw: card.code})
    return view


def went_back(view: PublicTable, draws: Collection[int]) -> PublicTable:
    """These cards are in the deck again: they lie nowhere, and may come once more as others."""
    if view.cards.keys().isdisjoint(draws):
        return view
    return replace(
        view,
        cards={draw: card for draw, card in view.cards.items() if draw not in draws},
        slots={slot: draw for slot, draw in view.slots.items() if draw not in draws},
    )


DECISIONS: Final[Steps] = {CardPlaced: _placed, CardTurned: _turned}
