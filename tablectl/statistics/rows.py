"""What statistics are made of: a row a hand and one each of its phases, a row an incident, and a row an entry of the
float. Frozen values; times in microseconds since the epoch, UTC; money in the smallest unit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from tablectl.core.engine.croupier_errors import NOTHING_DONE
from tablectl.core.public_table.chip_float import difference

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class HandRow:
    """A hand. `croupier` is who dealt when it began, empty where nobody had signed on; `void` the clause by which it
    was annulled, empty otherwise. `bank_net` is what the bank won (negative: lost) and `fee` what the table kept of
    pots; each is None in games without it, and where no amounts are entered. `float_expected` is what should have
    lain in the tray at its end, None where nobody could know. `currency` and `currency_exponent`: of what its amounts
    are so many of the smallest unit, as its records say it; empty and None where they do not."""

    hand: int
    game: str
    opened_us: int
    closed_us: int | None = None
    croupier: str = ""
    void: str = ""
    cards: int = 0
    presses: int = 0
    bank_net: int | None = None
    fee: int | None = None
    float_expected: int | None = None
    currency: str = ""
    currency_exponent: int | None = None

    @property
    def duration_us(self) -> int | None:
        """From its opening to its end; None of one that is not over."""
        return None if self.closed_us is None else self.closed_us - self.opened_us

    @property
    def float_change(self) -> int:
        """By how much the float should have changed in it; 0 where nobody could know."""
        return (self.bank_net or 0) + (self.fee or 0)


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentRow:
    """An incident. `device` is the one that the record in which it was raised names, empty where it names none.
    `of_croupier`: it is an error of the deal, should it turn out to be one; `withdrawn`: it never was, since the entry
    that raised it was corrected."""

    incident: int
    hand: int
    clause: str
    severity: str
    raised_us: int
    croupier: str = ""
    device: str = ""
    acknowledged_us: int | None = None
    acknowledged_by: str = ""
    closed_us: int | None = None
    closed_by: str = ""
    remedy: str = ""
    of_croupier: bool = False
    withdrawn: bool = False

    @property
    def is_done(self) -> bool:
        """Whether nothing can be added to it: it was decided, and where it is a fault of a device or a cable, which has
        no clause, acknowledged."""
        return self.closed_us is not None and (self.acknowledged_us is not None or self.clause != "")

    @property
    def is_croupiers(self) -> bool:
        """Whether the croupier caused it. Not before it is decided, and not where no device or ruling left anything of
        it: what ends with nothing to be done was none."""
        is_decided = self.closed_us is not None and not self.withdrawn
        return is_decided and self.of_croupier and not self.device and self.remedy not in NOTHING_DONE

    @property
    def until_acknowledged_us(self) -> int | None:
        """How long it took until somebody acknowledged it."""
        return None if self.acknowledged_us is None else self.acknowledged_us - self.raised_us

    @property
    def until_closed_us(self) -> int | None:
        """How long it took until its remedy was decided."""
        return None if self.closed_us is None else self.closed_us - self.raised_us


@dataclass(frozen=True, kw_only=True, slots=True)
class PhaseRow:
    """How long a hand that is over was in one of its phases, all times that it was there together, held or not.
    `place`: the how-manieth of them it came to, from 0."""

    hand: int
    place: int
    phase: str
    lasted_us: int


@dataclass(frozen=True, kw_only=True, slots=True)
class FloatRow:
    """An entry of the float, by the number of its record: a count, a fill or a credit (`act`). `counted_on` is what was
    expected of a count, as its record says it, None where nobody could know; `expected` what is from this entry on.
    `chips`: how many there were of each denomination, "40x500 20x2500", empty where that is not on record.
    `currency` and `currency_exponent` as of a hand."""

    seq: int
    hand: int
    at_us: int
    act: str
    amount: int
    counted_on: int | None
    expected: int | None
    by: str
    second: str
    chips: str = ""
    currency: str = ""
    currency_exponent: int | None = None

    @property
    def difference(self) -> int | None:
        """By how much more was counted than expected."""
        return difference(self.amount, self.counted_on)


def moment_of(us: int) -> datetime:
    """Microseconds since the epoch as a time, UTC, exact."""
    return _EPOCH + us * _MICROSECOND


def rfc3339(us: int) -> str:
    """As records have it: UTC, with microseconds."""
    return moment_of(us).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
