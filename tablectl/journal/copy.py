"""The second copy: every record once more, as a line of text in a file on another path, best on another disk.

It is a reader like any other: what it writes was durable in the journal before, it may be late, and it catches up when
its disk comes back. It is only ever appended to, so the file may be made append-only (`chattr +a`). A line that a power
cut tore is completed, never cut off. One file a volume, named as the journal's volumes are. Nothing is ever written
after a gap: where the copy does not end with the record before (its disk is not mounted, or it is another one), it is
lost until that one is there again.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

from drivers.heartbeat import Heartbeat
from drivers.port import Log
from tablectl.journal.lines import NoLine, line_with_box, parse
from tablectl.journal.places import Places
from tablectl.journal.readers import Readers
from tablectl.journal.store import BEGINNING, JournalUnusable, Position, Store, Stored, chained
from tablectl.journal.volumes import VolumeSet, volume_path, volumes

#: So long after a record the copy is written, with all that came meanwhile. A thread that works now and then is in the
#: way of fewer cards than one that works after each.
LATER_S: Final = 0.5
#: How often a disk that does not take the copy is tried again, in seconds.
RETRY_S: Final = 5.0
LOOK_S: Final = 0.5
#: Records that are written at once when there are many.
BATCH: Final = 1000
#: A block in which the last line is looked for from the end; a record is nearly always far shorter.
BLOCK_BYTES: Final = 1 << 14
#: What an error of the copy's disk means.
_MEANINGS: Final[Mapping[int, str]] = {
    errno.ENOENT: "is the copy's disk mounted?",
    errno.ENOTDIR: "is the copy's disk mounted?",
    errno.EISDIR: "a folder stands where the copy belongs",
    errno.EACCES: "look at the owner of the file and of its folder",
    errno.EPERM: "look at the owner of the file and of its folder",
    errno.EROFS: "the copy's disk takes no writes",
    errno.ENOSPC: "make room on the copy's disk",
    errno.EDQUOT: "make room on the copy's disk",
}


class CopyDiffers(Exception):
    """Journal and copy say different things: one of them was changed. The text says where and what to do."""


class Awaited(Protocol):
    """Tells when there are more records (`log_head.LogHead`)."""

    @property
    def is_closed(self) -> bool:
        """No more will come."""

    def wait_after(self, seq: int, timeout_s: float) -> bool:
        """Wait for something after a position."""


def copies(base: Path) -> tuple[Path, ...]:
    """The files of a copy that are there, in order. Raises `NoLine` where one is missing, `OSError`."""
    try:
        return volumes(base)
    except JournalUnusable as wrong:
        raise NoLine(str(wrong)) from None


def read_copy(path: Path, size: int | None = None) -> Iterator[Stored]:
    """The whole lines of one file, or of its first `size` bytes. Raises `NoLine`, `OSError`."""
    with path.open("rb") as file:
        yield from parsed(file if size is None else _within(file, size), path)


def _within(lines: Iterable[bytes], size: int) -> Iterator[bytes]:
    for text in lines:
        size -= len(text)
        if size < 0:
            return
        yield text


def parsed(lines: Iterable[bytes], path: Path) -> Iterator[Stored]:
    """The whole lines among these of a file; the last one may be torn. Raises `NoLine`."""
    for number, text in enumerate(lines, 1):
        if not text.endswith(b"\n"):
            return  # the power failed while it was written
        try:
            yield parse(text[:-1])
        except NoLine as wrong:
            raise NoLine(f"{path}, line {number}: {wrong}") from None


def check_torn(base: Path, volume_set: VolumeSet) -> None:
    """What is torn off at a copy's end has to be the beginning of the next record. Raises `NoLine`, `OSError`."""
    files = copies(base)
    ends = [_ends(path) for path in files[-2:]]
    if not ends or not ends[-1][1]:
        return
    last = next((parse(whole).seq for whole, _ in reversed(ends) if whole is not None), 0)
    following = next(volume_set.records(after=last), None)
    if following is None or not (line_with_box(following) + b"\n").startswith(ends[-1][1]):
        raise NoLine(f"{files[-1]}: ends with a torn line that is not the beginning of record {last + 1}")


