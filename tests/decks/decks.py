"""What the tests of decks share: a deck by its tags, and where antennas look."""

from __future__ import annotations

from typing import Final

from drivers.facts import TagIn, TagOut
from drivers.sealed import Sealed
from tablectl.config.spots import MOUTH, STUB, Spot
from tablectl.core.cards import DECK, Card, card
from tablectl.core.engine import facts as f
from tablectl.table.decks.tag_tracker import Antenna

RED: Final = {f"E004AA{deck_card.index:02X}": deck_card for deck_card in DECK}
BLUE: Final = {f"E004BB{deck_card.index:02X}": deck_card for deck_card in DECK}
#: Two antennas of one reader at the seats, one of another at the board, two that see the stub, and a shoe.
SPOTS: Final[dict[Antenna, Spot]] = {
    ("felt", 1): Spot(name="seat-1"),
    ("felt", 2): Spot(name="seat-2"),
    ("felt", 3): Spot(name="house", position=1),
    ("felt", 4): Spot(name="house", position=2),
    ("middle", 1): Spot(name="board"),
    ("middle", 2): Spot(name="board"),
    ("rack", 1): Spot(name="discard"),
    ("tray", 1): Spot(name=STUB),
    ("sabot", 1): Spot(name=MOUTH),
}


def tag_of(code: str, deck: dict[str, Card] = RED) -> str:
    return next(tag for tag, of_tag in deck.items() if of_tag is card(code))


def came(code: str, device: str, antenna: int = 1, *, at_us: int = 0, deck: dict[str, Card] = RED) -> TagIn:
    return TagIn(device=device, at_us=at_us, tag=Sealed(tag_of(code, deck)), antenna=antenna)


def left(code: str, device: str, antenna: int = 1, *, at_us: int = 0, deck: dict[str, Card] = RED) -> TagOut:
    return TagOut(device=device, at_us=at_us, tag=Sealed(tag_of(code, deck)), antenna=antenna)


def seen(code: str, spot: str, position: int | None = None, *, at_us: int = 0) -> f.Fact:
    return f.Seen(at_us=at_us, spot=spot, card=card(code), position=position)


def gone(code: str, spot: str, *, at_us: int = 0) -> f.Fact:
    return f.Gone(at_us=at_us, spot=spot, card=card(code))


def drawn(code: str | None, *, at_us: int = 0) -> f.Fact:
    return f.Drawn(at_us=at_us, card=None if code is None else card(code))
