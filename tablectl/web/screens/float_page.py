"""The page of the float: what should lie in the croupier's tray, of what that is made, and what was entered. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablectl.table.chip_float import ACTS, TrayAct, difference
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages


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
        rows=tuple(_row(each) for each in said["entries"]),
    )


def _row(entry: Mapping[str, Any]) -> EntryRow:
    amount, expected = entry["amount"], entry.get("expected")
    return EntryRow(
        seq=entry["seq"],
        at=entry["at"],
        act=ACTS[entry["kind"]].value,
        amount=amount,
        expected=expected,
        difference=difference(amount, expected),
        by=entry["by"],
        second=entry["second"],
    )


def float_page(pages: Pages, language: str, picture: Picture, told: FloatTold | None) -> str:
    """The whole page; one that says so where nobody told it."""
    known = told if picture.table is not None else None
    return pages.sheet("float.html", language, picture, page="house-limits", told=known, acts=tuple(TrayAct))
