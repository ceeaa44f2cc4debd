"""The page of the float: what should lie in the croupier's tray, of what that is made, and what was entered; and each
entry as a form of the house. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tablectl.core.events.codec import decode_note
from tablectl.core.events.notes import ChipCount, FloatCounted, FloatNote
from tablectl.core.public_table.chip_float import COUNTS, TrayAct, act_of, chips_of, difference, total_of
from tablectl.core.timestamps import time_us
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages
from tablectl.web.screens.screen_texts import ScreenTexts

#: What the controller tells of the record of an entry, beside the note itself.
_OF_THE_RECORD: Final = frozenset(("seq", "hand", "at"))


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryRow:
    """One entry. `expected` and `difference` are those of a count, None where nobody could know; no `chips` where their
    denominations are not on record."""

    seq: int
    at: str
    act: TrayAct
    amount: int
    chips: tuple[ChipCount, ...]
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
    """What the controller says: a number with what it is made of, or why there is none; and the newest entries, or
    older ones. `before`: before which record there may be more of them, None where there are none; `is_older`: whether
    these are not the newest."""

    expected: int | None
    unknown: str | None
    is_hand_open: bool
    made: MadeOf | None
    rows: tuple[EntryRow, ...]
    before: int | None
    is_older: bool = False


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
        rows=rows_told(said),
        before=said["before"],
    )


def rows_told(said: Mapping[str, Any]) -> tuple[EntryRow, ...]:
    """The entries of an answer of the controller, the newest first."""
    return tuple(_row(entry) for entry in said["entries"])


def _row(entry: Mapping[str, Any]) -> EntryRow:
    said = {name: value for name, value in entry.items() if name not in _OF_THE_RECORD}
    note = decode_note(said, time_us(entry["at"]))
    assert isinstance(note, FloatNote), "the controller tells of no others"
    expected = note.expected if isinstance(note, FloatCounted) else None
    return EntryRow(
        seq=entry["seq"],
        at=entry["at"],
        act=act_of(note),
        amount=note.amount,
        chips=chips_of(note),
        expected=expected,
        difference=difference(note.amount, expected),
        by=note.by,
        second=note.second,
    )


def float_page(pages: Pages, language: str, picture: Picture, told: FloatTold | None, *, may_enter: bool = True) -> str:
    """The whole page; one that says so where nobody told it. `may_enter`: whether who looks enters something here."""
    known = told if picture.table is not None else None
    return pages.plain(
        "float", language, picture, page="house-limits", told=known, acts=tuple(TrayAct), may_enter=may_enter
    )


def form_page(pages: Pages, language: str, picture: Picture, row: EntryRow) -> str:
    """One entry as a form to be printed and signed."""
    return pages.plain(
        "float_form",
        language,
        picture,
        page="float-form",
        row=row,
        is_count=row.act in COUNTS,
        signs=_SIGNS[row.act],
    )


def sums_told(t: ScreenTexts, chips: Iterable[ChipCount]) -> Mapping[str, Any]:
    """What chips that are being counted are worth, by denomination and together."""
    counted = tuple(chips)
    return {
        "sums": {str(chip.value): t.money(total_of((chip,))) for chip in counted},
        "total": t.money(total_of(counted)),
    }


#: Who signs which form: keys of sentences.
_SIGNS: Final[Mapping[TrayAct, tuple[str, ...]]] = {
    TrayAct.OPENING: ("cage-gives", "croupier-takes", "chief"),
    TrayAct.FILL: ("cage-gives", "croupier-takes", "chief"),
    TrayAct.CREDIT: ("croupier-gives", "cage-takes", "chief"),
    TrayAct.COUNT: ("croupier-counts", "chief"),
    TrayAct.CLOSING: ("croupier-counts", "cage-takes", "chief"),
}
