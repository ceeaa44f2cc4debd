"""One line of `tablectl settle texas-bonus`: which bets there can be, and the way to the settlement and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tablectl.core.settlement.banked import BOARD_CARDS
from tablectl.core.settlement.lines.banked import BankedGame, WrongBet, as_json, read_line
from tablectl.core.validation import Mistake
from tablectl.games.texas_bonus.options import TexasBonusProfile
from tablectl.games.texas_bonus.payouts import FLOP_IN_ANTES, Bet, Bets, Seat, settle


def settle_line(line: object, *, where: str, profile: TexasBonusProfile) -> dict[str, Any] | list[Mistake]:
    """The result of one parsed line, ready to be written as JSON, or everything that is wrong with the line."""
    hand = read_line(line, where=where, game=_GAME)
    if isinstance(hand, list):
        return hand
    seats = tuple(
        Seat(seat=seat.seat, cards=seat.cards, bets=Bets(**seat.bets), folded=seat.folded) for seat in hand.seats
    )
    return as_json(settle(board=hand.board, house=hand.house, seats=seats, profile=profile))


def _wrong_ante(bets: Mapping[str, int]) -> Iterator[WrongBet]:
    if not bets[Bet.ANTE]:
        clause = "THB-DEV-3: no bonus without it" if bets[Bet.BONUS] else "THB-DEV-2: no cards without it"
        yield WrongBet(bet=Bet.ANTE, found="no ante", right=f"an ante ({clause})")


def _wrong_when_folded(bets: Mapping[str, int]) -> Iterator[WrongBet]:
    for bet in (Bet.FLOP, Bet.TURN, Bet.RIVER):
        if bets[bet]:
            right = "nothing, as the seat folded instead (THB-DEV-11)"
            yield WrongBet(bet=bet, found=str(bets[bet]), right=right)


def _wrong_when_in(bets: Mapping[str, int]) -> Iterator[WrongBet]:
    ante = bets[Bet.ANTE]
    if bets[Bet.FLOP] != FLOP_IN_ANTES * ante:
        right = f"{FLOP_IN_ANTES * ante}, twice the ante (THB-DEV-11)"
        yield WrongBet(bet=Bet.FLOP, found=str(bets[Bet.FLOP]), right=right)
    for bet, clause in ((Bet.TURN, "THB-DEV-15"), (Bet.RIVER, "THB-DEV-20")):
        if bets[bet] not in {0, ante}:
            right = f"{ante}, exactly the ante, or nothing ({clause})"
            yield WrongBet(bet=bet, found=str(bets[bet]), right=right)


#: No board at all if everybody folded: nobody sees the flop before deciding (THB-DEV-11).
_GAME: Final = BankedGame(
    bets=tuple(bet.value for bet in Bet),
    boards=(BOARD_CARDS, 0),
    seats_clause="THB-PLY-1",  # and THB-TAB-1
    deck_clause="THB-CRD-1",
    board_clause="THB-TAB-3",
    wrong_ante=_wrong_ante,
    wrong_when_folded=_wrong_when_folded,
    wrong_when_in=_wrong_when_in,
    outlive_fold={Bet.BONUS: "the seat has a bonus bet (THB-BON-0)"},
)
