"""Serial devices behind a network: `socket://` and `rfc2217://` against real servers on loopback."""

from __future__ import annotations

import contextlib
import importlib
import queue
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import serial

from drivers.angel_eye.driver import AngelEye
from drivers.facts import CardOut, DeviceFact, Found, Lost
from drivers.port import Patience, Port
from drivers.transport.base import Wire, WireLost, WireUnavailable
from drivers.transport.serial import (
    KEEP_ALIVE_EVERY_S,
    KEEP_ALIVE_IDLE_S,
    KEEP_ALIVE_PROBES,
    NETWORK_LOST_S,
    Parity,
    SerialSettings,
    keep_alive,
    open_serial,
    serial_opener,
)

LINE: Final = SerialSettings(baud=4800)
SOON_S: Final = 20.0
EAGER: Final = Patience(first_s=0.002, ceiling_s=0.02)
EIGHT_OF_SPADES: Final = bytes.fromhex("05 33 44 81 B8 03 34 44")
ACE_OF_DIAMONDS: Final = bytes.fromhex("05 34 44 A1 91 03 34 33")
#: Close with a reset and without a word: what a server answers that has lost its memory of a connection.
RESET: Final = struct.pack("ii", 1, 0)

# pyserial's own reader thread is started in a way that Python 3.10 deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:set(Daemon|Name).. is deprecated:DeprecationWarning")


class RawServer:
    """A terminal server that hands the bytes through; it may come and go on the same port."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._port = self._listening.getsockname()[1]
        self.url = f"socket://127.0.0.1:{self._port}"

    def accept(self) -> socket.socket:
        self._listening.settimeout(SOON_S)
        connection, _ = self._listening.accept()
        return connection

    def stop(self) -> None:
        self._listening.close()

    def start(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", self._port))


@pytest.fixture
def server() -> Iterator[RawServer]:
    made = RawServer()
    yield made
    made.stop()


def read_exactly(wire: Wire, n_bytes: int) -> bytes:
    data = b""
    while len(data) < n_bytes:
        data += wire.read(SOON_S)
    return data


def write_for_ever(wire: Wire, data: bytes) -> None:
    while True:
        wire.write(data)


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    connection.close()


def probes(connection: socket.socket) -> tuple[int, ...]:
    options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT, socket.TCP_USER_TIMEOUT)
    return (
        connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE),
        *(connection.getsockopt(socket.IPPROTO_TCP, option) for option in options),
    )


#: A network that died is noticed after 5 s and three probes 2 s apart; what was written is waited for no longer.
PROBES: Final = (1, 5, 2, 3, 11_000)


def test_the_time_a_dead_network_takes_is_what_is_said() -> None:
    assert (KEEP_ALIVE_IDLE_S, KEEP_ALIVE_EVERY_S, KEEP_ALIVE_PROBES, NETWORK_LOST_S) == (5, 2, 3, 11)
    with socket.socket() as plain:
        keep_alive(plain)
        assert probes(plain) == PROBES


def opened_to(url: str) -> list[tuple[int, ...]]:
    """How this process has its connections to a port of its own probed."""
    found = []
    for fd in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            if not fd.is_socket():
                continue  # a copy of it would be made first, and nobody closes that
        with (
            contextlib.suppress(OSError),
            socket.fromfd(int(fd.name), socket.AF_INET, socket.SOCK_STREAM) as connection,
        ):
            if connection.getpeername()[1] == int(url.rpartition(":")[2]):
                found.append(probes(connection))
    return found


def test_an_open_connection_is_probed_by_the_kernel(server: RawServer) -> None:
    wire = open_serial(server.url, LINE)
    with server.accept():
        assert opened_to(server.url) == [PROBES]
        wire.close()


@pytest.mark.parametrize("before", [b"", b"\x05\x33"])
def test_a_server_that_lost_its_memory_of_the_connection_is_a_loss_for_the_reader(
    server: RawServer, before: bytes
) -> None:
    wire = open_serial(server.url, LINE)
    connection = server.accept()
    connection.sendall(before)
    assert read_exactly(wire, len(before)) == before
    reset(connection)
    with pytest.raises(WireLost, match="read"):
        read_exactly(wire, 1)
    wire.close()


def test_a_server_that_lost_its_memory_of_the_connection_is_a_loss_for_the_writer(server: RawServer) -> None:
    wire = open_serial(server.url, LINE)
    reset(server.accept())
    with pytest.raises(WireLost, match="write"):
        write_for_ever(wire, b"x")
    wire.close()


def test_a_server_that_takes_nothing_any_more_is_a_loss_for_the_writer(server: RawServer) -> None:
    # Half open: the connection stands, nobody reads. The kernel's buffers fill, then the time of a write is over.
    wire = open_serial(server.url, LINE)
    with server.accept(), pytest.raises(WireLost, match="write"):
        write_for_ever(wire, bytes(1 << 20))
    wire.close()


def test_a_shoe_behind_a_server_that_goes_away_comes_back_with_it_and_loses_no_card(server: RawServer) -> None:
    facts: queue.SimpleQueue[DeviceFact] = queue.SimpleQueue()
    port = Port("shoe", serial_opener(server.url, LINE), AngelEye("shoe"), facts.put, Quiet(), patience=EAGER)
    with port:
        connection = server.accept()
        assert isinstance(facts.get(timeout=SOON_S), Found)
        connection.sendall(EIGHT_OF_SPADES * 3)
        assert card(facts) == "8s"
        server.stop()
        reset(connection)
        assert isinstance(facts.get(timeout=SOON_S), Lost)
        server.start()
        with server.accept() as again:
            assert isinstance(facts.get(timeout=SOON_S), Found)
            # What the shoe repeats is known; what is new is one card.
            again.sendall(EIGHT_OF_SPADES * 3 + ACE_OF_DIAMONDS * 3)
            assert card(facts) == "Ad"
            assert port.health().reconnects == 1


class Quiet:
    def info(self, event: str, **fields: object) -> None:
        """Nobody reads this log."""

    warning = info
    error = info


def card(facts: queue.SimpleQueue[DeviceFact]) -> str | None:
    while not isinstance(fact := facts.get(timeout=SOON_S), CardOut):
        pass
    return fact.card.open() if fact.card else None


# -- RFC 2217 ----------------------------------------------------------------------------------------------------------


class Rfc2217Server:
    """pyserial's own server side before its own loop-back port: what is written comes back."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"rfc2217://127.0.0.1:{self._listening.getsockname()[1]}"
        self.line = serial.serial_for_url("loop://", timeout=0)
        self._connection: socket.socket | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._connection, _ = self._listening.accept()
                self._pass_on(self._connection)

    def _pass_on(self, connection: socket.socket) -> None:
        lock = threading.Lock()

        class Locked:
            def write(self, data: bytes) -> None:
                with lock:
                    connection.sendall(data)

        manager = importlib.import_module("serial.rfc2217").PortManager(self.line, Locked())
        with contextlib.suppress(OSError):
            while data := connection.recv(1024):
                for byte in manager.filter(data):
                    self.line.write(byte)
                    Locked().write(b"".join(manager.escape(self.line.read(1))))
        connection.close()

    def drop(self) -> None:
        assert self._connection is not None
        self._connection.shutdown(socket.SHUT_RDWR)

    def stop(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)
        self._thread.join(SOON_S)
        self.line.close()


