"""Records what goes over the wires of a running table, and never gets in their way.

A wire's thread puts an entry into a bounded queue and goes on; a thread of the recorder's own seals and writes. What
does not fit into the queue, or cannot be written, is counted, and the trace says at that place how much is missing. A
folder that cannot be written or a key that is not there is said once in the log, and tried again now and then: a table
without traces plays on.
"""

from __future__ import annotations

import fcntl
import hashlib
import queue
import re
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec

from drivers.heartbeat import Heartbeat
from drivers.port import Log
from drivers.registry import DRIVERS
from drivers.transport.base import WireOpener
from drivers.transport.tapped import WireEvent, tapped_opener
from tablectl.config.devices import Device
from tablectl.config.table_file import Config
from tablectl.config.trace import TraceSettings
from tablectl.core.engine.outputs import Outputs
from tablectl.core.timestamps import time_text
from tablectl.journal.clock import now_us
from tablectl.journal.keys import load_sealing
from tablectl.journal.public_keys import BadKey
from tablectl.ops.trace.entry import Entry, Head, Kind
from tablectl.ops.trace.file import DATA_MAX, SUFFIX, About, TraceWriter, file_name, new_series

#: Entries that may wait for the disk, of all devices together.
WAITING_MAX: Final = 8192
#: How long what was said last may stay unwritten, in seconds: so much of a trace is lost with the power.
FLUSH_S: Final = 1.0
#: Pause before a file is tried again that could not be made or written, in seconds.
RETRY_S: Final = 10.0
#: How long the end waits for the disk, in seconds.
JOIN_S: Final = 5.0
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")


def head_of(device: Device, language: str) -> Head:
    """Of whom a trace of this device is."""
    return Head(
        device=device.name,
        driver=device.driver,
        settings=device.settings,
        keys={key.value: number for key, number in device.keys.items()},
        language=language,
    )


def stem_of(device: str) -> str:
    """What the names of a device's files begin with. Never holds a dot, and differs for different names."""
    if _PLAIN_NAME.fullmatch(device):
        return device
    digest = hashlib.sha256(device.encode()).hexdigest()[:8]
    return f"{re.sub('[^A-Za-z0-9_-]+', '-', device)}-{digest}"


class _Line:
    """One device: its tap, and its files. Files are the recorder's thread's alone."""

    def __init__(self, recorder: TraceRecorder, device: Device, language: str) -> None:
        self._recorder = recorder
        self.head = head_of(device, language)
        self.stem = stem_of(device.name)
        self.series = new_series()
        self.writer: TraceWriter | None = None
        self.n_files = 0
        #: What the table wanted shown last: each file begins with it.
        self.told: Entry | None = None
        #: Entries that are missing since the last one that was written.
        self.n_missing = 0
        self.retry_s = 0.0

    def happened(self, event: WireEvent, data: bytes) -> None:
        """See `drivers.transport.tapped.Tap`."""
        self._recorder.take(self, Kind(event.value), bytes(data))


