"""Every thread is proven to be alive: one that is not is said once, what follows follows, and systemd hears nothing."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from drivers.facts import DeviceFact, Lost
from drivers.health import DeviceState
from drivers.heartbeat import Heartbeat
from drivers.port import Port
from drivers.transport.base import Wire, WireUnavailable
from tablectl.journal.tilt import TiltKind
from tablectl.table.threads import watched_threads
from tablectl.table.watchdog import FROZEN_S, Watchdog, Watched
from tests.desk import LONG_S, Desk, KeptLog, desk


class Room:
    """Two threads, one of them not vital, of which both are this one; a clock that only the test moves."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.vital = Heartbeat("reader", now_s=lambda: self.now_s)
        self.other = Heartbeat("copy", now_s=lambda: self.now_s)
        self.vital.begin()
        self.other.begin()
        self.stopped: list[str] = []
        self.said = 0
        self.log = KeptLog()
        watched = (
            Watched(heartbeat=self.vital, stopped=self.stopped.append),
            Watched(heartbeat=self.other, stopped=self.stopped.append, is_vital=False),
        )
        self.dog = Watchdog(watched, self.log, self.alive, look_s=0.001)

    def alive(self) -> None:
        self.said += 1


def test_while_all_beat_systemd_hears_it_at_each_look() -> None:
    room = Room()
    for _ in range(3):
        room.dog.look()
    assert (room.said, room.stopped, room.dog.troubles) == (3, [], ())


def test_a_thread_that_does_not_move_is_said_once_and_systemd_hears_nothing_until_it_moves() -> None:
    room = Room()
    room.now_s += FROZEN_S + 1
    room.other.beat()
    trouble = f"the thread reader has not moved for more than {FROZEN_S:g} s"
    for _ in range(3):
        room.dog.look()
    assert (room.said, room.stopped, room.dog.troubles) == (0, [trouble], (trouble,))
    assert room.log.events("thread in trouble") == [{"thread": "reader", "reason": trouble}]
    room.vital.beat()
    room.dog.look()
    assert (room.said, room.dog.troubles) == (1, ())
    assert room.log.events("thread moves again") == [{"thread": "reader"}]


def test_a_thread_that_is_not_vital_is_said_and_systemd_goes_on_hearing_us() -> None:
    room = Room()
    room.now_s += FROZEN_S + 1
    room.vital.beat()
    room.dog.look()
    assert room.said == 1
    assert len(room.stopped) == 1


def test_a_thread_that_ended_after_it_froze_is_said_again() -> None:
    room = Room()
    heartbeat = Heartbeat("reader", now_s=lambda: room.now_s)
    go_on = threading.Event()

    def life() -> None:
        heartbeat.begin()
        begun.set()
        go_on.wait(LONG_S)

    begun = threading.Event()
    thread = threading.Thread(target=life)
    thread.start()
    assert begun.wait(LONG_S)
    dog = Watchdog([Watched(heartbeat=heartbeat, stopped=room.stopped.append)], room.log, room.alive)
    room.now_s += FROZEN_S + 1
    dog.look()
    go_on.set()
    thread.join()
    dog.look()
    assert room.stopped == [
        f"the thread reader has not moved for more than {FROZEN_S:g} s",
        "the thread reader has ended",
    ]


def test_it_looks_by_itself_until_it_is_closed_also_from_within() -> None:
    room, looked = Room(), threading.Event()
    dogs: list[Watchdog] = []

    def stopped(_trouble: str) -> None:
        dogs[0].close()
        looked.set()

    room.now_s += FROZEN_S + 1
    dogs.append(Watchdog([Watched(heartbeat=room.vital, stopped=stopped)], room.log, room.alive, look_s=0.001))
    dogs[0].start()
    assert looked.wait(LONG_S)
    dogs[0].close()
    assert "watchdog" not in {thread.name for thread in threading.enumerate()}


def test_a_look_that_breaks_is_said_once_and_the_next_one_looks_again() -> None:
    room, looked, n_looks = Room(), threading.Event(), 0

    def alive() -> None:
        nonlocal n_looks
        n_looks += 1
        match n_looks:
            case 1:
                raise OSError("no descriptor")
            case 2:
                raise SystemExit(0)
            case 3:
                pass
            case 4:
                raise KeyError("again")
            case _:
                looked.set()

    dog = Watchdog([Watched(heartbeat=room.vital, stopped=room.stopped.append)], room.log, alive, look_s=0.001)
    dog.start()
    assert looked.wait(LONG_S)
    dog.close()
    assert [event["error"] for event in room.log.events("watchdog's look failed")] == ["OSError", "KeyError"]


# --- the whole controller ---------------------------------------------------------------------------------------------


class Deadly(KeptLog):
    """A log that ends the thread which says that the copy is lost."""

    def error(self, event: str, **fields: object) -> None:
        super().error(event, **fields)
        if event == "second copy lost":
            raise SystemExit(0)


