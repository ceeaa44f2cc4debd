"""Who has a device node open: real processes, a pty, and what each wire tells the technician."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from pytest_mock import MockerFixture

from drivers.transport.base import WireLost, WireUnavailable
from drivers.transport.holders import who_has
from drivers.transport.serial import SerialSettings, open_serial
from simulators import processes

Holding: TypeAlias = Callable[..., subprocess.Popen[str]]

LINE = SerialSettings(baud=9600)
SOON_S = 20.0
#: Opens the port, says so, does what it is told, and waits to be ended.
HOLDER = """
import os, sys
from pathlib import Path
if sys.argv[2]:
    Path("/proc/self/comm").write_text(sys.argv[2])
fd = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
if sys.argv[3] == "lock":
    import fcntl
    fcntl.flock(fd, fcntl.LOCK_EX)
print("open", flush=True)
for _ in sys.stdin:
    print(os.read(fd, 100).hex(), flush=True)
"""


@pytest.fixture
def port() -> Iterator[tuple[int, str]]:
    """A pty: the device's end, and the path of the host's."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    path = os.ttyname(slave)
    os.close(slave)
    yield master, path
    os.close(master)


@pytest.fixture
def holding() -> Iterator[Holding]:
    all_started: list[subprocess.Popen[str]] = []

    def start(path: str, *, name: str = "", how: str = "") -> subprocess.Popen[str]:
        command = [sys.executable, "-c", HOLDER, path, name, how]
        process = processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        all_started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        return process

    yield start
    for process in all_started:
        with process:
            process.kill()


def test_each_process_that_has_a_node_open_is_named_by_number_and_name(port: tuple[int, str], holding: Holding) -> None:
    _, path = port
    assert who_has(path) == "another process"
    pids = sorted([holding(path, name="minicom").pid, holding(path, name="pico com").pid])
    said = who_has(path)
    assert [f"process {pid} (" in said for pid in pids] == [True, True]
    assert "(minicom)" in said
    assert "(pico com)" in said


def test_a_link_is_followed(port: tuple[int, str], holding: Holding, tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    link.symlink_to(port[1])
    pid = holding(port[1], name="cu").pid
    assert who_has(str(link)) == f"process {pid} (cu)"


def test_a_name_cannot_bring_in_what_a_line_cannot_hold(port: tuple[int, str], holding: Holding) -> None:
    pid = holding(port[1], name="a\x1bé\nb").pid
    assert who_has(port[1]).startswith(f"process {pid} (a_")
    assert who_has(port[1]).isascii()
    assert who_has(port[1]).isprintable()


def test_a_port_that_another_process_has_locked_names_it_and_what_to_do(
    port: tuple[int, str], holding: Holding
) -> None:
    pid = holding(port[1], name="minicom", how="lock").pid
    with pytest.raises(WireUnavailable) as told:
        open_serial(port[1], LINE)
    assert str(told.value) == f"{port[1]}: in use by process {pid} (minicom); end that one first"


def test_a_port_that_this_process_has_already_names_this_process(port: tuple[int, str]) -> None:
    wire = open_serial(port[1], LINE)
    assert who_has(port[1], but_us=1) == "another process"
    with pytest.raises(WireUnavailable, match=rf"in use by process {os.getpid()} \("):
        open_serial(port[1], LINE)
    wire.close()


def test_a_process_that_takes_the_bytes_is_named(
    port: tuple[int, str], holding: Holding, mocker: MockerFixture
) -> None:
    """The other process reads between our question whether there is anything and our read."""
    master, path = port
    wire = open_serial(path, LINE)
    thief = holding(path, name="screen")
    ask = select.select

    def asked(ends: list[int], _w: list[int], _x: list[int], for_s: float) -> tuple[list[int], list[int], list[int]]:
        ready, _, _ = ask(ends, [], [], for_s)
        assert thief.stdin is not None
        assert thief.stdout is not None
        thief.stdin.write("read\n")
        thief.stdin.flush()
        assert thief.stdout.readline() == "04\n"
        return ready, [], []

    mocker.patch("drivers.transport.serial.select.select", side_effect=asked)
    os.write(master, b"\x04")
    with pytest.raises(WireLost) as told:
        wire.read(SOON_S)
    assert str(told.value) == f"unplugged, or process {thief.pid} (screen) reads this port too; end that one first"
    mocker.stopall()
    wire.close()
