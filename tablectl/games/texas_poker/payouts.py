"""Who won what at Texas Poker de contrapartida (`texas-poker`, document 000, TPC-*): a pure function of cards and bets.

Every seat plays against the house (TPC-DEF-1) and tries to beat its hand (TPC-DEF-3). Ante and second bet wait for the
bank, which comes into play with a pair of fours or better (TPC-DEV-20). The TXB is decided earlier and by itself, on
the seat's two cards and the flop, and a seat that said "No Voy" has lost it unseen (TPC-DEV-11). An announced hand
changes nothing: the cards speak (TPC-CRE-1), so none of these functions takes one.

Standing bettors are seats of their own here: the same cards, their own bets; folded if they did not add the second bet
to that of the seated player (AMB-41).
"""

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
    bank_strength,
    lost,
    returned,
    won,
)
from tablectl.core.settlement.ranking import Category, Strength, category, strength, weakest
from tablectl.games.texas_poker.options import AnteWithoutBank, SecondBet, TexasPokerProfile, Tie, TxbAces


class Bet(StrEnum):
    """The boxes in front of a seat, in the layout's order (TPC-TAB-1)."""

    ANTE = "ante"
    SECOND = "second"
    TXB = "txb"


FLOP_CARDS: Final = 3

#: How many antes the second bet is; to "double" is read as twice the ante (TPC-DEV-9, AMB-40).
SECOND_IN_ANTES: Final[Mapping[SecondBet, int]] = {SecondBet.TWICE_THE_ANTE: 2, SecondBet.SAME_AS_ANTE: 1}


@record
class Bets:
    """What lies in a seat's boxes: an amount, 0 for nothing, None for "unknown" (whatever lies there is settled so)."""

    ante: int | None
    second: int | None
    txb: int | None


