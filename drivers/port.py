"""One device's port: two threads that move bytes between a wire and a protocol, and never die silently.

The reader opens the wire, reads, feeds the protocol and hands its facts to the sink; it alone calls the sink, so facts
keep their order. The writer writes, so that nobody who sends a command waits for a stuck device. A lost wire is opened
again by its stable identity, with growing pauses up to a ceiling. What happened is logged once lost and once back.
"""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Final, Generic, Protocol, Self, TypeVar

from drivers.facts import DeviceFact, Lost, Rejected
from drivers.protocol import DeviceProtocol
from drivers.transport.base import Wire, WireLost, WireOpener, WireUnavailable

P = TypeVar("P", bound=DeviceProtocol)

#: Longest read without a look at the protocol's deadline, in seconds. Our choice.
LONGEST_READ_S: Final = 0.25
#: Longest a sender lets the writer thread go first, in seconds. It waits for the thread, never for the device: without
#: this pause the sender would keep the interpreter lock for up to 5 ms (CPython's switch interval) before the write.
HANDOVER_S: Final = 0.001
#: Writes that may wait behind a stuck one before the wire is given up. Our choice.
WAITING_WRITES_MAX: Final = 256
#: How long `close` waits for each thread, in seconds. Our choice; longer than any write time-out of a wire.
JOIN_S: Final = 5.0
#: Distinct reasons for rejects that are kept apart; further ones are counted together.
REASONS_MAX: Final = 64


class Log(Protocol):
    """What a port needs of a log: structlog's bound loggers fit."""

    def info(self, event: str, **fields: object) -> object: ...

    def warning(self, event: str, **fields: object) -> object: ...

    def error(self, event: str, **fields: object) -> object: ...


