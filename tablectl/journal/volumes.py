"""A journal in several files: volumes that follow one another, each a whole of its own, none ever renamed or removed.

The first volume is the file that the configuration names, `table.db`; the next ones stand beside it, `table-0002.db`
and so on. A volume ends with a signed note, the next one begins with one that names the last record and its hash: the
numbers and the chain go on through all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Final

from tablectl.journal.store import BEGINNING, JournalUnusable, Position, Store, Stored

#: How long volumes are kept at least (PA 811a.7), in years.
RETENTION_YEARS: Final = 10


def volume_path(base: Path, volume: int) -> Path:
    """Where a volume lies; volumes count from 1."""
    return base if volume == 1 else base.with_name(f"{base.stem}-{volume:04d}{base.suffix}")


def numbered(base: Path) -> dict[int, Path]:
    """Those that are there, in order, by number. Earlier ones may be in an archive."""
    found = {1: base} if base.exists() else {}
    pattern = re.compile(rf"{re.escape(base.stem)}-(\d{{4,}}){re.escape(base.suffix)}")
    if base.parent.is_dir():
        for path in base.parent.iterdir():
            if (name := pattern.fullmatch(path.name)) is not None and int(name[1]) > 1:
                found[int(name[1])] = path
    return dict(sorted(found.items()))


def volumes(base: Path) -> tuple[Path, ...]:
    """Those that are there, in order."""
    return tuple(numbered(base).values())


def beginning_of(path: Path) -> Position:
    """What a volume follows, by its own first record. Raises `JournalUnusable`."""
    with closing(Store.read(path)) as store:
        first = next(store.records(), None)
    return follows(first) if first is not None else BEGINNING


def follows(first: Stored) -> Position:
    """The position behind which a volume with this first record stands."""
    try:
        fact = json.loads(first.public)["fact"]
        if fact["kind"] == "volume-opened":
            return Position(int(fact["follows"]["seq"]), bytes.fromhex(fact["follows"]["hash"]))
    except (KeyError, TypeError, ValueError):
        pass  # whoever verifies the volume will say so
    return BEGINNING


def open_last(base: Path) -> tuple[Store, int]:
    """The volume that is written now, for its writer, and its number. Raises `JournalUnusable`."""
    number = max(numbered(base), default=1)
    path = volume_path(base, number)
    start = beginning_of(path) if path.exists() else BEGINNING
    if number > 1 and start is BEGINNING:  # made, and the power failed before its first record
        start = end_of(volume_path(base, number - 1))
    return Store.open(path, follows=start, guard=base), number


def end_of(path: Path) -> Position:
    """The newest record of a volume."""
    with closing(Store.read(path, follows=beginning_of(path))) as store:
        return store.end


def is_closed(newest: Stored) -> bool:
    """Whether this is the last record of its volume."""
    return bool(json.loads(newest.public)["fact"]["kind"] == "volume-closed")


class Shelf:
    """All volumes of a journal, for reading, as if they were one. Volumes that come later are found."""

    def __init__(self, base: Path) -> None:
        self._base = base
        self._stores: dict[int, Store] = {}
        self._open_more()
        if not self._stores:
            raise JournalUnusable(f"{base}: there is no such journal")

    @property
    def stores(self) -> tuple[Store, ...]:
        """Each volume, in order."""
        return tuple(self.numbered.values())

    @property
    def numbered(self) -> dict[int, Store]:
        """Each volume, in order, by its number."""
        self._open_more()
        return dict(self._stores)

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

    def close(self) -> None:
        """May be repeated."""
        for store in self._stores.values():
            store.close()

    def _open_more(self) -> None:
        """Also one that was only just made; before its first record it follows nothing yet, and is left for later."""
        newest = max(self._stores, default=0)
        for number, path in numbered(self._base).items():
            start = beginning_of(path) if number > newest else BEGINNING
            if number > newest and (number == 1 or start is not BEGINNING):
                self._stores[number] = Store.read(path, follows=start)
