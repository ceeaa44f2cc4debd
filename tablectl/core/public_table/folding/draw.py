"""A game with discards: how many cards each seat changes, what lies among the discards, a pot that nobody opened."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.decisions import CutOffered, Discards, Exchanges, PotCarried, StubMade
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.step import Steps, nothing
from tablectl.core.public_table.table import DISCARDED, GATHERED, Lying, PublicTable


def _changes(view: PublicTable, seat: int, cards: int | None) -> PublicTable:
    player = replace(view.circle.player(seat), changes=cards)
    return replace(view, circle=replace(view.circle, players={**view.circle.players, seat: player}))


def number_taken_back(view: PublicTable, seat: int) -> PublicTable:
    """The number was keyed wrongly: the seat is asked again."""
    return _changes(view, seat, None)


def _exchanges(view: PublicTable, said: Exchanges, _record: PublicRecord) -> PublicTable:
    return _changes(view, said.seat, said.cards)


def _discards(view: PublicTable, said: Discards, _record: PublicRecord) -> PublicTable:
    """FCD-DSC-10. Where nobody saw which of his cards these are, the picture takes the last ones, as the engine."""
    seat, known = said.seat, said.draws
    others = [card.draw for card in view.at_spot(f"seat-{seat}") if card.draw not in known]
    missing = said.cards - len(known)
    gone = (*known, *others[len(others) - missing :])
    view = _put(view, gone, DISCARDED)
    return replace(view, circle=replace(view.circle, discards={**view.circle.discards, seat: gone}))


def _stub_made(view: PublicTable, said: StubMade, _record: PublicRecord) -> PublicTable:
    """FCD-DSC-5, -9: they are in the stub, and some of them are dealt again."""
    discards = view.circle.discards
    view = _put(view, tuple(draw for seat in said.seats for draw in discards.get(seat, ())), GATHERED)
    kept = {seat: draws for seat, draws in discards.items() if seat not in said.seats}
    return replace(view, circle=replace(view.circle, discards=kept))


def _put(view: PublicTable, draws: tuple[int, ...], where: str) -> PublicTable:
    """They lie there, and no more where they lay."""
    cards = {draw: _moved(card, where) if draw in draws else card for draw, card in view.cards.items()}
    slots = {slot: draw for slot, draw in view.slots.items() if draw not in draws}
    return replace(view, cards=cards, slots=slots)


def _moved(card: Lying, where: str) -> Lying:
    """Face down: a card that everybody had seen is known no more among others."""
    return replace(card, slot=where, up=False, code=None)


def _pot_carried(view: PublicTable, said: PotCarried, _record: PublicRecord) -> PublicTable:
    return replace(view, circle=replace(view.circle, carried=said.amount, is_carried=True))


DECISIONS: Final[Steps] = {
    CutOffered: nothing,  # the prompt goes on to the antes
    Exchanges: _exchanges,
    Discards: _discards,
    StubMade: _stub_made,
    PotCarried: _pot_carried,
}
