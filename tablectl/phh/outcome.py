"""How the replay of a hand history ended."""

from __future__ import annotations

from enum import StrEnum

from tablectl.core.records import record


class Ending(StrEnum):
    """What became of a replay."""

    SAME = "same"
    DIFFERS = "differs"
    #: the file ends before the hand does, or does not tell cards that decide it; nothing was different until then
    UNFINISHED = "unfinished"
    #: not of these rules
    SKIPPED = "skipped"


@record
class Replayed:
    """How a replay ended, and why: `what` has one entry for each difference, or says why there is no end.

    `at` is the place in the file's array of the action that it is about, from 1; None where it is about none. `stacks`
    are the players' chips afterwards, None for one whose chips nobody knows, and empty where the hand did not end.
    """

    ending: Ending
    at: int | None = None
    what: tuple[str, ...] = ()
    stacks: tuple[int | None, ...] = ()


class Stopped(Exception):
    """The rest of the hand cannot be replayed."""

    def __init__(self, ending: Ending, what: str, at: int | None = None) -> None:
        super().__init__(what)
        self.replayed = Replayed(ending=ending, at=at, what=(what,))


def money(amount: int, decimals: int) -> str:
    """An amount as the file writes it: 950 with two decimals is 9.50."""
    if not decimals:
        return str(amount)
    whole, part = divmod(amount, 10**decimals)
    return f"{whole}.{part:0{decimals}}"