class PortState(Enum):
    """`NEW` until the first attempt to open ended; `CLOSED` for good, by us."""

    NEW = "new"
    OPEN = "open"
    LOST = "lost"
    CLOSED = "closed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """Pauses between attempts to open, in seconds: the first, doubled each time, up to the ceiling.

    A wire that stayed open for longer than the ceiling starts again from the first pause; one that keeps breaking
    at once does not.
    """

    first_s: float = 0.05
    ceiling_s: float = 2.0


DEFAULT_PATIENCE: Final = Patience()


@dataclass(frozen=True, kw_only=True, slots=True)
class PortHealth:
    """A port at one moment. Counts are since the port was made; `since_us` is wall clock, microseconds."""

    device: str
    state: PortState
    since_us: int
    #: What was opened (path, serial number); of the last wire when there is none now, empty before the first.
    identity: str
    facts: int
    #: (reason, how many), most frequent first.
    rejects: tuple[tuple[str, int], ...]
    garbage_bytes: int
    bytes_in: int
    bytes_out: int
    reconnects: int
    #: For a technician; None while nothing has gone wrong yet. Kept after the device is back.
    last_error: str | None


@dataclass(frozen=True, slots=True)
class _Job:
    """Items for one wire. The writer releases `taken` before it writes."""

    wire: Wire
    items: tuple[bytes, ...]
    taken: threading.Lock


class _Fence:
    """Keeps an exception of the code inside from ending the thread: `error` holds it, for whoever has to say so."""

    def __init__(self) -> None:
        self.error: Exception | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, Exception):
            self.error = error
        return self.error is not None


def _where(bug: BaseException) -> str:
    """File and line a bug came from. Its text is left out: it may hold the value of a card."""
    frames = traceback.extract_tb(bug.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "unknown"


class Port(Generic[P]):
    """Keeps one device connected for as long as it lives.

    `sink` takes every fact, from the reader thread, one at a time; it should put it in a queue and return.
    `protocol.closed` is called once a loss, and also when the very first attempt to open fails.
    """

    def __init__(
        self,
        name: str,
        opener: WireOpener,
        protocol: P,
        sink: Callable[[DeviceFact], None],
        log: Log,
        *,
        patience: Patience = DEFAULT_PATIENCE,
        now_s: Callable[[], float] = time.monotonic,
        now_us: Callable[[], int] = lambda: time.time_ns() // 1000,
    ) -> None:
        self.name = name
        self._opener = opener
        self._protocol = protocol
        self._sink = sink
        self._log = log
        self._patience = patience
        self._now_s = now_s
        self._now_us = now_us
        #: Guards the protocol, `_wire` and the order of jobs.
        self._lock = threading.Lock()
        self._wire: Wire | None = None
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer_is_free = False
        self._write_error: tuple[Wire, str] | None = None
        self._closing = threading.Event()
        self._reader = threading.Thread(target=self._keep_open, name=f"{name}-reader", daemon=True)
        self._writer = threading.Thread(target=self._keep_writing, name=f"{name}-writer", daemon=True)
        self._state = PortState.NEW
        self._since_us = now_us()
        self._identity = ""
        self._opened_before = False
        self._facts = 0
        self._rejects: Counter[str] = Counter()
        self._garbage_bytes = 0
        self._bytes_in = 0
        self._bytes_out = 0
        self._reconnects = 0
        self._last_error: str | None = None

    # -- for the controller ------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the two threads; once."""
        self._writer.start()
        self._reader.start()

    def send(self, action: Callable[[P], object]) -> bool:
        """Run `action` on the protocol and hand over at once what it wants written; never waits for the device.

        False while there is no wire: the action was run all the same, but nothing was written, and it is for the
        protocol to say in `opened` what still has to be said. What `action` raises comes through. Any thread may
        call it, the sink too.
        """
        with self._lock:
            action(self._protocol)
            wire = self._wire
            job = self._hand_over(wire)
            goes_first = job is not None and self._writer_is_free
        if job is not None and goes_first:
            job.taken.acquire(timeout=HANDOVER_S)
        return wire is not None

    def drain(self, timeout_s: float) -> bool:
        """Wait until everything handed over so far is written; False where it was not, in time."""
        with self._lock:
            if self._wire is None:
                return False
            last = _Job(self._wire, (), threading.Lock())
            last.taken.acquire()
            self._jobs.put(last)
        return last.taken.acquire(timeout=timeout_s)

    def health(self) -> PortHealth:
        """A snapshot; cheap, any thread."""
        return PortHealth(
            device=self.name,
            state=self._state,
            since_us=self._since_us,
            identity=self._identity,
            facts=self._facts,
            rejects=tuple(self._rejects.copy().most_common()),
            garbage_bytes=self._garbage_bytes,
            bytes_in=self._bytes_in,
            bytes_out=self._bytes_out,
            reconnects=self._reconnects,
            last_error=self._last_error,
        )

    def close(self) -> None:
        """End both threads and close the wire. A close of our own is no loss: no fact, no warning. May be repeated."""
        self._closing.set()
        with self._lock:
            wire = self._wire
        if wire is not None:
            wire.close()
        self._jobs.put(None)
        for thread in (self._reader, self._writer):
            if thread.ident is not None and thread is not threading.current_thread():
                thread.join(JOIN_S)
                if thread.is_alive():
                    self._log.error("thread does not end", device=self.name, thread=thread.name)
        self._enter(PortState.CLOSED)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- reader thread -----------------------------------------------------------------------------------------------

    def _keep_open(self) -> None:
        pause_s = self._patience.first_s
        while not self._closing.is_set():
            began_s = self._now_s()
            with _Fence() as life:
                self._serve(self._opener())
            if isinstance(life.error, WireUnavailable | WireLost):
                self._lose(str(life.error))
            elif life.error is not None:
                self._lose(f"driver failed: {type(life.error).__name__}", where=_where(life.error))
            if self._now_s() - began_s > self._patience.ceiling_s:
                pause_s = self._patience.first_s
            self._closing.wait(pause_s)
            pause_s = min(2 * pause_s, self._patience.ceiling_s)

    def _serve(self, wire: Wire) -> None:
        """Until the wire breaks (`WireLost`) or the port is closed (returns)."""
        try:
            if self._closing.is_set():
                return
            with self._lock:
                self._wire = wire
                facts = self._protocol.opened(now_s=self._now_s(), at_us=self._now_us())
                self._hand_over(wire)
            self._be_back(wire.identity)
            self._deliver(facts)
            while not self._closing.is_set():
                self._turn(wire)
        finally:
            with self._lock:
                self._wire = None
            wire.close()

    def _turn(self, wire: Wire) -> None:
        """One read, whatever it brings, and what is due."""
        try:
            data = wire.read(self._patience_of_read_s())
        except WireLost:
            if self._closing.is_set():
                return
            self._raise_write_error(wire)
            raise
        at_us = self._now_us()
        self._raise_write_error(wire)
        facts: list[DeviceFact] = []
        with self._lock:
            now_s = self._now_s()
            if data:
                self._bytes_in += len(data)
                facts += self._protocol.receive(data, now_s=now_s, at_us=at_us)
            due_s = self._protocol.deadline_s()
            if due_s is not None and due_s <= now_s:
                facts += self._protocol.tick(now_s=now_s, at_us=at_us)
            self._hand_over(wire)
        self._deliver(facts)

    def _patience_of_read_s(self) -> float:
        with self._lock:
            due_s = self._protocol.deadline_s()
        if due_s is None:
            return LONGEST_READ_S
        return min(max(due_s - self._now_s(), 0.0), LONGEST_READ_S)

    def _raise_write_error(self, wire: Wire) -> None:
        """A failed write closed the wire under the reader: its reason is the better one."""
        if self._write_error is not None and self._write_error[0] is wire:
            raise WireLost(self._write_error[1])

    def _be_back(self, identity: str) -> None:
        self._identity = identity
        if self._opened_before:
            self._reconnects += 1
        was_lost = self._state is PortState.LOST
        self._opened_before = True
        self._enter(PortState.OPEN)
        self._log.info("device back" if was_lost else "device found", device=self.name, identity=identity)

    def _lose(self, reason: str, *, where: str | None = None) -> None:
        """Say it once: further failures to open are only remembered as the last error."""
        self._last_error = reason
        if self._state is PortState.LOST or self._closing.is_set():
            return
        self._enter(PortState.LOST)
        if where is None:
            self._log.warning("device lost", device=self.name, reason=reason)
        else:
            self._log.error("device lost", device=self.name, reason=reason, where=where)
        self._deliver(self._facts_of_loss(reason))

    def _facts_of_loss(self, reason: str) -> Sequence[DeviceFact]:
        at_us = self._now_us()
        facts: Sequence[DeviceFact] = [Lost(device=self.name, at_us=at_us, reason=reason)]
        with self._lock, _Fence() as driver:
            facts = self._protocol.closed(at_us=at_us, reason=reason)
        self._say_bug("driver failed", driver.error)
        return facts

    def _say_bug(self, event: str, bug: Exception | None) -> None:
        if bug is not None:
            self._log.error(event, device=self.name, error=type(bug).__name__, where=_where(bug))

    def _deliver(self, facts: Iterable[DeviceFact]) -> None:
        for fact in facts:
            self._facts += 1
            if isinstance(fact, Rejected):
                self._count_reject(fact)
            with _Fence() as receiver:
                self._sink(fact)
            self._say_bug("fact not taken", receiver.error)

    def _count_reject(self, reject: Rejected) -> None:
        known = reject.reason in self._rejects or len(self._rejects) < REASONS_MAX
        reason = reject.reason if known else "other"
        self._garbage_bytes += reject.n_bytes
        self._rejects[reason] += 1
        if self._rejects[reason] == 1:
            self._log.warning("bytes rejected", device=self.name, reason=reason, n_bytes=reject.n_bytes)

    def _enter(self, state: PortState) -> None:
        self._state = state
        self._since_us = self._now_us()

    # -- writer thread -----------------------------------------------------------------------------------------------

    def _hand_over(self, wire: Wire | None) -> _Job | None:
        """Give the writer what the protocol wants written. The caller holds the lock, which keeps the order."""
        items = tuple(self._protocol.take_outgoing())
        if wire is None or not items:
            return None
        if self._jobs.qsize() >= WAITING_WRITES_MAX:
            self._fail_write(wire, f"stuck: {WAITING_WRITES_MAX} writes are waiting")
            return None
        job = _Job(wire, items, threading.Lock())
        job.taken.acquire()
        self._jobs.put(job)
        return job

    def _keep_writing(self) -> None:
        self._writer_is_free = True
        while (job := self._jobs.get()) is not None:
            self._writer_is_free = False
            job.taken.release()
            with _Fence() as writing:
                self._write(job)
            if isinstance(writing.error, WireLost):
                self._fail_write(job.wire, str(writing.error))
            elif writing.error is not None:
                self._fail_write(job.wire, f"wire failed: {type(writing.error).__name__} at {_where(writing.error)}")
            self._writer_is_free = True

    def _write(self, job: _Job) -> None:
        for item in job.items:
            if self._wire is not job.wire:
                return  # written for a wire that is gone; the protocol said anew in `opened` what matters
            job.wire.write(item)
            self._bytes_out += len(item)

    def _fail_write(self, wire: Wire, reason: str) -> None:
        """Tell the reader, who alone declares a device lost, by closing the wire under it."""
        if self._write_error is None or self._write_error[0] is not wire:
            self._write_error = (wire, reason)
        wire.close()
