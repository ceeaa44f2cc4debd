"""The whole journal with its second copy, checked while it is written: what a tilt is raised for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from tablectl.journal.copy import copies, last_of, read_copy
from tablectl.journal.lines import NoLine
from tablectl.journal.store import Stored
from tablectl.journal.verify import Verdict, Verification, compare
from tablectl.journal.volumes import Shelf
from tablectl.tilt import Tilt, TiltKind


def whole(journal: Path, copy: Path | None, *, pause: Callable[[], None] = lambda: None) -> Verification:
    """The whole journal and its copy, once. `pause` is called between pages. Raises `Tilt`, `JournalUnusable`."""
    copied = _end_of_copy(copy)
    with closing(Shelf(journal)) as shelf:
        for store in shelf.stores:
            damage = store.damage()
            if damage is not None:
                raise Tilt(TiltKind.DAMAGED, f"{store.path}: {damage}")
        verification = Verification(start=shelf.stores[0].follows)
        more(shelf, verification, pause=pause)
        if copy is None:
            return verification
        if copied > verification.end.seq:
            end = verification.end.seq
            what = f"the copy has record {copied}, the journal ends with {end}: its end was cut off"
            raise Tilt(TiltKind.COPY, f"{copy}: {what}")
        try:
            copied_too = _between(copy, shelf.stores[0].follows.seq, verification.end.seq, pause)
            fault = compare(shelf.records(), copied_too)
        except (NoLine, OSError) as wrong:
            raise Tilt(TiltKind.COPY, f"{copy}: {wrong}") from None
    if fault is not None:
        raise Tilt(TiltKind.COPY, f"{copy}: {fault}")
    return verification


def more(shelf: Shelf, verification: Verification, *, pause: Callable[[], None] = lambda: None) -> Verdict:
    """What came since. Raises `Tilt`."""
    for store in shelf.stores:
        for rows in store.pages(after=verification.end.seq):
            if not verification.take(rows):
                raise Tilt(TiltKind.CHAIN, f"{store.path}: {verification.verdict().fault}")
            pause()
    return verification.verdict()


def _end_of_copy(copy: Path | None) -> int:
    try:
        last = last_of(copy) if copy is not None else None
    except NoLine as wrong:
        raise Tilt(TiltKind.COPY, f"{copy}: {wrong}") from None
    except OSError:
        return 0  # its disk is gone: the controller says so
    return last.seq if last is not None else 0


def _between(copy: Path, start: int, end: int, pause: Callable[[], None]) -> Iterator[Stored]:
    """What the journal has too: its first volumes may be in an archive, and it grows meanwhile."""
    for path in copies(copy):
        for stored in read_copy(path):
            if stored.seq > end:
                return
            if stored.seq > start:
                yield stored
            if stored.seq % 256 == 0:
                pause()
