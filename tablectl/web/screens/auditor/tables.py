"""Records as files: JSON lines, as anybody who follows the public stream gets them, and a table for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Final

from tablectl.i18n.currency import Currency, currency_of
from tablectl.i18n.languages import LANGUAGES
from tablectl.journal.lines import line
from tablectl.journal.search import Hit, Wanted, walk
from tablectl.journal.store import Stored
from tablectl.web.screens.auditor.telling import told
from tablectl.web.screens.screen_texts import ScreenTexts

COLUMNS: Final = (
    "seq",
    "at",
    "hand",
    "kind",
    "by",
    "clauses",
    *LANGUAGES,
    "currency",
    "currency_exponent",
    "hash",
    "signature",
)
#: What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection").
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def json_lines(pages: Iterable[list[Hit]]) -> Iterator[bytes]:
    """One record a line, with hash and signature; some at a time."""
    for page in pages:
        yield b"".join(line(_stored(hit)) + b"\n" for hit in page)


def currencies(journal: Path) -> Callable[[int], Currency | None]:
    """What the amounts of a hand, by its number, are amounts of; None where its records do not say it."""

    @lru_cache(maxsize=1)  # records come hand by hand
    def of_hand(hand: int) -> Currency | None:
        hits = chain.from_iterable(walk(journal, Wanted(hand=hand)))
        records = (hit.record for hit in hits if hit.record is not None)
        told = (currency_of(record.currency, record.currency_exponent) for record in records)
        return next(filter(None, told), None)

    return of_hand


def csv_lines(
    pages: Iterable[list[Hit]], screen_texts: tuple[ScreenTexts, ...], currency: Callable[[int], Currency | None]
) -> Iterator[bytes]:
    """One record a line, in words of every language, amounts as whole numbers, their currency beside; some at a time.
    The public form itself is in the JSON lines alone."""
    yield _written([COLUMNS])
    for page in pages:
        yield _written([_row(hit, screen_texts, currency(hit.hand)) for hit in page])


def _row(hit: Hit, screen_texts: tuple[ScreenTexts, ...], currency: Currency | None) -> tuple[str, ...]:
    row = told(hit, screen_texts)
    clauses = dict.fromkeys(clause for _, clause in row.followed if clause is not None)
    words = (row.at, str(row.hand), row.kind, row.by, " ".join(clauses), *row.happened)
    unit = ("", "") if currency is None else (currency.code, str(currency.exponent))
    return (str(row.seq), *map(_plain, (*words, *unit)), row.hash, row.signature)


def _plain(text: str) -> str:
    """With an apostrophe before what a spreadsheet would calculate: names and reasons are written by people."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _written(rows: Iterable[tuple[str, ...]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


def _stored(hit: Hit) -> Stored:
    return Stored(
        seq=hit.seq,
        hand=hit.hand,
        boundary=False,
        public=hit.public,
        hash=hit.hash,
        signature=hit.signature,
        sealed=None,
    )
