"""What goes wrong between a simulated table and the pit server, and what has to be answered to it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from enum import StrEnum
from itertools import cycle, islice
from typing import Final

import msgspec


class Fault(StrEnum):
    """One thing that goes wrong."""

    #: the table's process dies while a batch is on its way, and starts again
    KILL = "kill"
    #: the line breaks off in the middle of a batch
    CUT = "cut"
    #: the answer is taken late
    DELAY = "delay"
    #: a batch is sent twice
    DUPLICATE = "duplicate"
    #: a batch comes before the one that it follows
    REORDER = "reorder"
    #: another past is sent under the table's key
    FORK = "fork"
    #: a second machine with the table's key and certificate goes on from the same record
    CLONE = "clone"
    #: the journal is put back from a backup, and says so
    RESTORE = "restore"
    #: the clock says 1970
    CLOCK = "clock"
    #: a bit of a record is another one
    FLIP = "flip"
    #: a record says another number than its place
    NUMBER = "number"
    #: a record of a megabyte, and one with a NUL in a text
    STRANGE = "strange"


#: Those that hurt nobody: all records are taken in the end, and nothing is quarantined.
HARMLESS: Final = frozenset(
    {
        Fault.KILL,
        Fault.CUT,
        Fault.DELAY,
        Fault.DUPLICATE,
        Fault.REORDER,
        Fault.RESTORE,
        Fault.CLOCK,
        Fault.STRANGE,
    }
)


class BadPlan(ValueError):
    """A word that names no fault."""


class FaultPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Which faults there are, and how many seconds a table is left alone between two of them on average."""

    kinds: tuple[Fault, ...] = ()
    every_s: float = 60.0

    def next_s(self, dice: random.Random) -> float:
        """How long until the next one; never, where there are none."""
        return min(dice.expovariate(1 / self.every_s), 3 * self.every_s) if self.kinds else float("inf")

    def each(self, first: int) -> Iterator[Fault]:
        """One after the other, for ever: a table has all of them, and each table begins with another one."""
        return islice(cycle(self.kinds), first % max(1, len(self.kinds)), None)


def parse(text: str, every_s: float) -> FaultPlan:
    """Of a list such as `kill,cut`, or `harmless`, `all`, `none`. Raises `BadPlan`."""
    match text:
        case "none":
            kinds: tuple[Fault, ...] = ()
        case "all":
            kinds = tuple(Fault)
        case "harmless":
            kinds = tuple(fault for fault in Fault if fault in HARMLESS)
        case _:
            try:
                kinds = tuple(Fault(word) for word in text.split(","))
            except ValueError:
                known = ", ".join(Fault)
                raise BadPlan(f"{text}: words of {known}; or none, harmless, all") from None
    return FaultPlan(kinds=kinds, every_s=every_s)
