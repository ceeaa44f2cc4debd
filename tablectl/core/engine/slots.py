"""Places for cards: a spot (seat 3, house, board, aside, burn, discard) and a position in it, face up or down."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Face(StrEnum):
    """Whether the rules let everybody see the card that lies there."""

    DOWN = "down"
    UP = "up"


class Slot:
    """One place for one card; interned, so compared and hashed by identity. In public it stands by its name: the codec
    takes no dataclass apart here.

    `name` is `seat-3.2`, `seat-3.up`, `house.1`, `house.up`, `board.4`, `aside.1`, `burn.1` or `discard.1`.
    """

    __slots__ = ("face", "name", "position", "seat", "spot")

    def __init__(self, spot: str, position: int, face: Face, name: str, seat: int | None = None) -> None:
        self.spot: Final = spot
        self.position: Final = position
        self.face: Final = face
        self.name: Final = name
        self.seat: Final = seat

    def __deepcopy__(self, memo: object) -> Slot:
        return self

    def __repr__(self) -> str:
        return f"Slot({self.name})"

    def __str__(self) -> str:
        return self.name


MAX_SEATS: Final = 10
#: A seat can hold a card too many; the bank too.
_MAX_AT_SPOT: Final = 12


def _spot(spot: str, face: Face, seat: int | None = None) -> tuple[Slot, ...]:
    return tuple(Slot(spot, position, face, f"{spot}.{position}", seat) for position in range(1, _MAX_AT_SPOT + 1))


SEATS: Final[tuple[tuple[Slot, ...], ...]] = tuple(
    _spot(f"seat-{seat}", Face.DOWN, seat) for seat in range(1, MAX_SEATS + 1)
)
#: A single card dealt face up to a seat, in the draw for the button.
SEAT_UP: Final = tuple(Slot(f"seat-{seat}", 1, Face.UP, f"seat-{seat}.up", seat) for seat in range(1, MAX_SEATS + 1))
HOUSE: Final = _spot("house", Face.DOWN)
#: The card of the bank that is dealt face up, in a game that has one.
HOUSE_UP: Final = Slot("house", 1, Face.UP, "house.up")
BOARD: Final = _spot("board", Face.UP)
#: Common cards that everybody saw too soon, before they go back into the deck or to their place.
ASIDE: Final = _spot("aside", Face.UP)
BURN: Final = _spot("burn", Face.DOWN)
DISCARD: Final = tuple(Slot("discard", position, Face.DOWN, f"discard.{position}") for position in range(1, 53))
#: What a question about the whole deck is about.
DECK_SPOT: Final = "deck"
BY_NAME: Final[dict[str, Slot]] = {
    slot.name: slot for group in (*SEATS, SEAT_UP, HOUSE, (HOUSE_UP,), BOARD, ASIDE, BURN, DISCARD) for slot in group
}


def seat_slot(seat: int, position: int) -> Slot:
    """The `position`-th card of a seat, both from 1."""
    return SEATS[seat - 1][position - 1]
