"""A hand history as it was written: hold'em with a fixed, a pot or no limit.

The fields are those of the PHH format, "Required fields" and "Optional fields" (phh.readthedocs.io). Whether what it
tells could happen by the rules is not asked here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from tablectl.core.records import record
from tablectl.phh.actions import BoardDealt, Cards, HoleDealt, Show, Written

HOLE_CARDS: Final = 2
BOARD_CARDS: Final = 5
HEADS_UP: Final = 2


class Variant(StrEnum):
    """The games of the format that are hold'em."""

    FIXED_LIMIT = "FT"
    NO_LIMIT = "NT"
    #: Not in the format, which has no code for hold'em with a pot limit: named as the other two are.
    POT_LIMIT = "PT"


@record
class Hand:
    """One hand. Players stand in the order of the deal: the small blind first and the button last.

    Money is an integer of the smallest unit: the file's amounts times ten to the power of `decimals`. A starting stack
    that the file calls unknown (`inf`) is None. `finishing_stacks` and `winnings` are None where the file has none.
    """

    variant: Variant
    decimals: int
    antes: tuple[int, ...]
    blinds_or_straddles: tuple[int, ...]
    #: the lowest bet, of games without a fixed limit
    min_bet: int | None
    #: the bets of a fixed limit, before the turn and from the turn on
    small_bet: int | None
    big_bet: int | None
    starting_stacks: tuple[int | None, ...]
    actions: tuple[Written, ...]
    #: whether who cannot pay his whole ante competes for no more of the others' antes than he paid
    ante_trimming: bool = False
    finishing_stacks: tuple[int, ...] | None = None
    winnings: tuple[int, ...] | None = None
    players: tuple[str, ...] | None = None
    seats: tuple[int, ...] | None = None
    seat_count: int | None = None
    name: str | None = None

    @property
    def posted_antes(self) -> tuple[int, ...]:
        """What each player had to put in as an ante: with two players the format writes it the other way round."""
        return self._posted(self.antes)

    @property
    def posted_blinds(self) -> tuple[int, ...]:
        """As `posted_antes`: with two players the second has the button and the small blind."""
        return self._posted(self.blinds_or_straddles)

    def _posted(self, written: tuple[int, ...]) -> tuple[int, ...]:
        return written[::-1] if len(written) == HEADS_UP else written

    @property
    def board(self) -> Cards:
        """The common cards, the flop first."""
        return tuple(card for dealt in self.actions if isinstance(dealt, BoardDealt) for card in dealt.cards)

    def hole_cards(self, player: int) -> Cards:
        """The player's own cards as far as the file tells, where they were dealt or where he showed them."""
        dealt = tuple(
            card
            for action in self.actions
            if isinstance(action, HoleDealt) and action.player == player
            for card in action.cards
        )
        shown = [action.cards for action in self.actions if isinstance(action, Show) and action.player == player]
        return max((dealt, *(pair or () for pair in shown)), key=_known)

    def all_hole_cards(self) -> tuple[Cards, ...]:
        """As `hole_cards`, of every player in their order: always two, None for one that the file never tells."""
        dealt: list[Cards] = [()] * len(self.starting_stacks)
        for action in self.actions:
            if type(action) is HoleDealt:
                dealt[action.player - 1] += action.cards
            elif type(action) is Show and action.cards and None in dealt[action.player - 1]:
                dealt[action.player - 1] = max(dealt[action.player - 1], action.cards, key=_known)
        return tuple((*cards, *_UNKNOWN)[:HOLE_CARDS] for cards in dealt)


_UNKNOWN: Final = (None, None)


def _known(cards: Cards) -> int:
    return len(cards) - cards.count(None)
