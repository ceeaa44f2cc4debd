"""A journal in several files: volumes that follow one another, each a whole of its own, none ever renamed or removed.

The first volume is the file that the configuration names, `table.db`; the next ones stand beside it, `table-0002.db`
and so on. A volume ends with a signed note, the next one begins with one that names the last record and its hash: the
numbers and the chain go on through all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Final

from tablectl.core.events.notes import VolumeClosed, VolumeOpened
from tablectl.core.events.stream import decode_written
from tablectl.journal.readers import Readers
from tablectl.journal.store import BEGINNING, JournalUnusable, NotOurs, Position, Store, Stored, let_read

#: How long volumes are kept at least (PA 811a.7), in years.
RETENTION_YEARS: Final = 10


class VolumeMissing(JournalUnusable):
    """A journal with a gap. The text says which file."""


def volume_path(base: Path, volume: int) -> Path:
    """Where a volume lies; volumes count from 1."""
    return base if volume == 1 else base.with_name(f"{base.stem}-{volume:04d}{base.suffix}")


def present(base: Path) -> dict[int, Path]:
    """Those that are there, whether or not one is missing between them. Raises `OSError`."""
    number = re.compile(rf"{re.escape(base.stem)}-([0-9]{{4,}}){re.escape(base.suffix)}")
    found = {1: base} if base.exists() else {}
    if base.parent.is_dir():
        later = (number.fullmatch(path.name) for path in base.parent.iterdir())
        found |= {int(match[1]): volume_path(base, int(match[1])) for match in later if match is not None}
    return {volume: found[volume] for volume in sorted(found) if found[volume].exists()}


def volumes(base: Path) -> tuple[Path, ...]:
    """Those that are there, in order. Raises `VolumeMissing` where one is missing between two."""
    return tuple(numbered(base).values())


def numbered(base: Path) -> dict[int, Path]:
    """As `volumes`, by number. The first ones may be in an archive."""
    found = present(base)
    for before, number in pairwise(found):
        if number != before + 1:
            gone, there = volume_path(base, before + 1), found[number]
            raise VolumeMissing(f"{gone}: this volume is missing, {there} is there; bring it back, or restore it")
    return found


def beginning_of(path: Path) -> Position | None:
    """What a volume follows, by its own first record; None where it has none yet. Raises `JournalUnusable`."""
    if Store.is_blank(path):
        return None
    with closing(Store.read(path)) as store:
        first = next(store.records(), None)
    return follows(first) if first is not None else None


def follows(first: Stored) -> Position:
    """The position after which a volume with this first record stands."""
    try:
        event = decode_written(first.public).record.event
        if isinstance(event, VolumeOpened):
            return Position(int(event.follows["seq"]), bytes.fromhex(event.follows["hash"]))
    except (KeyError, TypeError, ValueError):
        pass  # whoever verifies the volume will say so
    return BEGINNING


def open_last(base: Path, readers: Readers = Readers.OWNER) -> tuple[Store, int]:
    """The volume that is written now, for its writer, and its number; every volume for these readers from now on.
    Raises `JournalUnusable`."""
    number = max(numbered(base), default=1)
    path = volume_path(base, number)
    start = beginning_of(path) if path.exists() else BEGINNING
    before = volume_path(base, number - 1)
    if number > 1 and (start is None or before.exists()):
        end = end_of(before)
        if start not in (None, end):
            raise _stray(path, before)
        start = end  # where there is none: it was made, and the power failed before its first record
    store = Store.open(path, follows=start if start is not None else BEGINNING, guard=base, readers=readers)
    try:
        for volume in volumes(base):
            if volume != path:
                Store.end_log_of(volume)
            let_read(readers, volume)
    except JournalUnusable:
        store.close()
        raise
    return store, number


def _stray(path: Path, before: Path) -> JournalUnusable:
    what = f"it does not go on where {before} ends, so it is no volume of this journal"
    return JournalUnusable(f"{path}: {what}; if it is a copy of something, move it away")


def end_of(path: Path) -> Position:
    """The newest record of a volume."""
    with closing(Store.read(path, follows=beginning_of(path) or BEGINNING)) as store:
        return store.end


def is_closed(newest: Stored) -> bool:
    """Whether this is the last record of its volume. Raises `UnreadableRecord`."""
    return isinstance(newest.decoded().event, VolumeClosed)


class VolumeSet:
    """All volumes of a journal, for reading, as if they were one. Volumes that come later are found."""

    def __init__(self, base: Path) -> None:
        self._base = base
        self._stores: dict[int, Store] = {}
        self._open_more()
        if not self._stores:
            raise NotOurs(f"{base}: there is no such journal")

    @property
    def stores(self) -> tuple[Store, ...]:
        """Each volume, in order."""
        return tuple(self.numbered.values())

    @property
    def numbered(self) -> dict[int, Store]:
        """Each volume, in order, by its number."""
        self._open_more()
        return dict(self._stores)

    @property
    def name(self) -> str:
        """The path of the oldest volume that is there."""
        return str(self.stores[0].path)

    @property
    def newest_hand(self) -> int:
        """That of the newest record; 0 where there is none."""
        return self.stores[-1].newest_hand

    def records(self, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """As `Store.records`, through all volumes."""
        stores = self.stores
        for store, following in zip_longest(stores, stores[1:]):
            if following is None or following.follows.seq > after:
                yield from store.records(after=after, hand=hand)

    def newest_first(self) -> Iterator[Stored]:
        """As `Store.newest_first`, back through all volumes."""
        for store in reversed(self.stores):
            yield from store.newest_first()

    def newest_with(self, text: bytes) -> Stored | None:
        """As `Store.newest_with`, back through all volumes."""
        return next(filter(None, (store.newest_with(text) for store in reversed(self.stores))), None)

    def last_boundary(self, hands: int = 1) -> int:
        """As `Store.last_boundary`."""
        for store in reversed(self.stores):
            if found := store.last_boundary(hands):
                return found
            hands -= store.count_boundaries()
        return 0

    def boundary_before(self, seq: int) -> int:
        """As `Store.boundary_before`."""
        return next(filter(None, (store.boundary_before(seq) for store in reversed(self.stores))), 0)

    def hash_before(self, seq: int) -> bytes:
        """As `Store.hash_before`, of a record that is there."""
        return next(store.hash_before(seq) for store in self.stores if store.at(seq) is not None)

    def close(self) -> None:
        """May be repeated."""
        for store in self._stores.values():
            store.close()

    def _open_more(self) -> None:
        """Also one that was only just made; before its first record it follows nothing yet, and is left for later."""
        newest = max(self._stores, default=0)
        for number, path in numbered(self._base).items():
            if number <= newest:
                continue
            start = beginning_of(path)
            if number > 1 and start == BEGINNING:
                raise _stray(path, volume_path(self._base, number - 1))
            if number == 1 or start is not None:
                self._stores[number] = Store.read(path, follows=start or BEGINNING)
