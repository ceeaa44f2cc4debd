"""What a choice of the pit boss would do, as data: what becomes of the hand and of each seat's money."""

from __future__ import annotations

from enum import StrEnum

from tablectl.core.engine.vocabulary import Remedy
from tablectl.core.records import record


class Fate(StrEnum):
    """What becomes of the hand."""

    VOID = "void"
    RESHUFFLED = "reshuffled"
    SEATS_OUT = "seats-out"
    GOES_ON = "goes-on"


@record
class SeatMoney:
    """What one seat, with whoever stands behind it, gets back and gives back, in the smallest unit of money; None where
    it is something of which no amount was entered.

    `bets_back`, `bets_taken`: of which bets these are, where it is not known how much.

    `paid_back`: bets that are in play, and what a settlement had collected. `taken_back`: what a settlement had paid.
    The stake of a bet that had won is the player's in any case.
    """

    seat: int
    paid_back: int | None
    taken_back: int | None
    bets_back: tuple[str, ...] = ()
    bets_taken: tuple[str, ...] = ()


@record
class Preview:
    """What a remedy would do. `out`: the seats that it takes out of the hand; `seats`: those whose money it moves.
    `needs_reason`: the pit boss has to say why he chooses it."""

    remedy: Remedy
    fate: Fate
    out: tuple[int, ...]
    seats: tuple[SeatMoney, ...]
    needs_reason: bool