#: Tracking level "presence": the croupier reads the boxes, the controller says what becomes of each.
UNKNOWN_BETS: Final = Bets(ante=None, second=None, txb=None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat(DealtSeat):
    """One seat that was dealt in. `cards` may be None for every folded seat, with a TXB too: nobody looks at them.

    `withdrawn`: its cards touched another player's and were taken away (TPC-PLE-1); whatever lies there is lost, a
    second bet as well (AMB-34). Where the pit boss refunds instead, the seat is not settled at all.
    """

    bets: Bets
    withdrawn: bool = False


#: The ante's table by the player's own hand (TPC-PAY-0); from a straight down to a high card it pays even money.
ANTE_ODDS: Final[Mapping[Category, tuple[int, int]]] = {
    Category.ROYAL_FLUSH: (100, 1),  # TPC-PAY-1
    Category.STRAIGHT_FLUSH: (20, 1),  # TPC-PAY-2
    Category.FOUR_OF_A_KIND: (10, 1),  # TPC-PAY-3
    Category.FULL_HOUSE: (3, 1),  # TPC-PAY-4
    Category.FLUSH: (2, 1),  # TPC-PAY-5
    **dict.fromkeys((hand for hand in Category if hand <= Category.STRAIGHT), EVEN),  # TPC-PAY-6
}

#: "No Voy" costs the ante and a TXB too, although its cards might have won (TPC-DEV-11).
_ANTE_FOLDED: Final = lost(Bet.ANTE, "TPC-DEV-11")
_TXB_FOLDED: Final = lost(Bet.TXB, "TPC-DEV-11")
_WITHDRAWN: Final = tuple(lost(bet, "TPC-PLE-1") for bet in Bet)
_TXB_WITHDRAWN: Final = _WITHDRAWN[-1]
_LOWER: Final = (lost(Bet.ANTE, "TPC-DEV-25"), lost(Bet.SECOND, "TPC-DEV-25"))
#: Equal ranks, but not "the same cards" where the house takes these words for the very same five (AMB-44).
_NOT_BEATEN: Final = (lost(Bet.ANTE, "TPC-DEF-3"), lost(Bet.SECOND, "TPC-DEF-3"))
_EQUAL: Final = (returned(Bet.ANTE, "TPC-DEV-24"), returned(Bet.SECOND, "TPC-DEV-24"))

#: A winning second bet earns even money whatever the hand (TPC-PAY-9).
_SECOND_WON: Final = won(Bet.SECOND, "TPC-DEV-27")
_HIGHER: Final = {category: (won(Bet.ANTE, "TPC-DEV-26", odds), _SECOND_WON) for category, odds in ANTE_ODDS.items()}

#: The bank stays out: it pays the ante, and the second bet neither wins nor loses (TPC-DEV-22).
_SECOND_BACK: Final = returned(Bet.SECOND, "TPC-DEV-22")
_ANTE_BY_TABLE: Final = {
    category: (won(Bet.ANTE, "TPC-DEV-21", odds), _SECOND_BACK) for category, odds in ANTE_ODDS.items()
}
_ANTE_AT_EVENS: Final = (won(Bet.ANTE, "TPC-DEV-21", EVEN), _SECOND_BACK)
_ANTE_BACK: Final = (returned(Bet.ANTE, "TPC-DEV-21"), _SECOND_BACK)

#: The least with which the bank comes into play: a pair of fours (TPC-DEV-20), beside the lowest cards there are.
WEAKEST_IN_PLAY: Final = strength(cards("4c 4d 5h 3s 2c"))

_FLUSH_PAYS: Final = won(Bet.TXB, "TPC-PAY-7", (25, 1))
_ACES_PAY: Final = won(Bet.TXB, "TPC-PAY-8", (7, 1))
_TXB_LOSES: Final = lost(Bet.TXB, "TPC-DEV-14")
_WEAKEST_FLUSH: Final = weakest(Category.FLUSH)
_WEAKEST_TWO_PAIR: Final = weakest(Category.TWO_PAIR)
_WEAKEST_ACES: Final = strength(cards("Ac Ad 4h 3s 2c"))
_ACE: Final = 14


def bank_in_play(bank: Strength) -> bool:
    """Whether the bank's best five of seven let it compare: a pair of fours or better (TPC-DEV-20)."""
    return bank >= WEAKEST_IN_PLAY


def txb_verdict(own: Sequence[Card], *, flop: Sequence[Card], profile: TexasPokerProfile) -> Verdict:
    """What the seat's two cards and the three of the flop are worth, these five and no others (TPC-DEV-16).

    Aces of the flop count for the pair of aces as well, unless the house wants both in the hand (AMB-42).
    """
    five = strength((*own, *flop))
    if five >= _WEAKEST_FLUSH:
        return _FLUSH_PAYS
    if five >= _WEAKEST_TWO_PAIR:
        return _ACES_PAY
    own_aces = all(card.rank == _ACE for card in own)
    if five >= _WEAKEST_ACES and (own_aces or profile.txb_aces is TxbAces.ANY_OF_FIVE):
        return _ACES_PAY
    return _TXB_LOSES


def settle_txb(*, flop: Sequence[Card], seats: Sequence[Seat], profile: TexasPokerProfile) -> tuple[SeatResult, ...]:
    """The TXB alone, as it is paid and collected before the turn (TPC-DEV-14).

    One result for each seat with such a bet (TPC-DEV-15), in the order given; a seat that folded has lost it. The
    verdicts are those that `settle` gives again when the hand is over.
    """
    return tuple(_settle_txb(seat, flop, profile) for seat in seats if seat.bets.txb != 0)


def settle(
    *, board: Sequence[Card], house: Sequence[Card], seats: Sequence[Seat], profile: TexasPokerProfile
) -> Settlement:
    """Every bet of the hand, decided (TPC-DEV-11, TPC-DEV-14 to -16, TPC-DEV-19 to -27, TPC-PAY-0 to -9).

    It is told no announced hand, only cards: these speak (TPC-CRE-1), each seat's against the bank's (TPC-DEF-1, -3).

    `board` is the five common cards, the flop first; or as many as lay there when everybody had folded. `house` is
    the house's two cards. Seats come back in the order given. That amounts, cards and actions fit the rules is the
    caller's to know (the engine enforces it, `tablectl settle` checks it); cards that are needed and not there raise
    `ValueError`.
    """
    bank = bank_strength(board, house)
    return Settlement(
        seats=tuple(_settle_seat(seat, board, bank, profile) for seat in seats),
        house=HouseHand(plays=bank is not None and bank_in_play(bank), strength=bank),
    )


def _settle_txb(seat: Seat, flop: Sequence[Card], profile: TexasPokerProfile) -> SeatResult:
    own = None if seat.folded or seat.withdrawn else strength((*seat.own_cards("has a TXB"), *flop))
    return SeatResult(
        seat=seat.seat, verdicts=(_txb(seat, flop, profile),), stakes=(seat.bets.txb,), strength=own, bettor=seat.bettor
    )


def _txb(seat: Seat, flop: Sequence[Card], profile: TexasPokerProfile) -> Verdict:
    if seat.withdrawn:
        return _TXB_WITHDRAWN
    if seat.folded:
        return _TXB_FOLDED
    return txb_verdict(seat.own_cards("has a TXB"), flop=flop, profile=profile)


def _settle_seat(seat: Seat, board: Sequence[Card], bank: Strength | None, profile: TexasPokerProfile) -> SeatResult:
    bets = seat.bets
    stakes: tuple[int | None, ...]
    if seat.withdrawn:
        stakes = (bets.ante, bets.second, bets.txb)
        return SeatResult(seat=seat.seat, verdicts=_WITHDRAWN, stakes=stakes, strength=None, bettor=seat.bettor)
    own: Strength | None = None
    verdicts: tuple[Verdict, ...] = (_ANTE_FOLDED,)
    stakes = (bets.ante,)
    if not seat.folded:
        own, against = seat.against(bank, board)
        verdicts = _compared(own, against, board, profile)
        stakes = (bets.ante, bets.second)
    if bets.txb != 0:
        verdicts = (*verdicts, _txb(seat, board[:FLOP_CARDS], profile))
        stakes = (*stakes, bets.txb)
    return SeatResult(seat=seat.seat, verdicts=verdicts, stakes=stakes, strength=own, bettor=seat.bettor)


def _compared(own: Strength, bank: Strength, board: Sequence[Card], profile: TexasPokerProfile) -> tuple[Verdict, ...]:
    """Ante and second bet: the best five of seven (TPC-DEV-19) against the bank's, if that plays (TPC-DEV-23)."""
    if not bank_in_play(bank):
        return _without_bank(own, bank, profile)
    if own < bank:
        return _LOWER
    if own == bank:
        return _EQUAL if _same_cards(own, board, profile) else _NOT_BEATEN
    return _HIGHER[category(own)]


def _same_cards(equal: Strength, board: Sequence[Card], profile: TexasPokerProfile) -> bool:
    """Whether two hands of equal ranks (TPC-RNK-11) are "the same cards", and so tie (TPC-DEV-24, AMB-44).

    As shipped they always are. A house may take the words for the very same five cards: seat and bank share none but
    those of the board, so both must play it, and it must be worth as much as their hands. Of other equal hands the
    document says nothing (suits decide nothing anywhere in it); whoever only equals the bank has not beaten it, which
    is what a player has to do (TPC-DEF-3), and loses.
    """
    return profile.tie is Tie.EQUAL_RANKS or strength(board) == equal


def _without_bank(own: Strength, bank: Strength, profile: TexasPokerProfile) -> tuple[Verdict, ...]:
    """TPC-DEV-21: every ante that stayed in is paid for the player's own hand, though the bank's be higher (AMB-43)."""
    match profile.ante_without_bank:
        case AnteWithoutBank.PAY_TABLE:
            return _ANTE_BY_TABLE[category(own)]
        case AnteWithoutBank.EVEN_MONEY:
            return _ANTE_AT_EVENS
        case AnteWithoutBank.HIGHER_HANDS:
            return _ANTE_BY_TABLE[category(own)] if own > bank else _ANTE_BACK
