"""Panel and light below the real libusb, the real pyusb and the real pyudev; the kernel is umockdev's.

What a simulated backend cannot show: that libusb reaps, discards and gives up as the wire expects, that errno 110, 16
and 19 come out of it as ours say, and that udev's own events become facts and alerts.
"""

from __future__ import annotations

import ctypes.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

import pytest

from simulators import processes
from tablectl.api.client import Connection, Subscription
from tablectl.journal.keys import make_keys

ROOT: Final = Path(__file__).parents[2]
#: The one that has umockdev's bindings, whichever runs the tests.
SYSTEM_PYTHON: Final = "/usr/bin/python3"
PRELOAD: Final = "libumockdev-preload.so.0"
#: Never waited for: only so that a test that hangs ends.
SOON_S: Final = 30.0
CONFIG: Final = """\
[table]
name = "Mesa 1"
rulebook = "texas-bonus"
tracking = "presence"
[people]
required = false
[[device]]
name = "panel"
driver = "xkeys-xk24"
[device.keys]
seat-1 = 0
new-hand = 9
[[device]]
name = "light"
driver = "patlite-lr6"
"""

pytestmark = [pytest.mark.wide, pytest.mark.system]


def missing() -> str:
    """What this system lacks for these tests."""
    asked = "import gi; gi.require_version('UMockdev', '1.0'); from gi.repository import UMockdev"
    with suppress(OSError):
        if processes.run([SYSTEM_PYTHON, "-c", asked], capture_output=True, check=False).returncode == 0:
            return "" if ctypes.util.find_library("usb-1.0") else "libusb-1.0-0"
    return "umockdev, gir1.2-umockdev-1.0, python3-gi"


@pytest.fixture(scope="module", autouse=True)
def _is_there() -> None:
    lacks = missing()
    if lacks and os.environ.get("CI") == "true":
        pytest.fail(f"CI must have what these tests need: {lacks}")
    if lacks:
        pytest.skip(f"this system lacks: {lacks}")