def last_of(base: Path) -> Position | None:
    """The last whole line of the newest file that has one; None where there is none. Raises `NoLine`, `OSError`."""
    for path in reversed(copies(base)):
        whole, _ = _ends(path)
        if whole is not None:
            stored = parse(whole)
            return Position(stored.seq, stored.hash)
    return None


def check_joins(base: Path, store: Store) -> None:
    """At a start: the copy ends with a record that the journal has, or did not begin. Raises `CopyDiffers`."""
    try:
        last = last_of(base)
    except NoLine as wrong:
        raise CopyDiffers(
            f"{base}: {wrong}; `tablectl journal verify` with --copy says which of both is right"
        ) from None
    except OSError:
        return  # its disk is not there; it will be said, and it is no reason not to deal
    if last is None:
        return
    if last.seq > store.newest:
        what = (
            f"it has record {last.seq}, the journal ends with {store.newest}: its end was cut off, or it is another one"
        )
        raise CopyDiffers(f"{base}: {what}; `tablectl journal restore` brings the records back")
    ours = store.at(last.seq)
    if ours is not None and ours.hash != last.hash:
        what = f"record {last.seq} is another one there than in the journal"
        raise CopyDiffers(f"{base}: {what}; `tablectl journal verify` with --copy says where they part")


def in_words(wrong: OSError, path: Path) -> str:
    """What a disk that does not give or take the copy says, and what it means."""
    meaning = _MEANINGS.get(wrong.errno or 0, "look at the copy's disk, it fails")
    return f"{wrong.filename or path}: {wrong.strerror or wrong}; {meaning}"


class SecondCopy:
    """Writes the copy, in a thread of its own, for as long as the controller lives."""

    def __init__(self, places: Places, awaited: Awaited, log: Log) -> None:
        self._base = places.copy
        self._journal = places.journal
        self._readers = places.readers
        self._awaited = awaited
        self._log = log
        self._closing = threading.Event()
        self._is_lost = False
        #: the newest record that this follower found or wrote there
        self._reached = 0
        self._thread = threading.Thread(target=self._run, name="second-copy", daemon=True)
        self.heartbeat = Heartbeat(self._thread.name)

    def start(self) -> None:
        """Begin where the copy ends."""
        self._thread.start()

    def close(self, timeout_s: float) -> None:
        """Wait until everything that is in the journal is in the copy too, in bounded time."""
        self._closing.set()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        self.heartbeat.live(self._keep_copying)

    def _keep_copying(self) -> None:
        while True:
            try:
                with closing(VolumeSet(self._journal)) as volume_set:
                    self._follow(volume_set)
                return
            except OSError as wrong:
                self._lost(in_words(wrong, self._base))
            except (NoLine, JournalUnusable) as wrong:
                self._lost(str(wrong))
            self.heartbeat.beat()
            if self._closing.wait(RETRY_S):
                return

    def _follow(self, volume_set: VolumeSet) -> None:
        end = self._found()
        self._let_read()
        while True:
            is_last = self._closing.is_set()
            end = self._written(volume_set, end)
            if is_last:
                return
            self._back(end.seq)
            while not (self._awaited.wait_after(end.seq, LOOK_S) or self._closing.is_set() or self._awaited.is_closed):
                self.heartbeat.beat()
            self._closing.wait(LATER_S)

    def _found(self) -> Position:
        """Where the copy ends. A copy that was longer before is not there: its disk may be gone and its folder not."""
        end = last_of(self._base) or BEGINNING
        if end.seq < self._reached:
            now = f"ends with {end.seq}" if end.seq else "has none"
            what = f"it had record {self._reached} before and {now} now: is the copy's disk mounted?"
            raise NoLine(f"{self._base}: {what} A new one is begun when the controller is started again")
        self._reached = end.seq
        return end

    def _let_read(self) -> None:
        """Bring what is there to the mode that its readers need. A disk without modes, or a file that may only be
        added to (`chattr +a`), refuses; that is no reason to write no copy."""
        for path in copies(self._base):
            try:
                self._readers.give(path, self._readers.file_mode)
            except PermissionError as wrong:
                self._log.warning("second copy keeps its mode", path=str(path), reason=wrong.strerror)

    def _written(self, volume_set: VolumeSet, end: Position) -> Position:
        """Everything after a position; the new position."""
        for number, store in volume_set.numbered.items():
            records = store.records(after=end.seq)
            while some := list(islice(records, BATCH)):
                before = store.follows if end == BEGINNING else end
                is_first = before == store.follows
                if is_first and end != BEGINNING and last_of(self._base) != end:
                    raise NoLine(f"{self._base}: does not end with record {end.seq} any more: is its disk mounted?")
                path = volume_path(self._base, number)
                append(path, some, before=before, is_first=is_first, readers=self._readers)
                end = Position(some[-1].seq, some[-1].hash)
                self._reached = end.seq
                self.heartbeat.beat()
        return end

    def _lost(self, reason: str) -> None:
        if not self._is_lost:
            self._is_lost = True
            self._log.error("second copy lost", path=str(self._base), reason=reason)

    def _back(self, seq: int) -> None:
        if self._is_lost:
            self._is_lost = False
            self._log.info("second copy back", path=str(self._base), records=seq)


