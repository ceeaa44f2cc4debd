"""Who won what at Texas Hold'em Bonus (`texas-bonus`, document 002, THB-*): a pure function of cards and bets.

The players stand against the house: there is no pot (THB-DEF-1), and the house always plays, for document 002 knows no
qualification. The four main bets live and die with the comparison of
the two best hands of five; the bonus looks at the seat's own two cards alone, folded or not (THB-DEV-4). An announced
hand changes nothing: what lies on the table counts (THB-DEV-24, THB-DEV-25).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from tablectl.core.cards import DECK, Card
from tablectl.core.records import record
from tablectl.core.settlement.banked import (
    DealtSeat,
    HouseHand,
    SeatResult,
    Settlement,
    Verdict,
    bank_strength,
    lost,
    returned,
    won,
)
from tablectl.core.settlement.ranking import Category, Strength, category, weakest
from tablectl.games.texas_bonus.options import AnteBelowStraight, PairOfJacksBonus, TexasBonusProfile, Tie


class Bet(StrEnum):
    """The boxes in front of a seat, in the layout's order (THB-TAB-2)."""

    ANTE = "ante"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    BONUS = "bonus"


#: The flop bet is this many antes (THB-DEV-11).
FLOP_IN_ANTES: Final = 2


@record
class Bets:
    """What lies in a seat's boxes: an amount, 0 for nothing, None for "unknown" (whatever lies there is settled so)."""

    ante: int | None
    flop: int | None
    turn: int | None
    river: int | None
    bonus: int | None


