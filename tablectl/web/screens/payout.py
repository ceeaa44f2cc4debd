"""What the croupier has to take, pay, give back and collect, as lists made of the picture of the table. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from tablectl.core.public_table.table import DISCARDED, GATHERED, TAKEN, PublicTable, RefundView, SettledView

#: Cards that are out of the shoe and lie nowhere yet.
_WAITING: Final = "waiting"
_Bet = TypeVar("_Bet", SettledView, RefundView)


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One bettor's line of a list, by name of the bet. `total` is None where no amounts are entered."""

    seat: int
    bettor: int
    bets: Mapping[str, SettledView | RefundView] = field(default_factory=dict)
    total: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Sums:
    """What goes to the bank, from the bank, and back to its owners, in the smallest unit of money; all None without
    amounts. `stakes` of what wins stay where they are and are no part of it."""

    taken: int | None
    paid: int | None
    given_back: int | None


def settled_rows(bets: Iterable[SettledView]) -> tuple[Row, ...]:
    """Box by box from the croupier's left, who sits there before those who stand behind, as the engine said it."""
    return tuple(
        Row(
            seat=seat,
            bettor=bettor,
            bets={settled_view.bet: settled_view for settled_view in of},
            total=_sum(settled_view.pays for settled_view in of),
        )
        for (seat, bettor), of in _by_bettor(bets).items()
    )


def refund_rows(refunds: Iterable[RefundView]) -> tuple[Row, ...]:
    """Seat by seat and bet by bet."""
    return tuple(
        Row(
            seat=seat,
            bettor=bettor,
            bets={refund_view.bet: refund_view for refund_view in of},
            total=_sum(refund_view.amount for refund_view in of),
        )
        for (seat, bettor), of in _by_bettor(refunds).items()
    )


def boxes_of(bets: Iterable[SettledView], boxes: Iterable[str]) -> tuple[str, ...]:
    """The columns of a list: those boxes of the layout in which anything lay, and then the prizes that lie in none."""
    there, known = dict.fromkeys(bet.bet for bet in bets), tuple(boxes)
    return (*(box for box in known if box in there), *(name for name in there if name not in known))


def sums(bets: Iterable[SettledView]) -> Sums:
    """The totals of a list, in the order in which it is worked off: take, pay, give back (THB-SET-6)."""
    every = tuple(bets)
    return Sums(
        taken=_sum(
            None if settled_view.pays is None else -settled_view.pays
            for settled_view in every
            if settled_view.outcome == "lose"
        ),
        paid=_sum(settled_view.pays for settled_view in every if settled_view.outcome == "win"),
        given_back=_sum(settled_view.stake for settled_view in every if settled_view.outcome == "push"),
    )


def float_change(view: PublicTable) -> int | None:
    """What the table's float should grow by with this hand, negative where it shrinks; None without amounts."""
    lost = _sum(settled_view.pays for settled_view in (*view.paid, *view.settled))
    return None if lost is None else -lost


def collected(view: PublicTable) -> tuple[tuple[str, int], ...]:
    """How many cards have to be collected from where: every spot that has any, the seats first."""
    counts: dict[str, int] = {}
    for card in view.cards.values():
        if card.slot == GATHERED:
            continue
        spot = _WAITING if card.slot is None else card.slot.partition(".")[0]
        counts[spot] = counts.get(spot, 0) + 1
    order = ("house", "board", "burn", "discard", DISCARDED, TAKEN, _WAITING)
    seats = sorted(spot for spot in counts if spot.startswith("seat-"))
    return tuple((spot, counts[spot]) for spot in (*seats, *order) if spot in counts)


def _by_bettor(bets: Iterable[_Bet]) -> dict[tuple[int, int], list[_Bet]]:
    found: dict[tuple[int, int], list[_Bet]] = {}
    for bet in bets:
        found.setdefault((bet.seat, bet.bettor), []).append(bet)
    return found


def _sum(amounts: Iterable[int | None]) -> int | None:
    """None as soon as one of them is not known."""
    known = 0
    for amount in amounts:
        if amount is None:
            return None
        known += amount
    return known