def append(
    path: Path,
    records: Sequence[Stored],
    *,
    before: Position = BEGINNING,
    is_first: bool = True,
    readers: Readers = Readers.OWNER,
) -> None:
    """Add these records, durably; the first one completes a torn line. Raises `OSError`, `NoLine`.

    `before` is the record that they follow. Only the first record of its volume (`is_first`) makes a file, for these
    readers.
    """
    if records[0].seq != before.seq + 1 or chained(before.hash, records[0].public) != records[0].hash:
        what = f"it ends with record {before.seq}, which record {records[0].seq} of the journal does not follow"
        raise NoLine(f"{path}: {what}")
    is_new = is_first and not path.exists()
    whole, torn = _ends(path) if not is_new else (None, b"")
    if not _is_end(whole, before, is_first=is_first):
        raise NoLine(f"{path}: its last line is not record {before.seq}, which comes before the next one")
    text = b"".join(line_with_box(record) + b"\n" for record in records)
    if not text.startswith(torn):
        raise NoLine(f"{path}: ends with a torn line that is not the beginning of the next record")
    # Its disk may come back at this moment, with the copy that is longer.
    make = os.O_CREAT | os.O_EXCL if is_new else 0
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | make, 0o600)
    try:
        if is_new:
            with suppress(PermissionError):  # a disk without modes
                readers.give(path, readers.file_mode)
        text = text[len(torn) :]
        while text:
            text = text[os.write(descriptor, text) :]
        os.fdatasync(descriptor)
    finally:
        os.close(descriptor)


def _is_end(whole: bytes | None, before: Position, *, is_first: bool) -> bool:
    """Whether the last whole line of a file is the record before; there is none before the first of its volume."""
    if whole is None:
        return is_first
    last = parse(whole)
    return Position(last.seq, last.hash) == before


def is_torn(path: Path) -> bool:
    """Whether the power failed while its last line was written. Raises `OSError`."""
    return bool(_ends(path)[1])


def _ends(path: Path) -> tuple[bytes | None, bytes]:
    """The last whole line of a file, without its end, and what is torn after it."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        block = BLOCK_BYTES
        while True:
            start = file.seek(max(0, size - block))
            *whole, torn = file.read().split(b"\n")
            if len(whole) > 1 or start == 0:  # the first one in the block may have begun before it
                return (whole[-1] if whole else None), torn
            block *= 8