#: Tracking level "presence": the croupier reads the boxes, the controller says what becomes of each.
UNKNOWN_BETS: Final = Bets(ante=None, flop=None, turn=None, river=None, bonus=None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat(DealtSeat):
    """One seat that was dealt in. `cards` may be None for a folded seat without a bonus bet: nobody may see them."""

    bets: Bets


_MAIN: Final = (Bet.ANTE, Bet.FLOP, Bet.TURN, Bet.RIVER)
_FOLDED: Final[tuple[Verdict, ...]] = (lost(Bet.ANTE, "THB-DEV-12"),)
_LOWER: Final = tuple(lost(bet, "THB-SET-1") for bet in _MAIN)
_EQUAL: Final = tuple(returned(bet, "THB-SET-2") for bet in _MAIN)
_HIGHER: Final = tuple(won(bet, "THB-SET-3") for bet in _MAIN[1:])
_HIGHER_FROM_STRAIGHT: Final = (won(Bet.ANTE, "THB-SET-4"), *_HIGHER)
_HIGHER_BELOW_STRAIGHT: Final = {  # THB-SET-5: "no se pagará" is read as returned, or as lost (AMB-52)
    AnteBelowStraight.RETURNED: (returned(Bet.ANTE, "THB-SET-5"), *_HIGHER),
    AnteBelowStraight.LOST: (lost(Bet.ANTE, "THB-SET-5"), *_HIGHER),
}
_WEAKEST_STRAIGHT: Final = weakest(Category.STRAIGHT)


def _bonus(to_one: int, clause: str) -> Verdict:
    return won(Bet.BONUS, clause, (to_one, 1))


_ACES: Final = _bonus(30, "THB-BON-2")
_ACES_AGAINST_ACES: Final = _bonus(1000, "THB-BON-1")
_BONUS_LOSES: Final = lost(Bet.BONUS, "THB-BON-9")
_TENS_TO_ONE: Final = _bonus(10, "THB-BON-6")
_SMALL_PAIR: Final = _bonus(3, "THB-BON-8")

#: The table of the bonus bet by the two ranks, higher first (14 is the ace), and whether they share a suit.
_BONUS_LINES: Final = {
    (14, 14, False): _ACES,
    (14, 13, True): _bonus(25, "THB-BON-3"),
    (14, 12, True): _bonus(20, "THB-BON-4"),
    (14, 11, True): _bonus(20, "THB-BON-4"),
    (14, 13, False): _bonus(15, "THB-BON-5"),
    (13, 13, False): _TENS_TO_ONE,
    (12, 12, False): _TENS_TO_ONE,
    (14, 12, False): _bonus(5, "THB-BON-7"),
    (14, 11, False): _bonus(5, "THB-BON-7"),
    **{(rank, rank, False): _SMALL_PAIR for rank in range(2, 11)},
}

#: J-J stands in no line of the document's table (AMB-50).
_JACKS: Final = {
    PairOfJacksBonus.LOSES: {},
    PairOfJacksBonus.PAYS_10_TO_1: {(11, 11, False): _TENS_TO_ONE},
}


@cache
def _by_two_cards(jacks: PairOfJacksBonus) -> tuple[tuple[Verdict, ...], ...]:
    """The bonus table spelt out, indexed by the two cards' `index` (THB-BON-0)."""
    lines = _BONUS_LINES | _JACKS[jacks]
    return tuple(
        tuple(lines.get((max(a.rank, b.rank), min(a.rank, b.rank), a.suit == b.suit), _BONUS_LOSES) for b in DECK)
        for a in DECK
    )


_ACE: Final = 14


def bonus_verdict(cards: Sequence[Card], *, house: Sequence[Card], profile: TexasBonusProfile) -> Verdict:
    """What the seat's two cards alone are worth (THB-BON-0 to THB-BON-9): one line, the highest that applies.

    The house's cards matter to a pair of aces only, and only when they are a pair of aces too (THB-BON-1).
    """
    line = _by_two_cards(profile.pair_of_jacks_bonus)[cards[0].index][cards[1].index]
    if line is _ACES and house[0].rank == house[1].rank == _ACE:
        return _ACES_AGAINST_ACES
    return line


def settle(
    *, board: Sequence[Card], house: Sequence[Card], seats: Sequence[Seat], profile: TexasBonusProfile
) -> Settlement:
    """Every bet of the hand, decided (THB-SET-1 to -5, THB-BON-0 to -9, THB-DEV-4, -12): seat by seat against the bank,
    never against each other (THB-DEF-1).

    `board` is the five common cards, or empty when everybody folded and none was dealt; `house` the house's two
    cards. Seats come back in the order given. That amounts, cards and actions fit the rules is the caller's to
    know (the engine enforces it, `tablectl settle` checks it); cards that are needed and not there raise
    `ValueError`.
    """
    bank = bank_strength(board, house)
    return Settlement(
        seats=tuple(_settle_seat(seat, board, house, bank, profile) for seat in seats),
        house=HouseHand(plays=True, strength=bank),
    )


def _settle_seat(
    seat: Seat,
    board: Sequence[Card],
    house: Sequence[Card],
    bank: Strength | None,
    profile: TexasBonusProfile,
) -> SeatResult:
    bets = seat.bets
    own: Strength | None = None
    verdicts = _FOLDED
    stakes: tuple[int | None, ...] = (bets.ante,)
    if not seat.folded:
        own, against = seat.against(bank, board)
        verdicts = _compared(own, against, profile)
        stakes = (bets.ante, bets.flop, bets.turn, bets.river)
    if bets.bonus != 0:  # decided by itself, whatever became of the other bets (THB-DEV-4)
        cards = seat.own_cards("has a bonus bet")
        verdicts = (*verdicts, bonus_verdict(cards, house=house, profile=profile))
        stakes = (*stakes, bets.bonus)
    return SeatResult(seat=seat.seat, verdicts=verdicts, stakes=stakes, strength=own)


def _compared(own: Strength, house: Strength, profile: TexasBonusProfile) -> tuple[Verdict, ...]:
    """The four main bets: who beats the bank wins (THB-DEF-2).

    Within a combination the ranks decide, and only hands equal in all five ranks tie; unless the house lets every two
    hands of one combination tie (THB-RNK-11, THB-SET-2, AMB-49).
    """
    if own == house or (profile.tie is Tie.SAME_CATEGORY and category(own) is category(house)):
        return _EQUAL
    if own < house:
        return _LOWER
    if own >= _WEAKEST_STRAIGHT:
        return _HIGHER_FROM_STRAIGHT
    return _HIGHER_BELOW_STRAIGHT[profile.ante_below_straight]
