"""What a house settles about the pots of a circle game: who gets an odd chip, and the fee of the table.

The values are those of our register of ambiguities (AMB-31, AMB-37).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from tablectl.core.records import record

#: Rates are counted in hundredths of a per cent: 250 is 2.5 %.
WHOLE_RATE: Final = 10_000


class OddChip(StrEnum):
    """Who gets the chips that an equal split of a pot leaves over (AMB-31); in the words of a house's profile."""

    #: one to whoever made the last bet, if he shares that pot; every further one clockwise (THL-SDN-4)
    LAST_BETTOR = "last-bettor"
    #: one to him also where he does not win that pot, as long as he is still in
    LAST_BETTOR_ALWAYS = "last-bettor-always"
    #: one each, clockwise from the button
    CLOCKWISE = "clockwise"


class RakeFrom(StrEnum):
    """What the fee is a part of."""

    EACH_POT = "each-pot"
    #: all pots together; it is taken from the main pot, and from side pots only as far as that does not hold it
    WHOLE_HAND = "whole-hand"


@record
class Rake:
    """The fee that the croupier takes from a pot before it is paid (THL-DEF-7, AMB-37).

    `rate` is in hundredths of a per cent, 0 to 10,000. A fee is rounded down to the smallest chip in play, and `cap`
    (smallest unit of money; None: no cap) bounds it: for every pot, or for the hand, as `taken_from` says. No document
    exempts a hand that ends before the flop, so none is exempt. What is returned uncalled is in no pot and pays no
    fee.
    """

    rate: int = 0
    cap: int | None = None
    taken_from: RakeFrom = RakeFrom.EACH_POT

    def of(self, amount: int, *, smallest_chip: int) -> int:
        """The fee on this amount."""
        fee = amount * self.rate // WHOLE_RATE
        capped = fee if self.cap is None else min(fee, self.cap)
        return capped - capped % smallest_chip


@record
class PotRules:
    """A house's choices about pots. The fee that ships is none: no document gives a rate (AMB-37)."""

    odd_chip: OddChip
    rake: Rake = Rake()
