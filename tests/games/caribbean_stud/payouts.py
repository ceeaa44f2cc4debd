"""Who won what at Caribbean stud: a pure function of cards and bets. Five cards are a hand, and none are common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tablectl.core.cards import Card, cards
from tablectl.core.records import record
from tablectl.core.settlement.banked import (
    EVEN,
    DealtSeat,
    HouseHand,
    SeatResult,
    Settlement,
    Verdict,
    lost,
    prize,
    returned,
    won,
)
from tablectl.core.settlement.ranking import Category, Strength, category, strength

HAND_CARDS: Final = 5
#: How many antes the raise is (CST-DEV-5).
RAISE_IN_ANTES: Final = 2


class Bet(StrEnum):
    """The boxes in front of a seat, in the layout's order (CST-TAB-1)."""

    ANTE = "ante"
    RAISE = "raise"


@record
class Bets:
    """What lies in a seat's boxes: an amount, 0 for nothing, None for "unknown"."""

    ante: int | None
    more: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat(DealtSeat):
    """One seat that was dealt in."""

    bets: Bets


#: What a winning raise is paid by the player's hand, and the clause.
RAISE_ODDS: Final[Mapping[Category, tuple[tuple[int, int], str]]] = {
    Category.HIGH_CARD: (EVEN, "CST-PAY-1"),
    Category.PAIR: (EVEN, "CST-PAY-1"),
    Category.TWO_PAIR: ((2, 1), "CST-PAY-2"),
    Category.THREE_OF_A_KIND: ((3, 1), "CST-PAY-3"),
    Category.STRAIGHT: ((4, 1), "CST-PAY-4"),
    Category.FLUSH: ((5, 1), "CST-PAY-5"),
    Category.FULL_HOUSE: ((7, 1), "CST-PAY-6"),
    Category.FOUR_OF_A_KIND: ((20, 1), "CST-PAY-7"),
    Category.STRAIGHT_FLUSH: ((50, 1), "CST-PAY-8"),
    Category.ROYAL_FLUSH: ((100, 1), "CST-PAY-9"),
}
#: What is paid on the ante of who has three of a kind or better and stays, whatever the bank has (CST-PAY-10).
PRIZE: Final = "ante-prize"
PRIZE_ODDS: Final = (2, 1)
#: The least with which the bank qualifies: ace and king, beside the lowest cards there are (CST-DEV-8).
WEAKEST_TO_QUALIFY: Final = strength(cards("Ac Kd 4h 3s 2c"))

_FOLDED: Final = (lost(Bet.ANTE, "CST-DEV-6"),)
_NOT_QUALIFIED: Final = (won(Bet.ANTE, "CST-DEV-9"), returned(Bet.RAISE, "CST-DEV-9"))
_LOWER: Final = (lost(Bet.ANTE, "CST-DEV-11"), lost(Bet.RAISE, "CST-DEV-11"))
_EQUAL: Final = (returned(Bet.ANTE, "CST-DEV-12"), returned(Bet.RAISE, "CST-DEV-12"))
_HIGHER: Final = {
    hand: (won(Bet.ANTE, "CST-DEV-10"), won(Bet.RAISE, clause, odds)) for hand, (odds, clause) in RAISE_ODDS.items()
}


def settle(*, house: Sequence[Card], seats: Sequence[Seat]) -> Settlement:
    """Every bet of the hand, decided. `house` is the bank's five cards, or none where nobody stayed."""
    bank = strength(house) if len(house) == HAND_CARDS else None
    return Settlement(
        seats=tuple(_settle_seat(seat, bank) for seat in seats),
        house=HouseHand(plays=bank is not None and bank >= WEAKEST_TO_QUALIFY, strength=bank),
    )


def _settle_seat(seat: Seat, bank: Strength | None) -> SeatResult:
    if seat.folded:
        return SeatResult(seat=seat.seat, verdicts=_FOLDED, stakes=(seat.bets.ante,), strength=None, bettor=seat.bettor)
    own, against = seat.against(bank, ())
    verdicts: tuple[Verdict, ...] = _compared(own, against)
    stakes: tuple[int | None, ...] = (seat.bets.ante, seat.bets.more)
    if category(own) >= Category.THREE_OF_A_KIND:
        verdicts, stakes = (*verdicts, prize(PRIZE, "CST-PAY-10", PRIZE_ODDS)), (*stakes, seat.bets.ante)
    return SeatResult(seat=seat.seat, verdicts=verdicts, stakes=stakes, strength=own, bettor=seat.bettor)


def _compared(own: Strength, bank: Strength) -> tuple[Verdict, ...]:
    if bank < WEAKEST_TO_QUALIFY:
        return _NOT_QUALIFIED
    if own == bank:
        return _EQUAL
    return _LOWER if own < bank else _HIGHER[category(own)]
