"""The page of the float: what should lie in the croupier's tray, of what that is made, and what was entered. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tablectl.core.events.codec import decode_note
from tablectl.core.events.notes import FloatCounted, FloatCredited, FloatFilled
from tablectl.core.public_table.chip_float import ACTS, TrayAct, difference
from tablectl.core.records import kind_of
from tablectl.core.timestamps import time_us
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages

#: What the controller tells of the record of an entry, beside the note itself.
_OF_THE_RECORD: Final = frozenset(("seq", "hand", "at"))


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryRow:
    """One entry. `expected` and `difference` are those of a count, None where nobody could know."""

    seq: int
    at: str
    act: str
    amount: int
    expected: int | None
    difference: int | None
    by: str
    second: str


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeOf:
    """The last count, and what came and went since."""

    counted: int
    fills: int
    credits: int
    change: int
    hands: int


@dataclass(frozen=True, kw_only=True, slots=True)
class FloatTold:
    """What the controller says: a number with what it is made of, or why there is none; and the newest entries."""

    expected: int | None
    unknown: str | None
    is_hand_open: bool
    made: MadeOf | None
    rows: tuple[EntryRow, ...]


def float_told(said: Mapping[str, Any] | None) -> FloatTold | None:
    """None where the controller does not answer, or cannot."""
    if said is None or said.get("ok") is not True:
        return None
    made = said["made_of"]
    return FloatTold(
        expected=said["expected"],
        unknown=said["unknown"],
        is_hand_open=said["is_hand_open"],
        made=None if made is None else MadeOf(**{name: made[name] for name in MadeOf.__slots__}),
        rows=tuple(_row(entry) for entry in said["entries"]),
    )


def _row(entry: Mapping[str, Any]) -> EntryRow:
    said = {name: value for name, value in entry.items() if name not in _OF_THE_RECORD}
    note = decode_note(said, time_us(entry["at"]))
    assert isinstance(note, FloatCounted | FloatFilled | FloatCredited), "the controller tells of no others"
    expected = note.expected if isinstance(note, FloatCounted) else None
    return EntryRow(
        seq=entry["seq"],
        at=entry["at"],
        act=ACTS[kind_of(type(note))].value,
        amount=note.amount,
        expected=expected,
        difference=difference(note.amount, expected),
        by=note.by,
        second=note.second,
    )


def float_page(pages: Pages, language: str, picture: Picture, told: FloatTold | None) -> str:
    """The whole page; one that says so where nobody told it."""
    known = told if picture.table is not None else None
    return pages.plain("float", language, picture, page="house-limits", told=known, acts=tuple(TrayAct))
