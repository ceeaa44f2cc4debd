"""The last hands again: asked of the controller, folded as the live page folds them, one step a record.

A hand that is over is shown as it lay before its cards were collected: the record that closes it clears nothing here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tablectl.api import async_client
from tablectl.core.events.codec import from_plain
from tablectl.core.events.stream import PublicRecord, decode_record
from tablectl.core.public_table.folding.fold import fold_uncollected
from tablectl.core.public_table.hand_row import HandRow, hand_rows
from tablectl.core.public_table.table import PublicTable
from tablectl.i18n.describe import clause_of
from tablectl.web.screens.greeting import TableInfo, table_info

#: How many hands the page lists; regulators ask for ten.
HANDS_LISTED: Final = 20
ANSWER_WITHIN_S: Final = 6.0
#: More digits than any hand's number has.
_MOST_DIGITS: Final = 15
#: How the controller says that there is no such hand.
_UNKNOWN_HAND: Final = "unknown-hand"


class NoRecall(Exception):
    """The controller did not answer, or not with a hand."""


class NoSuchHand(Exception):
    """There is no hand of that number in the journal."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One record of a hand, and the table after it."""

    number: int
    record: PublicRecord
    view: PublicTable


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    """One hand, step by step; there is at least one."""

    hand: int
    table: TableInfo
    steps: tuple[Step, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that the steps name, in their order, once."""
        named = (clause_of(decision) for step in self.steps for decision in step.record.decisions)
        return tuple(dict.fromkeys(clause for clause in named if clause is not None))

    @property
    def software(self) -> tuple[str, ...]:
        """Which programs wrote the hand, as its records say; more than one where it was resumed with another."""
        return tuple(dict.fromkeys(step.record.software for step in self.steps if step.record.software))

    def step(self, asked: str | None) -> Step:
        """The step of an address; the last one where it names none."""
        number = len(self.steps) if asked is None or not _is_number(asked) else int(asked)
        return self.steps[min(max(number, 1), len(self.steps)) - 1]

    def next_card(self, step: Step) -> int | None:
        """The step in which the cards on the felt change next; None after the last one that changes them."""
        later = self.steps[step.number :]
        return next((other.number for other in later if other.view.cards != step.view.cards), None)

    def previous_card(self, step: Step) -> int | None:
        """The step before the one in which they came to lie as they do; None where they always lay so."""
        earlier = self.steps[: step.number - 1]
        return next((other.number for other in reversed(earlier) if other.view.cards != step.view.cards), None)


class RecentHands:
    """The records of the last hands as they came over the stream: what can be shown while nobody answers."""

    def __init__(self) -> None:
        self._records: dict[int, list[PublicRecord]] = {}
        self._carried: dict[int, tuple[int, ...]] = {}

    def take(self, record: PublicRecord) -> None:
        """One more record of the stream."""
        self._records.setdefault(record.hand, []).append(record)
        if record.carry is not None:
            self._carried[record.hand + 1] = tuple(sorted(record.carry.previous))
        for old in sorted(self._records)[: -HANDS_LISTED - 1]:
            del self._records[old]
            self._carried.pop(old, None)

    def forget(self) -> None:
        """It is another journal's stream from now on."""
        self._records.clear()
        self._carried.clear()

    def last_hands(self) -> tuple[HandRow, ...]:
        """The hands it has, newest first."""
        return tuple(hand_rows(record for records in self._records.values() for record in records))[:HANDS_LISTED]

    def one_hand(self, asked: str, table: TableInfo) -> Recalled:
        """One of them. Raises `NoSuchHand`."""
        found = next((row.hand for row in self.last_hands() if str(row.hand) == asked), None)
        if found is None:
            raise NoSuchHand(asked)
        return recalled(found, table, self._records[found], carried=self._carried.get(found, ()))


async def last_hands(socket: Path) -> tuple[HandRow, ...]:
    """The last hands, newest first. Raises `NoRecall`."""
    async with _asked(socket, {"hands": HANDS_LISTED}) as lines:
        said = await anext(lines)
        return tuple(from_plain(row, HandRow, "a row of the hands") for row in said["hands"])


async def one_hand(socket: Path, asked: str) -> Recalled:
    """The hand of this number, as an address has it. Raises `NoSuchHand` or `NoRecall`."""
    if not _is_number(asked) or int(asked) == 0:
        raise NoSuchHand(asked)
    async with _asked(socket, {"hand": int(asked)}) as lines:
        greeting = await anext(lines)
        if greeting.get("why") == _UNKNOWN_HAND:
            raise NoSuchHand(asked)
        records: list[PublicRecord] = []
        async for said in lines:
            if said.get("end") is True:
                return recalled(int(asked), table_info(greeting), records, carried=tuple(greeting["carried"]))
            records.append(decode_record(said))
    raise NoRecall("it hung up in the middle of the hand")


def recalled(
    hand: int, table: TableInfo, records: Sequence[PublicRecord], *, carried: tuple[int, ...] = ()
) -> Recalled:
    """A hand out of its public records. `carried` are the seats that the hand before left.

    Raises `ValueError` where there is no record.
    """
    view = PublicTable(carried=carried, tracking=table.tracking)
    steps = []
    for number, record in enumerate(records, start=1):
        view = fold_uncollected(view, record)
        steps.append(Step(number=number, record=record, view=view))
    if not steps:
        raise ValueError("a hand without records")
    return Recalled(hand=hand, table=table, steps=tuple(steps))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


@asynccontextmanager
async def _asked(socket: Path, what: Mapping[str, int]) -> AsyncIterator[AsyncIterator[Mapping[str, Any]]]:
    """The controller's lines; whatever is wrong with them is a `NoRecall`."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S), async_client.open_connection(socket, {"recall": what}) as lines:
            yield lines
    except (AttributeError, LookupError, OSError, StopAsyncIteration, TypeError, ValueError) as wrong:
        raise NoRecall(repr(wrong)) from None
