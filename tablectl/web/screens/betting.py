"""What a screen offers in a round of a circle game, and who gets what at its end: made of the picture. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from tablectl.core.engine.prompt import Legal
from tablectl.core.public_table.pot_game import AwardView
from tablectl.core.public_table.table import PublicTable

#: The sizes that are offered beside the amount field, as texts' keys.
LEAST: Final = "least"
HALF_POT: Final = "half-pot"
WHOLE_POT: Final = "whole-pot"


@dataclass(frozen=True, kw_only=True, slots=True)
class Quick:
    """A size at one press: its name, and the whole stake of the seat in this round."""

    name: str
    to: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Delivery:
    """What one seat gets: of which pots, what of its own comes back, and in which pots it has the odd chip. Amounts are
    None where none are entered."""

    seat: int
    awards: tuple[AwardView, ...]
    back: int
    odd_in: tuple[int, ...]

    @property
    def total(self) -> int | None:
        """All of it."""
        amounts = [award.amount for award in self.awards]
        known = [amount for amount in amounts if amount is not None]
        return sum(known) + self.back if len(known) == len(amounts) else None


def quick_sizes(view: PublicTable) -> tuple[Quick, ...]:
    """The legal ones of: the least bet or raise, half the pot, the pot. A raise of the pot is as much as lies there
    after the call, on top of it; in whole chips."""
    legal = view.prompt.legal if view.prompt is not None else None
    if legal is None or legal.raise_from is None or not legal.may_raise or view.is_out_of_turn:
        return ()
    return tuple(_distinct(view, legal))


def _distinct(view: PublicTable, legal: Legal) -> Iterator[Quick]:
    assert legal.raise_from is not None
    least = legal.raise_from if legal.stands is UNSET else legal.stands
    yield Quick(name=LEAST, to=least)
    offered = {least, legal.all_in}
    for name, part in ((HALF_POT, 2), (WHOLE_POT, 1)):
        to = _part_of_pot(view, legal, part)
        if to is not None and to not in offered and legal.allows(to):
            offered.add(to)
            yield Quick(name=name, to=to)


def _part_of_pot(view: PublicTable, legal: Legal, part: int) -> int | None:
    pot = view.prompt.pot if view.prompt is not None else None
    if pot is None:
        return None
    call = legal.call or 0
    stake = view.circle.player(legal.seat).stake or 0
    to = stake + call + (pot + call) // part
    return to - to % view.chip


def deliveries(view: PublicTable) -> tuple[Delivery, ...]:
    """Who gets how much, by seat: what the croupier pushes to whom."""
    circle = view.circle
    seats = sorted({award.seat for award in circle.awards} | set(circle.uncalled))
    return tuple(
        Delivery(
            seat=seat,
            awards=tuple(award for award in circle.awards if award.seat == seat),
            back=circle.uncalled.get(seat, 0),
            odd_in=tuple(_odd_pots(circle.awards, seat)),
        )
        for seat in seats
    )


def fee_kept(view: PublicTable) -> int | None:
    """What the croupier takes out of the pot for the table before he delivers it (THL-DEF-7): what lies there and
    nobody gets. None before the end, without amounts, and where the table takes no fee."""
    pot = view.prompt.pot if view.prompt is not None else None
    won = view.circle.won
    if view.fee is None or pot is None or won is None:
        return None
    return pot - won - sum(view.circle.uncalled.values())


def _odd_pots(awards: tuple[AwardView, ...], seat: int) -> Iterator[int]:
    """Equal hands share a pot alike but for the chips that cannot be divided (AMB-31)."""
    for award in awards:
        shares = [
            award_view.amount for award_view in awards if award_view.pot == award.pot and award_view.amount is not None
        ]
        if award.seat == seat and award.amount is not None and award.amount > min(shares):
            yield award.pot
