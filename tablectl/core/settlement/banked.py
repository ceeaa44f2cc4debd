"""What the settlement of a game against the house consists of, whatever the game.

A `Verdict` says what becomes of whatever lies in one box of the layout, and which clause says so; it holds with or
without amounts. A `BetResult` adds the money. Money is an integer of the smallest unit. A stake is an amount, 0 where
nothing lies in the box, or None where the controller does not know what lies there (tracking levels "presence" and
"actions"): then the verdict stands, and there is nothing to add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tablectl.core.cards import Card
from tablectl.core.records import record
from tablectl.core.settlement.ranking import Category, Strength, category, strength

BOARD_CARDS: Final = 5
HOLE_CARDS: Final = 2
EVEN: Final = (1, 1)


class Outcome(StrEnum):
    """What happens to a bet."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


@record
class Verdict:
    """What becomes of one bet of a seat, before amounts: `odds` are those of a win, (3, 1) for three to one.

    `is_prize`: it is paid beside what becomes of a bet, and its stake is the one of that bet, which lies in that box.
    """

    bet: str
    outcome: Outcome
    odds: tuple[int, int] | None = None
    clause: str
    is_prize: bool = False

    def pays(self, stake: int) -> int:
        """The winnings beside the stake; negative when the stake is lost, 0 when it is returned."""
        if self.odds is not None:
            return stake * self.odds[0] // self.odds[1]
        return 0 if self.outcome is Outcome.PUSH else -stake

    def lies(self, stake: int | None) -> int | None:
        """How much of the stake lies in a box of this name: nothing of a prize, None where nobody knows."""
        return 0 if self.is_prize and stake is not None else stake


def won(bet: str, clause: str, odds: tuple[int, int] = EVEN) -> Verdict:
    """The bet is paid at these odds."""
    return Verdict(bet=bet, outcome=Outcome.WIN, odds=odds, clause=clause)


def prize(name: str, clause: str, odds: tuple[int, int]) -> Verdict:
    """Paid at these odds on a bet, whatever becomes of that bet; the stake beside this verdict is the one of the bet.
    `name` is what the list of the croupier calls it, and no box."""
    return Verdict(bet=name, outcome=Outcome.WIN, odds=odds, clause=clause, is_prize=True)


def lost(bet: str, clause: str) -> Verdict:
    """The house takes the bet."""
    return Verdict(bet=bet, outcome=Outcome.LOSE, clause=clause)


def returned(bet: str, clause: str) -> Verdict:
    """The bet neither wins nor loses: its owner takes it back."""
    return Verdict(bet=bet, outcome=Outcome.PUSH, clause=clause)


@dataclass(frozen=True, kw_only=True, slots=True)
class DealtSeat:
    """One seat that was dealt in; each game adds what lies in its boxes.

    `cards` may be None where the rules do not ask what they are: nobody may see them.
    """

    seat: int
    cards: tuple[Card, ...] | None
    folded: bool
    #: 1 is who sits at the box, 2 and on stand behind it
    bettor: int = 1

    def own_cards(self, because: str) -> tuple[Card, ...]:
        """The seat's cards where they must be known. Raises `ValueError`, saying why, if they are not there."""
        if self.cards is None:
            raise ValueError(f"seat {self.seat} {because}: its cards are needed")
        return self.cards

    def against(self, bank: Strength | None, board: Sequence[Card]) -> tuple[Strength, Strength]:
        """What the best five of the seat's and the common cards are worth, and the bank's. Raises `ValueError` where
        cards are missing."""
        if self.cards is None or bank is None:
            raise ValueError(f"seat {self.seat} did not fold: its cards, the bank's and all common cards are needed")
        return strength((*board, *self.cards)), bank


@record
class BetResult:
    """One settled bet. `pays` is the winnings beside the stake, negative when the stake is lost."""

    bet: str
    outcome: Outcome
    odds: tuple[int, int] | None
    clause: str
    stake: int | None
    pays: int | None


@record
class SeatResult:
    """What one seat gets: a verdict and a stake for each box that counts, side by side in the layout's order.

    The sums and the list are worked out when they are asked for: a table that keeps no amounts never asks.
    """

    seat: int
    verdicts: tuple[Verdict, ...]
    stakes: tuple[int | None, ...]
    strength: Strength | None
    bettor: int = 1

    @property
    def category(self) -> Category | None:
        """The seat's combination; None for a seat that folded."""
        return None if self.strength is None else category(self.strength)

    @property
    def bets(self) -> tuple[BetResult, ...]:
        """The seat's bets one by one, in the layout's order; boxes known to be empty are left out."""
        return tuple(
            BetResult(
                bet=verdict.bet,
                outcome=verdict.outcome,
                odds=verdict.odds,
                clause=verdict.clause,
                stake=verdict.lies(stake),
                pays=None if stake is None else verdict.pays(stake),
            )
            for verdict, stake in zip(self.verdicts, self.stakes, strict=True)
            if stake != 0
        )

    @property
    def net(self) -> int | None:
        """What the seat wins (or, negative, loses) in all; None if a stake is unknown."""
        total = 0
        for verdict, stake in zip(self.verdicts, self.stakes, strict=True):
            if stake is None:
                return None
            total += verdict.pays(stake)
        return total


def bank_strength(board: Sequence[Card], house: Sequence[Card]) -> Strength | None:
    """The bank's best five of seven; None while the five common cards do not all lie there."""
    return strength((*board, *house)) if len(board) == BOARD_CARDS else None


@record
class HouseHand:
    """The house's hand: whether it plays (some games let it qualify first) and what it is worth.

    `strength` is None when there was no whole board to make a hand with, because everybody had folded.
    """

    plays: bool
    strength: Strength | None

    @property
    def category(self) -> Category | None:
        """The house's combination; None without a board."""
        return None if self.strength is None else category(self.strength)


@record
class Settlement:
    """A settled hand: every seat that was dealt in, in the order given, and the house."""

    seats: tuple[SeatResult, ...]
    house: HouseHand

    @property
    def house_net(self) -> int | None:
        """What the house wins: the seats' sum with the other sign; None if a stake is unknown."""
        total = _sum_of_known(seat.net for seat in self.seats)
        return None if total is None else -total


def _sum_of_known(amounts: Iterable[int | None]) -> int | None:
    total = 0
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total
