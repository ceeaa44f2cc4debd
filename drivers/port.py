"""One device's port: two threads that move bytes between a wire and a protocol, and never die silently.

The reader opens the wire, reads, feeds the protocol and hands its facts to the sink; it alone calls the sink, so facts
keep their order. The writer writes, so that nobody who sends a command waits for a stuck device. A lost wire is opened
again by its stable identity, with growing pauses up to a ceiling. What happened is logged once lost and once back.

Should one of the threads end all the same, the device is lost and the other one ends too. One that does not move is
noticed by whoever watches `heartbeats` and calls `give_up`. What is known of the device is `health`
(`drivers/health.py`).
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Generic, Protocol, Self, TypeVar

from drivers.error_boundary import ErrorBoundary, where_of
from drivers.facts import DeviceFact, Lost, Rejected
from drivers.health import DeviceHealth, Event, HealthRecord, event_of, tally_of
from drivers.heartbeat import Heartbeat
from drivers.protocol import DeviceProtocol
from drivers.thread_name import show_name
from drivers.transport.base import Wire, WireLost, WireOpener, WireUnavailable

P = TypeVar("P", bound=DeviceProtocol)

#: Longest read without a look at the protocol's deadline, in seconds. Our choice.
LONGEST_READ_S: Final = 0.5
#: Longest a sender lets the writer thread go first, in seconds. It waits for the thread, never for the device: without
#: this pause the sender would keep the interpreter lock for up to 5 ms (CPython's switch interval) before the write.
HANDOVER_S: Final = 0.001
#: Writes that may wait behind a stuck one before the wire is given up. Our choice.
WAITING_WRITES_MAX: Final = 256
#: How long `close` waits for each thread, in seconds. Our choice; longer than any write time-out of a wire.
JOIN_S: Final = 5.0


class Log(Protocol):
    """What a port needs of a log; which level is for what: docs/logs.md."""

    def info(self, event: str, **fields: object) -> object: ...

    def warning(self, event: str, **fields: object) -> object: ...

    def error(self, event: str, **fields: object) -> object: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """Pauses between attempts to open, in seconds: the first, doubled each time, up to the ceiling.

    A wire that stayed open for longer than the ceiling starts again from the first pause; one that keeps breaking
    at once does not.
    """

    first_s: float = 0.05
    ceiling_s: float = 2.0


DEFAULT_PATIENCE: Final = Patience()


class _Mute(WireLost):
    """The wire is as it was, and the device does not answer on it."""


@dataclass(frozen=True, slots=True)
class _Job:
    """Items for one wire. The writer releases `taken` before it writes."""

    wire: Wire
    items: tuple[bytes, ...]
    taken: threading.Lock


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
        self._reader = threading.Thread(target=self._read_on, name=f"{name}-reader", daemon=True)
        self._writer = threading.Thread(target=self._write_on, name=f"{name}-writer", daemon=True)
        self._heartbeats = (Heartbeat(self._reader.name, now_s=now_s), Heartbeat(self._writer.name, now_s=now_s))
        self._health = HealthRecord(name, tally_of(protocol), now_us=now_us)
        #: `protocol.closed` was called, and not `opened` since.
        self._is_lost = False
        #: Somebody who watches said `Lost` for the reader, which does not move.
        self._is_given_up = False
        #: Why there is nobody any more who could serve the device.
        self._ended: str | None = None

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

    def health(self) -> DeviceHealth:
        """A snapshot; cheap, any thread."""
        return self._health.now()

    @property
    def heartbeats(self) -> tuple[Heartbeat, ...]:
        """The signs of life of both threads."""
        return self._heartbeats

    def give_up(self, reason: str) -> None:
        """For whoever found a thread of this port in trouble: the device is lost. Never waits for that thread, even
        where it hangs in a call of the kernel.

        Should it move again, the wire is opened anew.
        """
        if self._closing.is_set() or self._is_lost or self._is_given_up:
            return
        self._is_given_up = True
        self._health.failed(reason, Event.GONE)
        self._log.error("device lost", device=self.name, reason=reason)
        self._deliver([Lost(device=self.name, at_us=self._now_us(), reason=reason)])
        wire = self._wire  # without the lock, which that thread may hold
        if wire is not None:
            self._fail_write(wire, reason)

    def close(self) -> None:
        """End both threads and close the wire. A close of our own is no loss: no fact, no warning. May be repeated."""
        self._closing.set()
        with self._lock:
            wire = self._wire
        closer = self._close_beside(wire) if wire is not None else None
        self._jobs.put(None)
        for thread in (self._reader, self._writer):
            if thread.ident is not None and thread is not threading.current_thread():
                thread.join(JOIN_S)
                if thread.is_alive():
                    self._log.warning("thread does not end", device=self.name, thread=thread.name)
        if closer is not None and not self._reader.is_alive():
            closer.join(JOIN_S)
        self._health.closed()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- reader thread -----------------------------------------------------------------------------------------------

    def _read_on(self) -> None:
        """The reader's whole life."""
        heartbeat, _ = self._heartbeats
        with ErrorBoundary() as life:
            heartbeat.begin()
            self._keep_open(heartbeat)
        if life.error is None and self._closing.is_set():
            heartbeat.end()
            return
        reason = self._end(self._reader, life.error)
        self._jobs.put(None)
        self._lose(reason, Event.GONE)

    def _end(self, thread: threading.Thread, error: BaseException | None) -> str:
        """A thread of this port is at its end, and nobody wanted that. Why the device is lost."""
        if self._ended is None:
            why = f": {type(error).__name__} at {where_of(error)}" if error is not None else ""
            self._ended = f"the thread {thread.name} ended{why}"
            self._log.error("thread ended", device=self.name, thread=thread.name, reason=self._ended)
        return self._ended

    def _keep_open(self, heartbeat: Heartbeat) -> None:
        pause_s = self._patience.first_s
        while not self._closing.is_set() and self._ended is None:
            began_s = self._now_s()
            with ErrorBoundary() as life:
                heartbeat.rest()  # opening takes as long as it takes, and the device is lost meanwhile
                wire = self._opener()
                heartbeat.beat()
                self._serve(wire, heartbeat)
            if isinstance(life.error, WireUnavailable | WireLost):
                self._lose(str(life.error), Event.MUTE if isinstance(life.error, _Mute) else event_of(life.error))
            elif life.error is not None:
                self._lose(f"driver failed: {type(life.error).__name__}", Event.GONE, where=where_of(life.error))
            if self._now_s() - began_s > self._patience.ceiling_s:
                pause_s = self._patience.first_s
            heartbeat.rest()
            self._closing.wait(pause_s)
            heartbeat.beat()
            pause_s = min(2 * pause_s, self._patience.ceiling_s)

    def _serve(self, wire: Wire, heartbeat: Heartbeat) -> None:
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
                self._turn(wire, heartbeat)
        finally:
            with self._lock:
                self._wire = None
            wire.close()

    def _turn(self, wire: Wire, heartbeat: Heartbeat) -> None:
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
            heartbeat.beat(now_s)
            if data:
                self._health.heard(len(data), at_us)
                facts += self._protocol.receive(data, now_s=now_s, at_us=at_us)
            due_s = self._protocol.deadline_s()
            if due_s is not None and due_s <= now_s:
                facts += self._tick(now_s, at_us)
            self._hand_over(wire)
            self._health.look()
        self._deliver(facts)

    def _tick(self, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        try:
            return self._protocol.tick(now_s=now_s, at_us=at_us)
        except WireLost as mute:
            raise _Mute(str(mute)) from mute

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
        was_lost = self._is_lost
        self._is_lost = self._is_given_up = False
        self._health.opened(identity)
        self._log.info("device back" if was_lost else "device found", device=self.name, identity=identity)

    def _lose(self, reason: str, event: Event, *, where: str | None = None) -> None:
        """Say it once: further failures to open are only remembered as the last error."""
        self._health.failed(reason, event)
        if self._is_lost or self._closing.is_set():
            return
        self._is_lost = True
        was_told, self._is_given_up = self._is_given_up, False
        if where is not None:
            self._log.warning("device lost", device=self.name, reason=reason, where=where)
        elif not was_told:
            self._log.warning("device lost", device=self.name, reason=reason)
        facts = self._facts_of_loss(reason)
        self._deliver(fact for fact in facts if not (was_told and isinstance(fact, Lost)))

    def _facts_of_loss(self, reason: str) -> Sequence[DeviceFact]:
        at_us = self._now_us()
        facts: Sequence[DeviceFact] = [Lost(device=self.name, at_us=at_us, reason=reason)]
        with self._lock, ErrorBoundary() as driver:
            facts = self._protocol.closed(at_us=at_us, reason=reason)
        if driver.error is not None:
            self._log.warning("driver failed", device=self.name, **_of_bug(driver.error))
        return facts

    def _deliver(self, facts: Iterable[DeviceFact]) -> None:
        for fact in facts:
            if self._health.told(fact) and isinstance(fact, Rejected):
                self._log.warning("bytes rejected", device=self.name, reason=fact.reason, n_bytes=fact.n_bytes)
            with ErrorBoundary() as receiver:
                self._sink(fact)
            if receiver.error is not None:
                self._log.error("fact not taken", device=self.name, **_of_bug(receiver.error))

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

    def _write_on(self) -> None:
        """The writer's whole life."""
        _, heartbeat = self._heartbeats
        with ErrorBoundary() as life:
            heartbeat.begin()
            self._keep_writing(heartbeat)
        if life.error is None and (self._closing.is_set() or self._ended is not None):
            heartbeat.end()
            return
        reason, wire = self._end(self._writer, life.error), self._wire
        if wire is not None:
            self._fail_write(wire, reason)

    def _keep_writing(self, heartbeat: Heartbeat) -> None:
        heartbeat.rest()
        self._writer_is_free = True
        while (job := self._jobs.get()) is not None:
            heartbeat.beat()
            self._writer_is_free = False
            job.taken.release()
            with ErrorBoundary() as writing:
                self._write(job)
            if isinstance(writing.error, WireLost):
                self._fail_write(job.wire, str(writing.error))
            elif writing.error is not None:
                self._fail_write(job.wire, f"wire failed: {type(writing.error).__name__} at {where_of(writing.error)}")
            heartbeat.rest()
            self._writer_is_free = True

    def _write(self, job: _Job) -> None:
        for item in job.items:
            if self._wire is not job.wire:
                return  # written for a wire that is gone; the protocol said anew in `opened` what matters
            job.wire.write(item)
            self._health.bytes_out += len(item)

    def _fail_write(self, wire: Wire, reason: str) -> None:
        """Tell the reader, who alone declares a device lost, by closing the wire under it. Never waits."""
        if self._write_error is not None and self._write_error[0] is wire:
            return  # it is being closed
        self._write_error = (wire, reason)
        self._close_beside(wire)

    def _close_beside(self, wire: Wire) -> threading.Thread | None:
        """Close a wire under its threads, from a thread of its own: a wire waits for the calls that are under way, and
        one that hangs in the kernel may never come back. The reader's own close waits until this one is done."""

        def close() -> None:
            show_name()
            with ErrorBoundary():
                wire.close()

        closer = threading.Thread(target=close, name=f"{self.name}-closer", daemon=True)
        with ErrorBoundary() as starting:
            closer.start()
        # Where no thread can be had, the reader closes it after its next read.
        return closer if starting.error is None else None


def _of_bug(bug: BaseException) -> dict[str, str]:
    """What is said of it. Its text is left out: it may hold the value of a card."""
    return {"error": type(bug).__name__, "where": where_of(bug)}
