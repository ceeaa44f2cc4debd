"""Where the cards of a hand lie once all of them are dealt: how many a player has, which are the bank's, how many are
common. Each game says it in its rulebook, and everything that counts, turns, compares or draws cards asks it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tablectl.core.engine.slots import BOARD, HOUSE, SEATS, Face, Slot


@dataclass(frozen=True, kw_only=True, slots=True)
class CardPlaces:
    """The places of one game. `player` and `common` are numbers of cards; `bank` are its places in the order of the
    deal, empty where players bet against each other."""

    player: int
    common: int = 0
    bank: tuple[Slot, ...] = ()

    @property
    def board(self) -> tuple[Slot, ...]:
        """Where the common cards lie."""
        return BOARD[: self.common]

    def of_seat(self, seat: int) -> tuple[Slot, ...]:
        """Where the cards of a player lie."""
        return SEATS[seat - 1][: self.player]

    def at_seat(self, seat: int) -> tuple[Slot, ...]:
        """The same, and one too many."""
        return SEATS[seat - 1][: self.player + 1]

    @property
    def at_bank(self) -> tuple[Slot, ...]:
        """Where the cards of the bank lie, and one too many."""
        return (*self.bank, HOUSE[sum(slot.face is Face.DOWN for slot in self.bank)])


#: Two cards to each player, two to the bank where there is one, five common cards.
HOLDEM_PLACES: Final = CardPlaces(player=2, common=5, bank=HOUSE[:2])