@pytest.fixture
def negotiating() -> Iterator[Rfc2217Server]:
    made = Rfc2217Server()
    yield made
    made.stop()


def test_the_line_behind_rfc_2217_is_set_and_every_byte_goes_both_ways(negotiating: Rfc2217Server) -> None:
    settings = SerialSettings(baud=9600, parity=Parity.EVEN, stop_bits=2)
    wire = open_serial(negotiating.url, settings)
    try:
        line = negotiating.line
        assert (line.baudrate, line.parity, line.stopbits, line.bytesize) == (9600, "E", 2, 8)
        everything = bytes(range(256))  # 0xFF is Telnet's own and must be doubled on the way
        wire.write(everything)
        assert read_exactly(wire, 256) == everything
        assert opened_to(negotiating.url) == [PROBES]
    finally:
        wire.close()


def test_a_server_behind_rfc_2217_that_hangs_up_is_a_loss_and_can_be_opened_again(negotiating: Rfc2217Server) -> None:
    wire = open_serial(negotiating.url, LINE)
    negotiating.drop()
    with pytest.raises(WireLost):
        read_exactly(wire, 1)
    wire.close()
    again = open_serial(negotiating.url, LINE)
    again.write(b"\x06")
    assert read_exactly(again, 1) == b"\x06"
    again.close()


def test_a_server_that_does_not_speak_rfc_2217_is_unavailable(server: RawServer) -> None:
    url = server.url.replace("socket", "rfc2217") + "?timeout=0.01"
    with pytest.raises(WireUnavailable, match="RFC2217"):
        open_serial(url, LINE)
