"""A port keeps one device connected, says everything once and blocks nobody."""

from __future__ import annotations

import errno
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from drivers.facts import DeviceFact, Found, KeyDown, Lost, Rejected
from drivers.health import FOREIGN_BYTES, DeviceState
from drivers.port import Patience, Port
from drivers.transport.base import Wire, WireLost, WireUnavailable

SOON_S = 10.0
EAGER = Patience(first_s=0.0, ceiling_s=0.0)


class FakeWire:
    """What a test puts in `incoming` is read; `None` is an unplug. What is written can be awaited in `written`."""

    identity = "fake wire"

    def __init__(self) -> None:
        self.incoming: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.written: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.may_write = threading.Event()
        self.may_write.set()
        self.write_error: Exception | None = None

    def read(self, timeout_s: float) -> bytes:
        try:
            data = self.incoming.get(timeout=timeout_s) if timeout_s > 0 else self.incoming.get_nowait()
        except queue.Empty:
            return b""
        if data is None:
            raise WireLost("unplugged")
        return data

    def write(self, data: bytes) -> None:
        if self.write_error is not None:
            raise self.write_error
        self.may_write.wait()
        self.written.put(data)

    def close(self) -> None:
        self.may_write.set()
        self.incoming.put(None)


class HangingWire(FakeWire):
    """A kernel driver hangs in the read of `H`; `close` waits for that, as every wire of ours does."""

    def __init__(self) -> None:
        super().__init__()
        self.hangs = threading.Event()
        self.may_go_on = threading.Event()
        self._reading = threading.Lock()

    def read(self, timeout_s: float) -> bytes:
        with self._reading:
            data = super().read(timeout_s)
            if data == b"H":
                self.hangs.set()
                self.may_go_on.wait()
            return data

    def close(self) -> None:
        super().close()
        with self._reading:
            pass


class Bench:
    """Openers that give the wires a test plugs in."""

    def __init__(self) -> None:
        self.plugged: queue.SimpleQueue[FakeWire] = queue.SimpleQueue()
        self.refused = threading.Semaphore(0)

    def plug(self, wire: FakeWire | None = None) -> FakeWire:
        plugged = wire if wire is not None else FakeWire()
        self.plugged.put(plugged)
        return plugged

    def open(self) -> Wire:
        try:
            return self.plugged.get_nowait()
        except queue.Empty:
            self.refused.release()
            raise WireUnavailable("no such file") from None


class Letters:
    """A protocol of one-byte messages: `k` is a key, `!` a bug in the driver, `X` the end of the program, `F` freezes
    the thread; anything else is rejected."""

    def __init__(self) -> None:
        self.outgoing: list[bytes] = []
        self.due_s: float | None = None
        self.fails_when_closed = False
        self.is_mute = False
        self.is_frozen = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        return [Found(device="panel", at_us=at_us, identity="letters")]

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        if self.fails_when_closed:
            raise KeyError("As")
        return [Lost(device="panel", at_us=at_us, reason=reason)]

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        if b"!" in data:
            raise ValueError("As")
        if b"X" in data:
            raise SystemExit(0)
        if b"F" in data:
            self.is_frozen.set()
            self.may_go_on.wait(SOON_S)
            return []
        return [
            KeyDown(device="panel", at_us=at_us, key=1)
            if byte == ord("k")
            else Rejected(device="panel", at_us=at_us, reason="no letter", n_bytes=1)
            for byte in data
        ]

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        if self.is_mute:
            raise WireLost("no answer")
        self.due_s = None
        return [KeyDown(device="panel", at_us=at_us, key=99)]

    def deadline_s(self) -> float | None:
        return self.due_s

    def take_outgoing(self) -> Sequence[bytes]:
        taken, self.outgoing = self.outgoing, []
        return taken

    def light(self, *items: bytes) -> None:
        self.outgoing.extend(items)