def without_copy(table: Desk) -> None:
    """A folder stands where the copy belongs."""
    (table.folder / "table.copy").mkdir()


def names_in_the_kernel() -> set[str]:
    found = set()
    for path in Path("/proc/self/task").glob("*/comm"):
        with suppress(OSError):  # a thread that ended meanwhile
            found.add(path.read_text(encoding="utf-8").rstrip())
    return found


@pytest.mark.system
def test_every_thread_of_a_table_has_a_name_that_a_technician_sees() -> None:
    with desk() as table:
        table.start()
        with table.reader(0):
            seen = names_in_the_kernel()
        devices = {f"{device}-{end}" for device in ("sabot", "panel", "light") for end in ("reader", "writer")}
        assert devices | {"control", "control-reader", "second-copy", "integrity", "watchdog"} <= seen


@pytest.mark.system
def test_a_copy_that_ended_for_good_is_a_tilt_and_one_whose_disk_is_gone_is_none() -> None:
    with desk() as table:
        without_copy(table)
        table.start()
        assert table.log.events("second copy lost")
        assert table.stop() == 0
        table.log = Deadly()
        assert table.does_not_start() == 3
        mark = table.mark
        assert mark is not None
        assert mark.kind is TiltKind.PROGRAM
        assert mark.reason.startswith("the thread second-copy has ended: SystemExit at ")
        assert mark.reason.endswith("; what is recorded is good")


# --- which threads, and what follows ----------------------------------------------------------------------------------


class Silent:
    """A protocol of a device that is never there."""

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        return ()

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        return [Lost(device="shoe", at_us=at_us, reason=reason)]

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        return ()

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        return ()

    def deadline_s(self) -> float | None:
        return None

    def take_outgoing(self) -> Sequence[bytes]:
        return ()


def nowhere() -> Wire:
    raise WireUnavailable("no such file")


class House:
    """The threads of a table, of which the core's are this one."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.facts: list[DeviceFact] = []
        self.tilts: list[str] = []
        self.core = {name: Heartbeat(name, now_s=lambda: self.now_s) for name in ("loop", "api", "copy", "integrity")}
        self.port = Port("shoe", nowhere, Silent(), self.facts.append, KeptLog())
        self.said = 0
        self.beside = Heartbeat("usb-monitor", now_s=lambda: self.now_s)
        threads = watched_threads(
            **self.core,
            ports=[self.port],
            beside=[self.beside],
            tilt=lambda tilt: self.tilts.append(str(tilt)),
        )
        self.names = [thread.heartbeat.name for thread in threads]
        self.dog = Watchdog(threads, KeptLog(), self.alive)

    def alive(self) -> None:
        self.said += 1

    def freeze(self, name: str) -> None:
        """All move but this one."""
        for part in self.core.values():
            part.begin()
        self.now_s += FROZEN_S + 1
        for other, heartbeat in self.core.items():
            if other != name:
                heartbeat.beat()

    def kill(self, name: str) -> None:
        thread = threading.Thread(target=self.core[name].begin)
        thread.start()
        thread.join()


def test_every_thread_is_under_watch() -> None:
    assert House().names == ["loop", "api", "copy", "integrity", "usb-monitor", "shoe-reader", "shoe-writer"]


def test_a_thread_that_a_hand_can_do_without_is_missed_in_the_log_and_nowhere_else() -> None:
    house = House()
    house.beside.begin()
    house.now_s += FROZEN_S + 1
    house.dog.look()
    assert house.dog.troubles == ("the thread usb-monitor has not moved for more than 10 s",)
    assert (house.said, house.tilts, house.facts) == (1, [], [])


@pytest.mark.parametrize(("name", "is_said"), [("loop", False), ("api", False), ("integrity", False), ("copy", True)])
def test_a_frozen_thread_of_the_core_is_for_systemd_but_for_the_copy_which_may_be_late(
    name: str, *, is_said: bool
) -> None:
    house = House()
    house.freeze(name)
    house.dog.look()
    assert len(house.dog.troubles) == 1
    assert (house.said == 1) is is_said
    assert house.tilts == []


@pytest.mark.parametrize(("name", "is_tilt"), [("loop", False), ("api", False), ("integrity", True), ("copy", True)])
def test_a_copy_or_a_watch_that_ended_is_a_tilt(name: str, *, is_tilt: bool) -> None:
    house = House()
    house.kill(name)
    house.dog.look()
    assert house.tilts == ([f"the thread {name} has ended; what is recorded is good"] if is_tilt else [])


def test_a_thread_of_a_port_that_does_not_move_takes_its_device_to_lost() -> None:
    house = House()
    frozen, _ = house.port.heartbeats
    thread = threading.Thread(target=frozen.begin)
    thread.start()
    thread.join()
    house.dog.look()
    (lost,) = house.facts
    assert isinstance(lost, Lost)
    assert lost.reason == "the thread shoe-reader has ended"
    assert house.port.health().state is DeviceState.LOST
    assert house.said == 0