class TraceRecorder:
    """The recorder of one table. `start` and `close` may be called more than once."""

    def __init__(
        self,
        settings: TraceSettings,
        devices: Iterable[Device],
        *,
        language: str,
        key: Path,
        log: Log,
        now_s: Callable[[], float] = time.monotonic,
        waiting_max: int = WAITING_MAX,
    ) -> None:
        self._settings = settings
        self._key = key
        self._log = log
        self._now_s = now_s
        self._waiting_max = waiting_max
        self._lines = {
            device.name: _Line(self, device, language) for device in devices if device.name in settings.devices
        }
        self._entries: queue.SimpleQueue[tuple[_Line, Entry] | None] = queue.SimpleQueue()
        #: By device, what found no room; counted by whoever met the full queue.
        self._dropped: dict[str, int] = {}
        self._counting = threading.Lock()
        self._wanted: Outputs | None = None
        self.heartbeat = Heartbeat("trace")
        self._thread: threading.Thread | None = None

    # -- for the threads of the wires --------------------------------------------------------------------------------

    def tapped(self, device: str, opener: WireOpener) -> WireOpener:
        """The same opener, listened in to where the configuration names this device."""
        line = self._lines.get(device)
        return opener if line is None else tapped_opener(opener, line)

    def told(self, wanted: Outputs) -> None:
        """What the table wants shown, before its devices are told."""
        if not self._lines or wanted == self._wanted:
            return
        self._wanted = wanted
        data = msgspec.json.encode(wanted)
        for line in self._lines.values():
            if DRIVERS[line.head.driver].role != "antennas":
                self.take(line, Kind.TOLD, data)

    def take(self, line: _Line, kind: Kind, data: bytes) -> None:
        """Put it into the queue, or count it. Never waits and never raises."""
        if self._entries.qsize() >= self._waiting_max or len(data) > DATA_MAX:
            with self._counting:
                self._dropped[line.head.device] = self._dropped.get(line.head.device, 0) + 1
            return
        self._entries.put((line, Entry(kind=kind, mono_us=int(self._now_s() * 1e6), wall_us=now_us(), data=data)))

    # -- life --------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Write from now on; what came before is still there."""
        if self._thread is None and self._lines:
            self._thread = threading.Thread(
                target=self.heartbeat.live, args=(self._keep_writing,), name="trace", daemon=True
            )
            self._thread.start()

    def close(self) -> None:
        """Write what is waiting, and end the files in order."""
        if self._thread is not None and self._thread.is_alive():
            self._entries.put(None)
            self._thread.join(JOIN_S)

    def _keep_writing(self) -> None:
        due_s = time.monotonic() + FLUSH_S
        while True:
            self.heartbeat.beat()
            try:
                found = self._entries.get(timeout=max(0.0, due_s - time.monotonic()))
            except queue.Empty:
                due_s = time.monotonic() + FLUSH_S
                self._for_each(TraceWriter.flush)
                continue
            if found is None:
                self._end()
                return
            self._write(*found)
            if time.monotonic() >= due_s:
                due_s = time.monotonic() + FLUSH_S
                self._for_each(TraceWriter.flush)

    def _end(self) -> None:
        for line in self._lines.values():
            self._count(line)
            self._say_missing(line, now_us(), int(self._now_s() * 1e6))
        self._for_each(TraceWriter.close)

    def _for_each(self, step: Callable[[TraceWriter], None]) -> None:
        for line in self._lines.values():
            self._try(line, step)

    def _try(self, line: _Line, step: Callable[[TraceWriter], None]) -> bool:
        """Whether there is a file and the step was done."""
        if line.writer is None:
            return False
        try:
            step(line.writer)
        except OSError as why:
            line.writer.give_up()
            line.writer = None
            self._fail(line, why.strerror or str(why))
            return False
        return True

    def _fail(self, line: _Line, reason: str) -> None:
        if not line.retry_s:
            self._log.warning("trace not recorded", device=line.head.device, reason=reason)
        line.retry_s = time.monotonic() + RETRY_S

    def _count(self, line: _Line) -> None:
        with self._counting:
            line.n_missing += self._dropped.pop(line.head.device, 0)

    def _write(self, line: _Line, entry: Entry) -> None:
        self._count(line)
        if entry.kind is Kind.TOLD:
            line.told = entry
        if line.writer is None and time.monotonic() >= line.retry_s:
            self._begin(line, entry)
        self._say_missing(line, entry.wall_us, entry.mono_us)
        if not self._try(line, lambda writer: writer.put(entry)):
            line.n_missing += 1
            return
        line.n_missing = 0
        if line.writer is not None and line.writer.n_bytes >= self._settings.file_bytes:
            self._try(line, TraceWriter.close)
            line.writer = None

    def _say_missing(self, line: _Line, wall_us: int, mono_us: int) -> None:
        if line.n_missing:
            data = str(line.n_missing).encode()
            said = Entry(kind=Kind.MISSING, mono_us=mono_us, wall_us=wall_us, data=data)
            self._try(line, lambda writer: writer.put(said))

    # -- files -------------------------------------------------------------------------------------------------------

    def _begin(self, line: _Line, entry: Entry) -> None:
        folder = self._settings.folder
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            vault, is_demo = load_sealing(self._key)
            about = About(
                head=line.head,
                began=time_text(entry.wall_us),
                series=line.series,
                number=line.n_files + 1,
                key=vault.fingerprint,
                is_demo=is_demo,
            )
            line.writer = TraceWriter(folder / file_name(line.stem, entry.wall_us), about, vault)
            # Nobody reads cards of a hand that is being played: see `tablectl.ops.trace.opening`.
            fcntl.flock(line.writer.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            line.n_files += 1
            self._keep_newest(line)
        except (OSError, BadKey) as why:
            self._fail(line, str(why))
            return
        if line.retry_s:
            line.retry_s = 0.0
            self._log.info("trace recorded again", device=line.head.device)
        if line.told is not None and line.told is not entry:
            told = Entry(kind=Kind.TOLD, mono_us=entry.mono_us, wall_us=entry.wall_us, data=line.told.data)
            self._try(line, lambda writer: writer.put(told))

    def _keep_newest(self, line: _Line) -> None:
        """The oldest of this device go, where there are too many."""
        for path in files_of(self._settings.folder, line.stem)[: -self._settings.files]:
            path.unlink()


def files_of(folder: Path, stem: str) -> list[Path]:
    """The files of one device, the oldest first."""
    name = re.compile(rf"{re.escape(stem)}\.\d{{8}}T\d{{6}}\.\d{{6}}Z{re.escape(SUFFIX)}")
    return sorted(path for path in folder.iterdir() if name.fullmatch(path.name))


def recorder_of(table: Config, log: Log) -> TraceRecorder:
    """The recorder that a table's configuration asks for; one that records nobody where it asks for none."""
    settings = table.trace if table.trace is not None else TraceSettings(folder=Path(), devices=())
    return TraceRecorder(settings, table.devices, language=table.languages[0], key=table.key, log=log)