class Notes:
    """A log that remembers."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, dict[str, object]]] = []

    def info(self, event: str, **fields: object) -> None:
        self.lines.append(("info", event, fields))

    def warning(self, event: str, **fields: object) -> None:
        self.lines.append(("warning", event, fields))

    def error(self, event: str, **fields: object) -> None:
        self.lines.append(("error", event, fields))

    def events(self) -> list[str]:
        return [event for _, event, _ in self.lines]


class Table:
    """A port under test with everything around it."""

    def __init__(self, *, sink: Callable[[DeviceFact], None] | None = None, log: Notes | None = None) -> None:
        self.bench = Bench()
        self.protocol = Letters()
        self.log = log if log is not None else Notes()
        #: added to the monotonic clock
        self.clock_s = 0.0
        #: the thread that ends when it asks for the time
        self.deadly_to = ""
        self.facts: queue.SimpleQueue[DeviceFact] = queue.SimpleQueue()
        self.port = Port(
            "panel",
            self.bench.open,
            self.protocol,
            sink or self.facts.put,
            self.log,
            patience=EAGER,
            now_s=self._now_s,
            now_us=lambda: 7,
        )

    def _now_s(self) -> float:
        if threading.current_thread().name == self.deadly_to:
            raise SystemExit(0)
        return time.monotonic() + self.clock_s

    def next_fact(self) -> DeviceFact:
        return self.facts.get(timeout=SOON_S)


def lighting(number: int) -> Callable[[Letters], None]:
    return lambda panel: panel.light(bytes([number]))


@contextmanager
def started(table: Table) -> Iterator[Table]:
    table.port.start()
    try:
        yield table
    finally:
        table.port.close()


def test_what_is_read_becomes_facts_with_the_wall_clock_of_the_read() -> None:
    table = Table()
    wire = table.bench.plug()
    wire.incoming.put(b"k")
    with started(table):
        assert table.next_fact() == Found(device="panel", at_us=7, identity="letters")
        assert table.next_fact() == KeyDown(device="panel", at_us=7, key=1)


def test_a_loss_is_one_fact_and_one_line_however_often_opening_fails() -> None:
    table = Table()
    wire = table.bench.plug()
    with started(table):
        table.next_fact()
        wire.incoming.put(None)
        assert table.next_fact() == Lost(device="panel", at_us=7, reason="unplugged")
        for _ in range(5):
            assert table.bench.refused.acquire(timeout=SOON_S)
        table.bench.plug()
        assert isinstance(table.next_fact(), Found)
        assert table.port.health().reconnects == 1
        assert table.port.health().last_error == "no such file"
    assert table.log.events() == ["device found", "device lost", "device back"]


def test_a_device_that_was_never_there_is_lost_once_and_then_back() -> None:
    table = Table()
    with started(table):
        assert table.next_fact() == Lost(device="panel", at_us=7, reason="no such file")
        for _ in range(3):
            assert table.bench.refused.acquire(timeout=SOON_S)
        table.bench.plug()
        assert isinstance(table.next_fact(), Found)
        assert table.port.health().reconnects == 0
    assert table.log.events() == ["device lost", "device back"]


def test_sent_items_are_written_one_by_one_in_order() -> None:
    table = Table()
    wire = table.bench.plug()
    with started(table):
        table.next_fact()
        assert table.port.send(lambda panel: panel.light(b"1", b"2"))
        assert table.port.send(lambda panel: panel.light(b"3"))
        assert [wire.written.get(timeout=SOON_S) for _ in range(3)] == [b"1", b"2", b"3"]


def test_a_stuck_device_blocks_no_sender() -> None:
    table = Table()
    wire = table.bench.plug()
    wire.may_write.clear()
    with started(table):
        table.next_fact()
        for number in range(20):
            assert table.port.send(lighting(number))
        assert wire.written.empty()
        wire.may_write.set()
        assert [wire.written.get(timeout=SOON_S) for _ in range(20)] == [bytes([n]) for n in range(20)]


def test_draining_waits_until_everything_is_written_but_not_for_ever() -> None:
    table = Table()
    assert not table.port.drain(SOON_S), "there is no wire"
    wire = table.bench.plug()
    wire.may_write.clear()
    with started(table):
        table.next_fact()
        for number in range(5):
            assert table.port.send(lighting(number))
        assert not table.port.drain(0.05)
        wire.may_write.set()
        assert table.port.drain(SOON_S)
        assert [wire.written.get_nowait() for _ in range(5)] == [bytes([n]) for n in range(5)]


def test_a_device_that_stays_stuck_is_lost() -> None:
    table = Table()
    wire = table.bench.plug()
    wire.may_write.clear()
    with started(table):
        table.next_fact()
        for _ in range(300):
            table.port.send(lambda panel: panel.light(b"x"))
        lost = table.next_fact()
        assert isinstance(lost, Lost)
        assert lost.reason.startswith("stuck")


def test_sending_without_a_wire_runs_the_action_and_says_that_nothing_was_written() -> None:
    table = Table()
    with started(table):
        table.next_fact()
        assert not table.port.send(lambda panel: panel.light(b"stale"))
        wire = table.bench.plug()
        table.next_fact()
        table.port.send(lambda panel: panel.light(b"fresh"))
        assert wire.written.get(timeout=SOON_S) == b"fresh"


def test_what_an_action_raises_reaches_its_sender_and_the_port_lives() -> None:
    table = Table()
    wire = table.bench.plug()

    def refuse(panel: Letters) -> None:
        raise PermissionError("not granted")

    with started(table):
        table.next_fact()
        with pytest.raises(PermissionError):
            table.port.send(refuse)
        wire.incoming.put(b"k")
        assert isinstance(table.next_fact(), KeyDown)


def test_a_failed_write_is_a_loss_with_the_reason_of_the_write() -> None:
    table = Table()
    wire = table.bench.plug()
    wire.write_error = WireLost("errno 5 on write")
    with started(table):
        table.next_fact()
        table.port.send(lambda panel: panel.light(b"x"))
        assert table.next_fact() == Lost(device="panel", at_us=7, reason="errno 5 on write")


def test_a_bug_in_the_wire_is_a_loss_too() -> None:
    table = Table()
    wire = table.bench.plug()
    wire.write_error = ZeroDivisionError()
    with started(table):
        table.next_fact()
        table.port.send(lambda panel: panel.light(b"x"))
        lost = table.next_fact()
        assert isinstance(lost, Lost)
        assert "ZeroDivisionError" in lost.reason


def test_a_bug_in_a_driver_is_logged_without_values_and_the_device_comes_back() -> None:
    table = Table()
    wire = table.bench.plug()
    with started(table):
        table.next_fact()
        wire.incoming.put(b"!")
        assert table.next_fact() == Lost(device="panel", at_us=7, reason="driver failed: ValueError")
        table.bench.plug().incoming.put(b"k")
        assert isinstance(table.next_fact(), Found)
        assert isinstance(table.next_fact(), KeyDown)
    assert [level for level, event, _ in table.log.lines if event == "device lost"] == ["warning"]
    assert "As" not in repr(table.log.lines)


def test_a_driver_that_fails_to_say_goodbye_is_lost_all_the_same() -> None:
    table = Table()
    table.protocol.fails_when_closed = True
    wire = table.bench.plug()
    with started(table):
        table.next_fact()
        wire.incoming.put(None)
        assert table.next_fact() == Lost(device="panel", at_us=7, reason="unplugged")
    assert "As" not in repr(table.log.lines)


def test_a_sink_that_fails_does_not_end_the_thread() -> None:
    taken: queue.SimpleQueue[DeviceFact] = queue.SimpleQueue()

    def fragile(fact: DeviceFact) -> None:
        if isinstance(fact, Found):
            raise RuntimeError("full")
        taken.put(fact)

    table = Table(sink=fragile)
    table.bench.plug().incoming.put(b"k")
    with started(table):
        assert isinstance(taken.get(timeout=SOON_S), KeyDown)
    assert "fact not taken" in table.log.events()


def test_rejects_are_counted_and_logged_once_a_reason() -> None:
    table = Table()
    wire = table.bench.plug()
    with started(table):
        table.next_fact()
        wire.incoming.put(b"xyz")
        for _ in range(3):
            assert isinstance(table.next_fact(), Rejected)
        health = table.port.health()
    assert health.rejects == (("no letter", 3),)
    assert (health.garbage_bytes, health.bytes_in, health.facts) == (3, 3, 1)
    assert table.log.events().count("bytes rejected") == 1


def test_a_deadline_that_has_passed_is_a_tick() -> None:
    table = Table()
    table.protocol.due_s = 0.0
    table.bench.plug()
    with started(table):
        table.next_fact()
        assert table.next_fact() == KeyDown(device="panel", at_us=7, key=99)


def test_closing_is_no_loss_and_ends_both_threads() -> None:
    table = Table()
    table.bench.plug()
    table.port.start()
    table.next_fact()
    table.port.close()
    table.port.close()
    assert table.facts.empty()
    assert not table.port.health().is_open
    assert table.log.events() == ["device found"]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("panel-")]


# --- health -----------------------------------------------------------------------------------------------------------


def test_a_port_that_may_not_be_opened_is_refused_and_not_lost() -> None:
    refused = threading.Semaphore(0)

    def denied() -> Wire:
        refused.release()
        raise WireUnavailable("no permission") from PermissionError(errno.EACCES, "no")

    port = Port("panel", denied, Letters(), lambda _: None, Notes(), patience=EAGER)
    with port:
        for _ in range(3):
            assert refused.acquire(timeout=SOON_S)
        assert port.health().state is DeviceState.REFUSED


def test_a_protocol_that_finds_its_device_mute_leaves_it_silent_and_no_wire_leaves_it_lost() -> None:
    states: queue.SimpleQueue[tuple[str, DeviceState]] = queue.SimpleQueue()

    def sink(fact: DeviceFact) -> None:
        if isinstance(fact, Lost):
            states.put((fact.reason, table.port.health().state))

    table = Table(sink=sink)
    table.protocol.is_mute = True
    table.protocol.due_s = 0.0
    wire = table.bench.plug()
    with started(table):
        assert states.get(timeout=SOON_S) == ("no answer", DeviceState.SILENT)
        table.protocol.is_mute = False
        wire = table.bench.plug()
        wire.incoming.put(None)
        assert states.get(timeout=SOON_S) == ("unplugged", DeviceState.LOST)


def test_each_read_is_a_beat_whatever_it_brings() -> None:
    table = Table()
    wire = table.bench.plug()
    with started(table):
        table.next_fact()
        reader, _ = table.port.heartbeats
        table.clock_s += 11.0
        wire.incoming.put(b"kk")
        assert [type(table.next_fact()) for _ in range(2)] == [KeyDown, KeyDown]
        assert reader.trouble(10.0) is None


def test_what_is_counted_is_told() -> None:
    table = Table()
    wire = table.bench.plug()
    with started(table):
        table.next_fact()
        assert table.port.health().state is DeviceState.READY
        table.port.send(lighting(1))
        wire.written.get(timeout=SOON_S)
        wire.incoming.put(b"k" + b"?" * FOREIGN_BYTES)
        for _ in range(1 + FOREIGN_BYTES):
            table.next_fact()
        assert table.port.drain(SOON_S)
        health = table.port.health()
    assert health.state is DeviceState.FOREIGN
    assert (health.bytes_in, health.bytes_out, health.garbage_bytes) == (1 + FOREIGN_BYTES, 1, FOREIGN_BYTES)
    assert (health.frames, health.retries, health.identity) == (None, None, "fake wire")


# --- no thread dies silently ------------------------------------------------------------------------------------------


def test_a_driver_that_wants_to_end_the_program_is_lost_and_opened_again() -> None:
    table = Table()
    wire = table.bench.plug()
    with started(table):
        table.next_fact()
        wire.incoming.put(b"X")
        assert table.next_fact() == Lost(device="panel", at_us=7, reason="driver failed: SystemExit")
        table.bench.plug().incoming.put(b"k")
        assert isinstance(table.next_fact(), Found)
        assert isinstance(table.next_fact(), KeyDown)


class Fragile(Notes):
    """A log that ends the thread which says a certain thing."""

    def __init__(self, deadly: str) -> None:
        super().__init__()
        self._deadly = deadly

    def warning(self, event: str, **fields: object) -> None:
        super().warning(event, **fields)
        if event == self._deadly:
            raise SystemExit(0)


def test_a_reader_that_ends_all_the_same_takes_its_device_to_lost_and_the_writer_with_it() -> None:
    table = Table(log=Fragile("device lost"))
    wire = table.bench.plug()
    with started(table):
        table.next_fact()
        wire.incoming.put(None)
        reader, writer = table.port.heartbeats
        ended("panel-reader", "panel-writer")
        health = table.port.health()
        assert (health.state, health.is_open) == (DeviceState.LOST, False)
        assert str(health.last_error).startswith("the thread panel-reader ended: SystemExit at ")
        assert reader.trouble(SOON_S) == "the thread panel-reader has ended"
        assert writer.trouble(SOON_S) is None
    assert "thread ended" in table.log.events()


def test_a_writer_that_ends_takes_its_device_to_lost_and_the_reader_with_it() -> None:
    table = Table()
    table.bench.plug()
    with started(table):
        table.next_fact()
        assert table.port.drain(SOON_S), "the writer is there"
        table.deadly_to = "panel-writer"
        table.port.send(lighting(1))
        lost = table.next_fact()
        assert isinstance(lost, Lost)
        assert lost.reason.startswith("the thread panel-writer ended: SystemExit at ")
        ended("panel-reader", "panel-writer")
        assert table.port.health().state is DeviceState.LOST


def ended(*names: str) -> None:
    for thread in threading.enumerate():
        if thread.name in names:
            thread.join(SOON_S)
            assert not thread.is_alive(), thread.name


def test_a_reader_that_does_not_move_is_found_out_and_its_device_comes_back_when_it_does() -> None:
    table = Table()
    wire = table.bench.plug()
    with started(table):
        table.next_fact()
        table.protocol.may_go_on.clear()
        wire.incoming.put(b"F")
        assert table.protocol.is_frozen.wait(SOON_S)
        reader, _ = table.port.heartbeats
        table.clock_s += 11.0
        trouble = reader.trouble(10.0)
        assert trouble == "the thread panel-reader has not moved for more than 10 s"
        table.port.give_up(trouble)
        table.port.give_up(trouble)
        assert table.next_fact() == Lost(device="panel", at_us=7, reason=trouble)
        assert table.port.health().state is DeviceState.LOST
        assert table.facts.empty()
        table.protocol.may_go_on.set()
        table.bench.plug()
        assert isinstance(table.next_fact(), Found), "told as lost once"
        assert table.port.health().state is DeviceState.READY
        assert reader.trouble(10.0) is None
    assert table.log.events() == ["device found", "device lost", "device back"]


def test_nobody_who_gives_a_device_up_sends_to_it_or_ends_it_waits_for_a_read_that_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("drivers.port.JOIN_S", 0.001)
    table = Table()
    wire = HangingWire()
    table.bench.plug(wire)
    with started(table):
        table.next_fact()
        wire.incoming.put(b"H")
        assert wire.hangs.wait(SOON_S)
        others = [
            threading.Thread(target=table.port.give_up, args=("it does not move",), daemon=True),
            threading.Thread(target=table.port.send, args=(lighting(1),), daemon=True),
            threading.Thread(target=table.port.close, daemon=True),
        ]
        try:
            for other in others:
                other.start()
                other.join(SOON_S)
            assert [other.is_alive() for other in others] == [False] * 3
            assert table.next_fact() == Lost(device="panel", at_us=7, reason="it does not move")
        finally:
            wire.may_go_on.set()
        ended("panel-reader", "panel-writer", "panel-closer")


def test_a_device_whose_read_hung_is_found_again_when_the_read_comes_back() -> None:
    table = Table()
    wire = HangingWire()
    table.bench.plug(wire)
    with started(table):
        table.next_fact()
        wire.incoming.put(b"H")
        assert wire.hangs.wait(SOON_S)
        giving_up = threading.Thread(target=table.port.give_up, args=("it does not move",), daemon=True)
        giving_up.start()
        giving_up.join(SOON_S)
        assert not giving_up.is_alive()
        assert isinstance(table.next_fact(), Lost)
        table.bench.plug()
        wire.may_go_on.set()
        assert isinstance(table.next_fact(), Found)
    assert table.log.events() == ["device found", "device lost", "device back"]