class Talk:
    """A program that is talked to by lines."""

    def __init__(self, command: list[str], more: dict[str, str], *, log: bool = False) -> None:
        environment = {**os.environ, **more, "LD_PRELOAD": PRELOAD, "PYTHONPATH": str(ROOT), "PYTHONFAULTHANDLER": "1"}
        self.process = processes.start(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if log else None,
            text=True,
            env=environment,
            cwd=ROOT,
        )
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._thread = threading.Thread(target=self._hear, daemon=True)
        self._thread.start()

    def _hear(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def line(self) -> str:
        return self._lines.get(timeout=SOON_S)

    def until(self, wanted: str) -> list[str]:
        """The lines up to this one."""
        said: list[str] = []
        try:
            while wanted not in said:
                said.append(self.line())
        except Empty:
            raise AssertionError(f"no {wanted!r} in {said}") from None
        return said

    def rest(self) -> list[str]:
        """What it says until it has ended."""
        self.end()
        return [self._lines.get() for _ in range(self._lines.qsize())]

    def end(self) -> None:
        with self.process as process:
            assert process.stdin is not None
            if not process.stdin.closed:
                process.stdin.close()
            try:
                process.wait(SOON_S)
            finally:
                process.kill()
            self._thread.join(SOON_S)


class Bus(Talk):
    """The pretended machine, and what is plugged into it."""

    def __init__(self) -> None:
        super().__init__([SYSTEM_PYTHON, str(Path(__file__).with_name("bus.py"))], {})
        self.folder = self.line()

    def do(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(f"{line}\n")
            self.process.stdin.flush()
            self.until("done")


@pytest.fixture
def bus() -> Iterator[Bus]:
    made = Bus()
    yield made
    made.end()


@pytest.fixture
def clients(bus: Bus) -> Iterator[list[Talk]]:
    made: list[Talk] = []
    yield made
    for talk in made:
        talk.end()


def client(bus: Bus, clients: list[Talk], *devices: str) -> Talk:
    command = [sys.executable, str(Path(__file__).with_name("client.py")), *devices]
    made = Talk(command, {"UMOCKDEV_DIR": bus.folder})
    clients.append(made)
    return made


def test_a_panel_is_found_read_pulled_out_and_found_again(bus: Bus, clients: list[Talk]) -> None:
    bus.do("plug panel")
    table = client(bus, clients, "panel")
    table.until("usb present 05f3:0405 at 1-1, serial number P1")
    bus.do("tap 3")
    assert table.until("key 3 up")[-2:] == ["key 3 down", "key 3 up"]
    bus.do("unplug panel")
    said = [table.line(), table.line()]
    assert sorted(said) == [
        "panel lost: X-keys XK-24 05f3:0405 at 1-1: unplugged",
        "usb unplugged 05f3:0405 at 1-1, serial number P1",
    ]
    bus.do("plug panel")
    assert sorted([table.line(), table.line()]) == ["panel found", "usb plugged 05f3:0405 at 1-1, serial number P1"]
    bus.do("tap 0")
    assert table.until("key 0 up")[-2:] == ["key 0 down", "key 0 up"]
    assert table.rest() == []


def test_a_time_out_of_libusb_is_silence_and_no_loss(bus: Bus, clients: list[Talk]) -> None:
    bus.do("plug panel")
    table = client(bus, clients, "panel")
    said = table.until("panel found")
    bus.do("mute panel", "tap 5", "silence 3", "heal panel", "tap 6")
    said += table.until("key 6 up")
    assert [line for line in said if "lost" in line or "key 5" in line] == []


def test_a_light_is_written_to_and_its_going_noticed_though_it_never_says_anything(
    bus: Bus, clients: list[Talk]
) -> None:
    bus.do("plug light")
    table = client(bus, clients, "light")
    bus.until("light red=OFF green=ON")
    bus.do("unplug light")
    table.until("light lost: PATLITE LR6-USB 191a:8003 at 1-2: unplugged")
    bus.do("plug light")
    bus.until("light red=OFF green=ON")
    table.until("light found")


def test_an_interface_that_is_taken_says_so_and_is_opened_when_it_is_free(bus: Bus, clients: list[Talk]) -> None:
    bus.do("plug panel", "busy panel")
    table = client(bus, clients, "panel")
    reason = "interface 0 is in use by another process; end that one first"
    table.until(f"panel lost: X-keys XK-24 05f3:0405 at 1-1: {reason}")
    bus.do("free panel")
    table.until("panel found")


def test_root_hubs_are_part_of_the_machine(bus: Bus, clients: list[Talk]) -> None:
    table = client(bus, clients)
    bus.do("plug stick")
    first = table.line()
    assert first.endswith("1234:abcd at 1-3")  # there, or plugged in: which of the two came first nobody knows


class Table:
    """`tablectl run` on the pretended machine."""

    def __init__(self, bus: Bus, folder: Path) -> None:
        config = folder / "table.toml"
        config.write_text(CONFIG, encoding="utf-8")
        # A new table without approved software starts as a demonstration alone.
        make_keys(folder / "table.key", folder / "table.sign", demo=True)
        self._talk = Talk(
            [sys.executable, "-m", "tablectl", "run", str(config)], {"UMOCKDEV_DIR": bus.folder}, log=True
        )
        while "ready" not in self._talk.line():
            continue
        self._records = Subscription(folder / "table.sock", after=0)
        self._connection = Connection(folder / "table.sock")

    def enter(self, *lines: str) -> None:
        for line in lines:
            reply = self._connection.enter(line)
            assert (reply["ok"], reply["refused"]) == (True, None), reply

    def until(self, *kinds: str) -> list[tuple[dict[str, Any], list[str]]]:
        """The facts of these kinds that come next, in any order, each with what incidents it raised."""
        wanted = list(kinds)
        found: list[tuple[dict[str, Any], list[str]]] = []
        while wanted:
            record = self._records.next(SOON_S)
            assert record is not None, f"no {wanted} after {found}"
            fact = record["fact"]
            if fact["kind"] in wanted:
                wanted.remove(fact["kind"])
                raised = [
                    decision["observed"] for decision in record["decisions"] if decision["kind"] == "incident-raised"
                ]
                found.append((fact, raised))
        return sorted(found, key=lambda entry: str(entry[0]["kind"]))

    def stop(self) -> None:
        self._records.close()
        self._connection.close()
        self._talk.process.terminate()
        assert self._talk.process.wait(SOON_S) == 0, self._talk.rest()

    def end(self) -> None:
        self._talk.process.terminate()
        self._talk.end()


@pytest.fixture
def table(bus: Bus, tmp_path: Path) -> Iterator[Table]:
    """What is foreign is there before it starts: that this is told shows that USB is watched from now on."""
    bus.do("plug panel", "plug light", "plug stick")
    made = Table(bus, tmp_path)
    yield made
    made.end()


def test_a_panel_pulled_out_of_a_running_table_is_lost_on_record_and_one_alert_and_is_back(
    bus: Bus, table: Table
) -> None:
    table.until("device-back", "device-back", "topology-changed")
    table.enter("press new-hand")
    bus.do("unplug panel")
    (lost, _), (changed, raised) = table.until("device-lost", "topology-changed")
    assert (lost["device"], lost["role"], lost["reason"].rpartition(": ")[2]) == ("panel", "panel", "unplugged")
    what = "panel, 05f3:0405 at 1-1, serial number P1"
    assert (changed["change"], changed["what"], changed["is_allowed"]) == ("unplugged", what, True)
    assert raised == ["usb-unplugged"]
    bus.do("plug panel")
    (back, _), (changed, raised) = table.until("device-back", "topology-changed")
    assert (back["device"], changed["change"], changed["what"], raised) == ("panel", "plugged", what, [])
    bus.do("tap 0")
    ((pressed, _),) = table.until("pressed")
    assert pressed["key"] == "seat-1"
    table.stop()


def test_what_does_not_belong_at_the_table_alerts_also_between_hands(bus: Bus, table: Table) -> None:
    def is_said(alert: str) -> None:
        ((changed, raised),) = table.until("topology-changed")
        assert (changed["what"], changed["is_allowed"], raised) == ("1234:abcd at 1-3", False, [alert])

    is_said("foreign-usb-present")
    bus.do("unplug stick")
    is_said("foreign-usb-unplugged")
    bus.do("plug stick")
    is_said("foreign-usb-plugged")
    table.stop()
