"""The whole journal with its second copy, checked while it is written: what a tilt is raised for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path

from tablectl.journal.copy import check_torn, copies, read_copy
from tablectl.journal.lines import NoLine
from tablectl.journal.store import BEGINNING, PAGE, Position, Stored
from tablectl.journal.verify import Fault, Verdict, Verification, compare
from tablectl.journal.volumes import Shelf, follows
from tablectl.records import record
from tablectl.tilt import Tilt, TiltKind


def whole(journal: Path, copy: Path | None, *, pause: Callable[[], None] = lambda: None) -> Verification:
    """The whole journal and its copy, once. `pause` is called between pages. Raises `Tilt`, `JournalUnusable`.

    A copy that cannot be read says nothing against the journal: whoever writes it says that it is lost.
    """
    with closing(Shelf(journal)) as shelf:
        for store in shelf.stores:
            damage = store.damage()
            if damage is not None:
                raise Tilt(TiltKind.DAMAGED, f"{store.path}: {damage}")
        verification = Verification(start=shelf.stores[0].follows)
        more(shelf, verification, pause=pause)
        if copy is not None:
            with suppress(OSError):
                _compare(shelf, copy, pause)
    return verification


def _compare(shelf: Shelf, copy: Path, pause: Callable[[], None]) -> None:
    try:
        fault = hold_against(shelf, copy, pause=pause).fault
    except NoLine as wrong:
        raise Tilt(TiltKind.COPY, f"{copy}: {wrong}") from None
    if fault is not None:
        raise Tilt(TiltKind.COPY, f"{copy}: {fault}")


@record
class Compared:
    """The first difference of journal and copy, what both have before where they were compared, the copy's end."""

    fault: Fault | None
    start: Position
    last: int


def hold_against(
    shelf: Shelf,
    copy: Path,
    *,
    pause: Callable[[], None] = lambda: None,
    told: Callable[[int], None] = lambda _: None,
) -> Compared:
    """An intact journal and its copy, which may grow meanwhile. Raises `NoLine`, `OSError`, `JournalUnusable`.

    The first volumes of either may be in an archive: they are compared from where both have begun. `told` hears now and
    then up to which record they were.
    """
    sizes = {path: path.stat().st_size for path in copies(copy)}  # what comes from now on is in the journal first
    first = next(chain.from_iterable(map(read_copy, sizes)), None)
    begun = follows(first) if first is not None else BEGINNING
    start = max(shelf.stores[0].follows, begun)
    last = begun.seq

    def copied() -> Iterator[Stored]:
        nonlocal last
        for stored in chain.from_iterable(read_copy(path, size) for path, size in sizes.items()):
            last = stored.seq
            if stored.seq > start.seq:
                yield stored
            if stored.seq % PAGE == 0:
                pause()
                told(stored.seq)

    fault = compare(shelf.records(after=start.seq), copied(), start=start)
    if fault is None:
        check_torn(copy, shelf)
    return Compared(fault=fault, start=start, last=last)


def more(shelf: Shelf, verification: Verification, *, pause: Callable[[], None] = lambda: None) -> Verdict:
    """What came since. Raises `Tilt`."""
    for store in shelf.stores:
        for rows in store.pages(after=verification.end.seq):
            if not verification.take(rows):
                raise Tilt(TiltKind.CHAIN, f"{store.path}: {verification.verdict().fault}")
            pause()
    return verification.verdict()
