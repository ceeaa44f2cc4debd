"""The whole journal with its second copy, checked while it is written: what a tilt is raised for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Final

from tablectl.core.events.notes import Stopped
from tablectl.core.records import record
from tablectl.journal.copy import check_torn, copies, read_copy
from tablectl.journal.lines import NoLine
from tablectl.journal.store import BEGINNING, PAGE, Position, Store, Stored
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.journal.verify import Fault, Verdict, Verification, compare
from tablectl.journal.volumes import VolumeSet, follows, volume_path

#: A crash may take so many records from the copy, and so much time: what was written and not copied yet. Whoever lost
#: more lost it otherwise.
CRASH_RECORDS: Final = 1000
CRASH_US: Final = 5_000_000


def verify_full(journal: Path, copy: Path | None, *, pause: Callable[[], None] = lambda: None) -> Verification:
    """The whole journal and its copy, once: how its last volume was found. `pause` is called between pages. Raises
    `Tilt`, `JournalUnusable`."""
    verification = Verification()
    with closing(VolumeSet(journal)) as volume_set:
        for number in volume_set.numbered:
            key = verification.verdict().public_key
            verification = check_volume(volume_set, number, copy, key=key, pause=pause)
    return verification


def check_volume(
    volume_set: VolumeSet,
    number: int,
    copy: Path | None,
    *,
    key: bytes | None = None,
    pause: Callable[[], None] = lambda: None,
) -> Verification:
    """One volume by itself, its place between the others, and its file of the copy. `key` has to have signed it, where
    it is known. Raises `Tilt`, `JournalUnusable`.

    A copy that cannot be read says nothing against the journal: whoever writes it says that it is lost.
    """
    there = volume_set.numbered
    store, following = there[number], there.get(number + 1)
    damage = store.damage()
    if damage is not None:
        raise Tilt(TiltKind.DAMAGED, f"{store.path}: {damage}")
    verification = Verification(key=key, start=store.follows)
    _take(store, verification, pause)
    if following is not None and following.follows != verification.end:
        what = f"it does not go on where {store.path} ends, at record {verification.end.seq}"
        raise Tilt(TiltKind.CHAIN, f"{following.path}: {what}")
    if copy is not None:
        with suppress(OSError):
            _compare(volume_set, number, copy, pause)
    return verification


def _compare(volume_set: VolumeSet, number: int, copy: Path, pause: Callable[[], None]) -> None:
    """A volume with its file of the copy, and the first record after: a file that is not the last one is whole."""
    start, is_newest = volume_set.numbered[number].follows, number == max(volume_set.numbered)
    path, following = volume_path(copy, number), volume_path(copy, number + 1)
    try:
        files = copies(copy)
        if path not in files:
            return  # in an archive, or not begun yet
        size = path.stat().st_size  # what comes from now on is in the journal first
        first_after = islice(read_copy(following), 1) if following in files else ()
        copied = _paused(chain(read_copy(path, size), first_after), pause)
        fault = compare(volume_set.records(after=start.seq), copied, start=start)
        if fault is None and is_newest:
            check_torn(copy, volume_set)
    except NoLine as wrong:
        raise Tilt(TiltKind.COPY, f"{copy}: {wrong}") from None
    if fault is not None:
        raise Tilt(TiltKind.COPY, f"{copy}: {fault}")


def _paused(records: Iterator[Stored], pause: Callable[[], None]) -> Iterator[Stored]:
    for stored in records:
        yield stored
        if stored.seq % PAGE == 0:
            pause()


@record
class Compared:
    """The first difference of journal and copy, what both have before where they were compared, the copy's end."""

    fault: Fault | None
    start: Position
    last: int


def hold_against(volume_set: VolumeSet, copy: Path, *, told: Callable[[int], None] = lambda _: None) -> Compared:
    """An intact journal and its copy, which may grow meanwhile. Raises `NoLine`, `OSError`, `JournalUnusable`.

    The first volumes of either may be in an archive: they are compared from where both have begun. `told` hears now and
    then up to which record they were.
    """
    sizes = {path: path.stat().st_size for path in copies(copy)}  # what comes from now on is in the journal first
    first = next(chain.from_iterable(map(read_copy, sizes)), None)
    begun = follows(first) if first is not None else BEGINNING
    start = max(volume_set.stores[0].follows, begun)
    last = begun.seq

    def copied() -> Iterator[Stored]:
        nonlocal last
        for stored in chain.from_iterable(read_copy(path, size) for path, size in sizes.items()):
            last = stored.seq
            if stored.seq > start.seq:
                yield stored
            if stored.seq % PAGE == 0:
                told(stored.seq)

    fault = compare(volume_set.records(after=start.seq), copied(), start=start)
    if fault is None:
        check_torn(copy, volume_set)
    return Compared(fault=fault, start=start, last=last)


@record
class Gap:
    """How much the copy lacks at its end, over how long the journal wrote that, and whether the controller had ended in
    order."""

    records: int
    span_us: int
    is_orderly: bool

    @property
    def too_much(self) -> str | None:
        """Why a running table or a crash does not explain it; None where it does."""
        if self.is_orderly:
            return "the controller ended in order, and does so when all is in the copy; was its disk away?"
        if self.records > CRASH_RECORDS or self.span_us > CRASH_US:
            limit = f"{CRASH_RECORDS:,} records or {CRASH_US // 1_000_000} s"
            return f"{self.records} records of {self.span_us / 1_000_000:.1f} s, and a crash loses at most {limit}"
        return None


def gap_of(volume_set: VolumeSet, copied: int) -> Gap | None:
    """What the journal has and its copy, with this newest record, has not; None where that is nothing."""
    missing = next(volume_set.records(after=copied), None)
    newest = next(volume_set.newest_first(), None)
    if missing is None or newest is None or missing.seq > newest.seq:  # it has grown meanwhile
        return None
    first, last = missing.decoded(), newest.decoded()
    return Gap(
        records=newest.seq - copied,
        span_us=last.at_us - first.at_us,
        is_orderly=isinstance(last.event, Stopped),
    )


def more(volume_set: VolumeSet, verification: Verification, *, pause: Callable[[], None] = lambda: None) -> Verdict:
    """What came since. Raises `Tilt`."""
    for store in volume_set.stores:
        _take(store, verification, pause)
    return verification.verdict()


def _take(store: Store, verification: Verification, pause: Callable[[], None]) -> None:
    for rows in store.pages(after=verification.end.seq):
        if not verification.take(rows):
            raise Tilt(TiltKind.CHAIN, f"{store.path}: {verification.verdict().fault}")
        pause()
