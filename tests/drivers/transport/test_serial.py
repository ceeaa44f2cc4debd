"""Serial wires over real ptys and sockets: every kind of loss is `WireLost`, silence is not."""

from __future__ import annotations

import contextlib
import errno
import os
import pty
import socket
import termios
import threading
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from pytest_mock import MockerFixture

from drivers.transport.base import Wire, WireLost, WireUnavailable
from drivers.transport.serial import Parity, SerialSettings, open_serial, serial_opener

LINE = SerialSettings(baud=4800)
SOON_S = 20.0


class PtyLine:
    """A pty with its device's end open."""

    def __init__(self) -> None:
        self.master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)

    def unplug(self) -> None:
        for fd in (self.master, self._slave):
            with contextlib.suppress(OSError):
                os.close(fd)


@pytest.fixture
def line() -> Iterator[PtyLine]:
    made = PtyLine()
    yield made
    made.unplug()


@pytest.fixture
def wire(line: PtyLine) -> Iterator[Wire]:
    opened = open_serial(line.path, LINE)
    yield opened
    opened.close()


def test_what_arrives_is_read_at_once_and_whole(line: PtyLine, wire: Wire) -> None:
    os.write(line.master, b"\x00\x05\x11\x13\xff")
    assert wire.read(SOON_S) == b"\x00\x05\x11\x13\xff"


def test_silence_is_no_fault(wire: Wire) -> None:
    assert wire.read(0.0) == b""


def test_what_is_written_arrives_unchanged(line: PtyLine, wire: Wire) -> None:
    wire.write(bytes(range(256)))
    assert os.read(line.master, 1000) == bytes(range(256))


def test_unplugging_is_a_loss_for_reading_and_for_writing(line: PtyLine, wire: Wire) -> None:
    line.unplug()
    with pytest.raises(WireLost):
        wire.read(SOON_S)
    with pytest.raises(WireLost):
        wire.write(b"x")


def test_closing_wakes_a_blocked_read_and_may_be_repeated(wire: Wire) -> None:
    ended = threading.Event()

    def read() -> None:
        with contextlib.suppress(WireLost):
            wire.read(SOON_S)
        ended.set()

    reader = threading.Thread(target=read)
    reader.start()
    wire.close()
    wire.close()
    assert ended.wait(SOON_S / 2)
    reader.join()
    with pytest.raises(WireLost):
        wire.read(0.0)
    with pytest.raises(WireLost):
        wire.write(b"x")


def test_a_symlink_is_opened_and_both_names_are_its_identity(line: PtyLine, tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    link.symlink_to(line.path)
    wire = open_serial(str(link), LINE)
    assert wire.identity == f"{link} ({line.path})"
    wire.close()


def test_a_port_is_ours_alone(line: PtyLine, wire: Wire) -> None:
    with pytest.raises(WireUnavailable, match=r"in use by process \d+ \(.+\); end that one first"):
        open_serial(line.path, LINE)
    wire.close()
    again = open_serial(line.path, LINE)
    again.close()


def test_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "none")
    opener = serial_opener(path, LINE)
    with pytest.raises(WireUnavailable, match="none"):
        opener()


def test_something_that_is_no_port_is_unavailable(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    with pytest.raises(WireUnavailable):
        open_serial(str(file), LINE)


def test_a_scheme_that_pyserial_does_not_know_is_unavailable() -> None:
    with pytest.raises(WireUnavailable, match="carrier-pigeon"):
        open_serial("carrier-pigeon://nest", LINE)


def test_the_line_is_set_as_configured(line: PtyLine, mocker: MockerFixture) -> None:
    opened = mocker.spy(serial, "serial_for_url")
    wire = open_serial(line.path, SerialSettings(baud=38400, parity=Parity.EVEN, stop_bits=2))
    port = opened.spy_return
    assert (port.baudrate, port.parity, port.bytesize, port.stopbits) == (38400, "E", 8, 2)
    assert (port.exclusive, port.rtscts, port.xonxoff) == (True, False, False)
    wire.close()


@pytest.mark.parametrize("parity", Parity)
@pytest.mark.parametrize("stop_bits", [1, 2])
def test_a_line_is_opened_as_often_as_one_likes_with_any_setting(line: PtyLine, parity: Parity, stop_bits: int) -> None:
    for _ in range(3):
        open_serial(line.path, SerialSettings(baud=38400, parity=parity, stop_bits=stop_bits)).close()


@pytest.mark.parametrize("parity", Parity)
@pytest.mark.parametrize("number", [errno.EIO, errno.EINVAL])
def test_a_line_whose_settings_cannot_be_changed_is_unavailable(
    line: PtyLine, mocker: MockerFixture, number: int, parity: Parity
) -> None:
    mocker.patch.object(termios, "tcsetattr", side_effect=termios.error(number, "as the kernel says"))
    with pytest.raises(WireUnavailable, match=os.strerror(number)):
        open_serial(line.path, SerialSettings(baud=38400, parity=parity))


def test_a_line_that_goes_while_it_is_opened_is_unavailable(line: PtyLine, mocker: MockerFixture) -> None:
    mocker.patch.object(termios, "tcflush", side_effect=termios.error(errno.EIO, "Input/output error"))
    with pytest.raises(WireUnavailable, match=os.strerror(errno.EIO)):
        open_serial(line.path, LINE)


@pytest.mark.parametrize("error", [serial.SerialTimeoutException("Write timeout"), OSError(5, "I/O"), TypeError()])
def test_whatever_a_write_raises_is_a_loss(line: PtyLine, mocker: MockerFixture, error: Exception) -> None:
    wire = open_serial(line.path, LINE)
    mocker.patch.object(serial.Serial, "write", side_effect=error)
    with pytest.raises(WireLost, match="write"):
        wire.write(b"x")
    wire.close()


# -- remote ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def connected(server: socket.socket) -> tuple[Wire, socket.socket]:
    wire = open_serial(f"socket://127.0.0.1:{server.getsockname()[1]}", LINE)
    client, _ = server.accept()
    return wire, client


def read_exactly(wire: Wire, n_bytes: int) -> bytes:
    data = b""
    while len(data) < n_bytes:
        data += wire.read(SOON_S)
    return data


def test_a_serial_server_is_read_and_written(server: socket.socket) -> None:
    wire, client = connected(server)
    with client:
        client.sendall(b"card")
        assert read_exactly(wire, 4) == b"card"
        wire.write(b"\x06")
        assert client.recv(10) == b"\x06"
        assert wire.identity.startswith("socket://127.0.0.1:")
        wire.close()
        wire.close()
        with pytest.raises(WireLost, match=r"^closed$"):
            wire.read(0.0)
        with pytest.raises(WireLost, match=r"^closed$"):
            wire.write(b"x")


def test_a_serial_server_that_hangs_up_is_a_loss(server: socket.socket) -> None:
    wire, client = connected(server)
    client.close()
    with pytest.raises(WireLost):
        read_exactly(wire, 1)
    wire.close()


def test_a_serial_server_that_is_not_there_is_unavailable(server: socket.socket) -> None:
    port = server.getsockname()[1]
    server.close()
    with pytest.raises(WireUnavailable):
        open_serial(f"socket://127.0.0.1:{port}", LINE)
