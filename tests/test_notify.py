"""What systemd hears, over a real datagram socket."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from simulators.stage.stage import temporary_folder
from tablectl.ops.systemd_notify import ALIVE, READY, STOPPING, notify
from tests.desk import LONG_S, desk


@pytest.fixture
def path() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield Path(folder) / "notify"


def listening(address: str) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    made.settimeout(LONG_S)
    made.bind(address)
    return made


def test_a_line_is_one_datagram(path: Path) -> None:
    with closing(listening(str(path))) as systemd:
        assert notify(READY, {"NOTIFY_SOCKET": str(path)})
        assert notify(ALIVE, {"NOTIFY_SOCKET": str(path)})
        assert [systemd.recv(100) for _ in range(2)] == [b"READY=1", b"WATCHDOG=1"]


def test_an_address_with_an_at_sign_is_in_the_abstract_namespace(path: Path) -> None:
    with closing(listening(f"\0{path}")) as systemd:
        assert notify(ALIVE, {"NOTIFY_SOCKET": f"@{path}"})
        assert systemd.recv(100) == b"WATCHDOG=1"


def test_where_nobody_listens_nothing_is_said_and_nothing_breaks(path: Path) -> None:
    assert not notify(ALIVE, {})
    assert not notify(ALIVE, {"NOTIFY_SOCKET": ""})
    assert not notify(ALIVE, {"NOTIFY_SOCKET": str(path)})


def test_a_socket_that_nobody_reads_from_keeps_nobody_waiting(path: Path) -> None:
    with closing(listening(str(path))):
        told = [notify(ALIVE, {"NOTIFY_SOCKET": str(path)}) for _ in range(10_000)]
    assert told[0]
    assert not told[-1]


def test_without_a_descriptor_left_nothing_is_said_and_nothing_breaks(path: Path) -> None:
    with closing(listening(str(path))):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
        try:
            told = notify(ALIVE, {"NOTIFY_SOCKET": str(path)})
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert not told
        assert notify(ALIVE, {"NOTIFY_SOCKET": str(path)})


@pytest.mark.system
def test_a_controller_says_when_it_is_ready_that_it_lives_and_that_it_ends(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(path))
    with closing(listening(str(path))) as systemd, desk() as table:
        table.start()
        heard = {systemd.recv(100) for _ in range(2)}
        assert heard == {READY.encode(), ALIVE.encode()}
        table.stop()
        while systemd.recv(100) != STOPPING.encode():
            pass
