"""The second copy: every record once more, as a line of text in a file on another path, best on another disk.

It is a reader like any other: what it writes was durable in the journal before, it may be late, and it catches up when
its disk comes back. It is only ever appended to, so the file may be made append-only (`chattr +a`). A line that a power
cut tore is completed, never cut off. One file a volume, named as the journal's volumes are.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

from drivers.port import Log
from tablectl.journal.lines import NoLine, line_with_box, parse
from tablectl.journal.store import Position, Store, Stored
from tablectl.journal.volumes import Shelf, volume_path, volumes

#: So long after a record the copy is written, with all that came meanwhile: the card's path has the processor first.
LATER_S: Final = 0.05
#: How often a disk that does not take the copy is tried again, in seconds.
RETRY_S: Final = 5.0
LOOK_S: Final = 0.5
#: Records that are written at once when there are many.
BATCH: Final = 1000
#: A block in which the last line is looked for from the end; a record is far shorter.
BLOCK_BYTES: Final = 1 << 20


class CopyDiffers(Exception):
    """Journal and copy say different things: one of them was changed. The text says where and what to do."""


class Awaited(Protocol):
    """Tells when there are more records (`tablectl.control.Newest`)."""

    @property
    def is_closed(self) -> bool:
        """No more will come."""

    def wait_behind(self, seq: int, timeout_s: float) -> bool:
        """Wait for something behind a position."""


def copies(base: Path) -> tuple[Path, ...]:
    """The files of a copy that are there, in order."""
    return volumes(base)


def read_copy(path: Path) -> Iterator[Stored]:
    """The whole lines of one file. Raises `NoLine`, `OSError`."""
    with path.open("rb") as file:
        for number, text in enumerate(file, 1):
            if not text.endswith(b"\n"):
                return  # the power failed while it was written
            try:
                yield parse(text[:-1])
            except NoLine as wrong:
                raise NoLine(f"{path}, line {number}: {wrong}") from None


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


class SecondCopy:
    """Writes the copy, in a thread of its own, for as long as the controller lives."""

    def __init__(self, base: Path, journal: Path, awaited: Awaited, log: Log) -> None:
        self._base = base
        self._journal = journal
        self._awaited = awaited
        self._log = log
        self._closing = threading.Event()
        self._is_lost = False
        self._thread = threading.Thread(target=self._run, name="second-copy", daemon=True)

    def start(self) -> None:
        """Begin where the copy ends."""
        self._thread.start()

    def close(self, timeout_s: float) -> None:
        """Wait until everything that is in the journal is in the copy too, in bounded time."""
        self._closing.set()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while True:
            try:
                with closing(Shelf(self._journal)) as shelf:
                    self._follow(shelf)
                return
            except (OSError, NoLine) as wrong:
                self._lost(wrong)
            if self._closing.wait(RETRY_S):
                return

    def _follow(self, shelf: Shelf) -> None:
        last = last_of(self._base)
        seq = last.seq if last is not None else 0
        while True:
            is_last = self._closing.is_set()
            seq = self._written(shelf, seq)
            if is_last:
                return
            self._back(seq)
            while not self._awaited.wait_behind(seq, LOOK_S) and not self._closing.is_set():
                pass
            self._closing.wait(LATER_S)

    def _written(self, shelf: Shelf, after: int) -> int:
        """Everything behind a position; the new position."""
        for number, store in shelf.numbered.items():
            records = store.records(after=after)
            while some := list(islice(records, BATCH)):
                append(volume_path(self._base, number), [line_with_box(each) + b"\n" for each in some])
                after = some[-1].seq
        return after

    def _lost(self, wrong: OSError | NoLine) -> None:
        if not self._is_lost:
            self._is_lost = True
            self._log.error("second copy lost", path=str(self._base), reason=str(wrong))

    def _back(self, seq: int) -> None:
        if self._is_lost:
            self._is_lost = False
            self._log.info("second copy back", path=str(self._base), records=seq)


def append(path: Path, lines: list[bytes]) -> None:
    """Add these lines, durably; the first one completes a torn one. Raises `OSError`, `NoLine`."""
    _, torn = _ends(path) if path.exists() else (None, b"")
    text = b"".join(lines)
    if not text.startswith(torn):
        raise NoLine(f"{path}: ends with a torn line that is not the beginning of the next record")
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        text = text[len(torn) :]
        while text:
            text = text[os.write(descriptor, text) :]
        os.fdatasync(descriptor)
    finally:
        os.close(descriptor)


def _ends(path: Path) -> tuple[bytes | None, bytes]:
    """The last whole line of a file, without its end, and what is torn behind it."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - BLOCK_BYTES))
        *whole, torn = file.read().split(b"\n")
    return (whole[-1] if whole else None), torn
