"""The demo's players: what they bet, when they go, who says that he has won. They know their own cards, nobody else's.

`Temper.STEADY` is for counting presses: all of them stay, every hand is like the one before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from simulators.stage.games import Band
from tablectl.core.cards import card
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.settlement.ranking import CARDS_IN_A_HAND, Category, category, strength
from tablectl.families.banked.rulebook import BankedRulebook

_RANKS: Final = "23456789TJQKA"
_CHANGES_HIS_BET: Final = 0.4
_ADDS_A_SIDE_BET: Final = 0.4
_GOES_WITH_ANYTHING: Final = 0.3
_BETS_MORE: Final = 0.35
_CLAIMS: Final = 0.8
_CLAIMS_FOR_NOTHING: Final = 0.05
_STANDS: Final = 0.2
_STANDS_OUT: Final = 0.3
_IN_ANY_ORDER: Final = 0.5


class Temper(StrEnum):
    """How they play."""

    MIXED = "mixed"
    STEADY = "steady"


class Players:
    """All who sit and stand at one table."""

    def __init__(
        self,
        rulebook: Rulebook,
        limits: Mapping[str, Band],
        *,
        seats: int,
        seed: int,
        temper: Temper,
        is_full: bool = False,
    ) -> None:
        self._rulebook = rulebook
        self._limits = limits
        self._dice = random.Random(f"{seed}/players")
        self._steady = temper is Temper.STEADY
        taken = self._steady or is_full
        self.seats = [seat for seat in range(1, seats + 1) if taken or (seat * 7 + seed) % 4]

    # -- before the deal ---------------------------------------------------------------------------------------------

    def changes_bets(self) -> bool:
        """Whether a player bets otherwise than in the hand before."""
        return not self._steady and self._dice.random() < _CHANGES_HIS_BET

    @property
    def _boxes(self) -> BankedRulebook:
        assert isinstance(self._rulebook, BankedRulebook), "bets in boxes are of games against the bank"
        return self._rulebook

    def bets(self) -> str:
        """Bets of a seat with their amounts, as they are entered."""
        ante = self._boxes.entry_bet
        band = self._limits[ante]
        said = f"{ante} {min(band.least * self._dice.choice((1, 2, 2, 4, 10)), band.most)}"
        if (extra := self._boxes.extra_bet) is not None and self._adds_a_side_bet():
            said += f" {extra} {self._limits[extra].least * self._dice.choice((1, 5))}"
        return said

    def who_adds_a_side_bet(self) -> list[int]:
        """Who has one in this hand, where the seats alone are entered."""
        return [seat for seat in self.seats if self._adds_a_side_bet()]

    def _adds_a_side_bet(self) -> bool:
        return self._steady or self._dice.random() < _ADDS_A_SIDE_BET

    def standing_bets(self, seats: list[int], *, amounts: bool) -> Iterator[str]:
        """Bets of those who stand behind a seat and asked its player, now and then."""
        if self._boxes.standing is None or self._steady or not seats:
            return
        for _ in range(self._dice.choice((1, 1, 2)) if self._dice.random() < _STANDS else 0):
            yield f"{self.standing_bet(self._dice.choice(seats), amounts=amounts)} consent"

    def standing_bet(self, seat: int, *, amounts: bool) -> str:
        """The least that somebody who stands can bet, whether he may or not."""
        names = [self._boxes.entry_bet]
        if (extra := self._boxes.extra_bet) is not None and self._dice.random() < _ADDS_A_SIDE_BET:
            names.append(extra)
        return " ".join([f"standing {seat}", *(f"{n} {self._limits[n].least}" if amounts else n for n in names)])

    # -- decisions ---------------------------------------------------------------------------------------------------

    def goes(self, own: list[str], *, may_fold: bool) -> bool:
        """Whether a player bets, who looks at his own cards; otherwise he folds, or checks where nobody folds."""
        if self._steady or not may_fold:
            return may_fold if self._steady else self._dice.random() < _BETS_MORE
        ranks = sorted(_RANKS.index(face[0]) for face in own)
        good = len(ranks) < 2 or ranks[-1] >= 6 or len(set(ranks)) < len(ranks)
        return good or self._dice.random() < _GOES_WITH_ANYTHING

    def in_any_order(self) -> bool:
        """Whether those who do not go say so first, where the order is free."""
        return not self._steady and self._dice.random() < _IN_ANY_ORDER

    def stands_out(self) -> bool:
        """Whether one who stands behind a seat does not add a second bet of his own."""
        return self._dice.random() < _STANDS_OUT

    def claims(self, cards: list[str]) -> bool:
        """Whether a player says that he has won: what he sees is a pair of aces or better, mostly."""
        if self._steady:
            return False
        wins = len(cards) == CARDS_IN_A_HAND and _aces_or_better(cards)
        return self._dice.random() < (_CLAIMS if wins else _CLAIMS_FOR_NOTHING)


def _aces_or_better(cards: list[str]) -> bool:
    found = category(strength(card(face) for face in cards))
    aces = sum(face[0] == "A" for face in cards) > 1
    return found > Category.PAIR or (found is Category.PAIR and aces)
