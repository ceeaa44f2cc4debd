"""One line of `tablectl settle texas-poker`: which bets there can be, and the way to the settlement and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from tablectl.core.settlement.banked import BOARD_CARDS
from tablectl.core.settlement.lines.banked import BankedGame, WrongBet, as_json, read_line
from tablectl.core.validation import Mistake
from tablectl.games.texas_poker.options import SecondBet, TexasPokerProfile
from tablectl.games.texas_poker.payouts import FLOP_CARDS, SECOND_IN_ANTES, Bet, Bets, Seat, settle


def settle_line(line: object, *, where: str, profile: TexasPokerProfile) -> dict[str, Any] | list[Mistake]:
    """The result of one parsed line, ready to be written as JSON, or everything that is wrong with the line."""
    hand = read_line(line, where=where, game=_GAMES[profile.second_bet])
    if isinstance(hand, list):
        return hand
    seats = tuple(
        Seat(seat=seat.seat, cards=seat.cards, bets=Bets(**seat.bets), folded=seat.folded) for seat in hand.seats
    )
    return as_json(settle(board=hand.board, house=hand.house, seats=seats, profile=profile))


def _wrong_ante(bets: Mapping[str, int]) -> Iterator[WrongBet]:
    if not bets[Bet.ANTE]:
        clause = "TPC-DEV-2: no TXB without it" if bets[Bet.TXB] else "TPC-DEV-1: no cards without it"
        yield WrongBet(bet=Bet.ANTE, found="no ante", right=f"an ante ({clause})")


def _wrong_when_folded(bets: Mapping[str, int]) -> Iterator[WrongBet]:
    if bets[Bet.SECOND]:
        right = 'nothing, as the seat said "No Voy" instead (TPC-DEV-10)'
        yield WrongBet(bet=Bet.SECOND, found=str(bets[Bet.SECOND]), right=right)


def _wrong_when_in(second_bet: SecondBet, bets: Mapping[str, int]) -> Iterator[WrongBet]:
    """TPC-DEV-8: who did not fold went, and that is the second bet (TPC-DEV-9)."""
    due = SECOND_IN_ANTES[second_bet] * bets[Bet.ANTE]
    if bets[Bet.SECOND] != due:
        right = f"{due}, {_SAID[second_bet]} (TPC-DEV-9)"
        yield WrongBet(bet=Bet.SECOND, found=str(bets[Bet.SECOND]), right=right)


_SAID: Final = {SecondBet.TWICE_THE_ANTE: "twice the ante", SecondBet.SAME_AS_ANTE: "as much as the ante"}

#: When everybody folded, turn and river are not dealt; whether the flop is told makes no difference then.
_GAMES: Final = {
    second_bet: BankedGame(
        bets=tuple(bet.value for bet in Bet),
        boards=(BOARD_CARDS, FLOP_CARDS, 0),
        seats_clause="TPC-PLY-1",
        deck_clause="TPC-CRD-1",
        board_clause="TPC-DEV-19",
        wrong_ante=_wrong_ante,
        wrong_when_folded=_wrong_when_folded,
        wrong_when_in=partial(_wrong_when_in, second_bet),
        outlive_fold={},  # the TXB is lost with the ante (TPC-DEV-11)
    )
    for second_bet in SecondBet
}
