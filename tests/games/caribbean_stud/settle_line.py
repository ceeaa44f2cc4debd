"""One line of `tablectl settle caribbean-stud`: which bets there can be, and the way to the settlement and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tablectl.core.settlement.lines.banked import BankedGame, WrongBet, as_json, read_line
from tablectl.core.validation import Mistake
from tests.games.caribbean_stud.options import CaribbeanStudProfile
from tests.games.caribbean_stud.payouts import HAND_CARDS, RAISE_IN_ANTES, Bet, Bets, Seat, settle


def settle_line(line: object, *, where: str, profile: CaribbeanStudProfile) -> dict[str, Any] | list[Mistake]:
    """The result of one parsed line, ready to be written as JSON, or everything that is wrong with the line."""
    hand = read_line(line, where=where, game=_GAME)
    if isinstance(hand, list):
        return hand
    seats = tuple(
        Seat(
            seat=seat.seat,
            cards=seat.cards,
            bets=Bets(ante=seat.bets[Bet.ANTE], more=seat.bets[Bet.RAISE]),
            folded=seat.folded,
        )
        for seat in hand.seats
    )
    return as_json(settle(house=hand.house, seats=seats))


def _wrong_ante(bets: Mapping[str, int]) -> Iterator[WrongBet]:
    if not bets[Bet.ANTE]:
        yield WrongBet(bet=Bet.ANTE, found="no ante", right="an ante (CST-DEV-1: no cards without it)")


def _wrong_when_folded(bets: Mapping[str, int]) -> Iterator[WrongBet]:
    if bets[Bet.RAISE]:
        yield WrongBet(bet=Bet.RAISE, found=str(bets[Bet.RAISE]), right="nothing, as the seat folded (CST-DEV-6)")


def _wrong_when_in(bets: Mapping[str, int]) -> Iterator[WrongBet]:
    due = RAISE_IN_ANTES * bets[Bet.ANTE]
    if bets[Bet.RAISE] != due:
        yield WrongBet(bet=Bet.RAISE, found=str(bets[Bet.RAISE]), right=f"{due}, twice the ante (CST-DEV-5)")


_GAME: Final = BankedGame(
    bets=tuple(bet.value for bet in Bet),
    boards=(0,),
    seats_clause="CST-PLY-1",
    deck_clause="CST-CRD-1",
    board_clause="CST-DEV-3",
    wrong_ante=_wrong_ante,
    wrong_when_folded=_wrong_when_folded,
    wrong_when_in=_wrong_when_in,
    outlive_fold={},
    hand=HAND_CARDS,
)
