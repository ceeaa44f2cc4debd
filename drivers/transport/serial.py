"""Serial wires through pyserial, whose only importer this is.

A local port is opened by a path that survives renumbering: `/dev/serial/by-id/…`, `/dev/serial/by-path/…`, a symlink of
your own, the path of a pty. A remote one by a URL: `socket://host:port` (serial device server), `rfc2217://host:port`.

Seen on Linux with pyserial 3.5, and minded here: opening flushes what had arrived before, so a device's banner may be
lost; an unplugged device shows as "ready, but no data", as `SerialException` or as plain `OSError`, depending on the
call; a second process that is not exclusive can steal bytes from a port that is.
"""

from __future__ import annotations

import errno
import importlib
import os
import re
import select
import socket
import termios
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

import serial

from drivers.transport.base import Wire, WireLost, WireOpener, WireUnavailable
from drivers.transport.holders import who_has

#: Most that is taken by one read, in bytes.
READ_MAX: Final = 4096
#: A write that takes longer means that nobody takes the bytes, in seconds. Ours: 480 bytes at 4800 baud.
WRITE_S: Final = 1.0
#: How long one read of a remote port waits, in seconds: fixed at opening. Ours.
REMOTE_READ_S: Final = 0.05
#: A network that carries nothing is noticed by probes of the kernel: after so long without a byte from the other end,
#: in seconds, one so often, this many in vain. Ours; the defaults of Linux make it two hours.
KEEP_ALIVE_IDLE_S: Final = 5
KEEP_ALIVE_EVERY_S: Final = 2
KEEP_ALIVE_PROBES: Final = 3
#: Within so long a network that died takes its device to lost, in seconds, whether or not something was being written.
NETWORK_LOST_S: Final = KEEP_ALIVE_IDLE_S + KEEP_ALIVE_EVERY_S * KEEP_ALIVE_PROBES
#: Ports whose line is negotiated over Telnet (RFC 2217). pyserial refuses a time-out of writes there; its connection
#: has one of 5 s.
NEGOTIATED: Final = "rfc2217://"
#: What pyserial and the kernel raise when a device has gone. `TypeError`: pyserial's descriptor is None already.
#: `termios.error` is what the settings of a line raise, and no `OSError`.
LOSSES: Final = (serial.SerialException, OSError, termios.error, TypeError, ValueError)


class Parity(Enum):
    """Parity bit; the values are pyserial's. A pty has none (`_open`)."""

    NONE = serial.PARITY_NONE
    EVEN = serial.PARITY_EVEN
    ODD = serial.PARITY_ODD


@dataclass(frozen=True, kw_only=True, slots=True)
class SerialSettings:
    """The line: bits a second, parity, 8 data bits. No flow control: no device here uses any."""

    baud: int
    parity: Parity = Parity.NONE
    stop_bits: int = 1


#: What a port's address can be, for whoever wrote another one.
ADDRESSES: Final = "a path such as /dev/serial/by-id/…, socket://HOST:PORT or rfc2217://HOST:PORT, PORT from 1 to 65535"
_REMOTE: Final = re.compile(r"(?:socket|rfc2217)://(?:[^\s/:?#@\[\]]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})/?")


def is_remote(port: str) -> bool:
    """Whether this is the address of a port behind a network, whose device nobody can look for without opening it."""
    return "://" in port


def can_be_address(port: str) -> bool:
    """Whether something could ever be opened at this address, whether or not it is there now."""
    if not is_remote(port):
        return port.startswith("/") and "\0" not in port
    found = _REMOTE.fullmatch(port)
    return found is not None and 1 <= int(found[1]) <= 65535


def serial_opener(path: str, settings: SerialSettings) -> WireOpener:
    """Opens `path` (a path or a URL) anew each time it is called."""
    return lambda: open_serial(path, settings)


def open_serial(path: str, settings: SerialSettings) -> Wire:
    """Open once. Raises `WireUnavailable`: no such device, no right, or in use by another process."""
    remote = is_remote(path)
    try:
        port = serial.serial_for_url(path, do_not_open=True)
        port.baudrate = settings.baud
        port.parity = settings.parity.value
        port.stopbits = settings.stop_bits
        port.timeout = REMOTE_READ_S if remote else 0
        if not path.startswith(NEGOTIATED):
            port.write_timeout = WRITE_S
        if not remote:
            port.exclusive = True
        _open(port)
    except LOSSES as why:
        number = _number(why)
        if number in (errno.EWOULDBLOCK, errno.EBUSY):
            raise WireUnavailable(f"{path}: in use by {who_has(path)}; end that one first") from why
        raise WireUnavailable(f"{path}: {os.strerror(number) if number else why}") from why
    if not remote:
        return SerialWire(path, port)
    # pyserial has no public way to the connection of every kind of remote port.
    connections = tuple(member for member in vars(port).values() if isinstance(member, socket.socket))
    for connection in connections:
        keep_alive(connection)
    return RemoteSerialWire(path, port, connections)


class _Openable(Protocol):
    """What opening needs of pyserial's classes."""

    parity: str

    def open(self) -> None: ...


def _open(port: _Openable) -> None:
    """Open, without the parity bit where the port has none, as a pty.

    Such a port drops the bit, which the C library calls an error only where every other setting is already as wanted:
    the first opening succeeds, and each later one would fail (`tcsetattr`, EINVAL: nothing could be changed).
    """
    try:
        port.open()
    except termios.error as why:
        if port.parity == Parity.NONE.value or _number(why) != errno.EINVAL:
            raise
        port.parity = Parity.NONE.value
        port.open()


def _number(why: Exception) -> int | None:
    """The kernel's number of what went wrong, if it gave one."""
    number = why.errno if isinstance(why, OSError) else next(iter(why.args), None)
    return number if isinstance(number, int) else None


def keep_alive(connection: socket.socket) -> None:
    """Let the kernel find out within `NETWORK_LOST_S` that nobody is at the other end any more."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_S)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, KEEP_ALIVE_EVERY_S)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, KEEP_ALIVE_PROBES)
    # While something written waits to be confirmed the kernel sends no probes; this bounds that wait.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, NETWORK_LOST_S * 1000)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class _LocalPort(Protocol):
    """What a local wire needs of pyserial's class."""

    def fileno(self) -> int: ...

    def write(self, data: bytes, /) -> int | None: ...

    def cancel_write(self) -> None: ...

    def close(self) -> None: ...


class SerialWire:
    """A local serial port or a pty. Reads from the descriptor: one kind of error, and all that is there at once."""

    def __init__(self, path: str, port: _LocalPort) -> None:
        self._port = port
        self._real = os.path.realpath(path)
        self._identity = path if self._real == path else f"{path} ({self._real})"
        self._fd = port.fileno()
        self._wake_read, self._wake_write = os.pipe()
        self._closing = threading.Event()
        self._reading = threading.Lock()
        self._writing = threading.Lock()
        self._ending = threading.Lock()
        self._is_closed = False

    @property
    def identity(self) -> str:
        """The path it was opened by and, where that is a link, what it stood for."""
        return self._identity

    def read(self, timeout_s: float) -> bytes:
        """All that is there; see `Wire`."""
        with self._reading:
            if self._closing.is_set():
                raise WireLost("closed")
            try:
                ready, _, _ = select.select([self._fd, self._wake_read], [], [], timeout_s)
                if self._fd not in ready:
                    return b""
                data = os.read(self._fd, READ_MAX)
            except BlockingIOError as why:
                raise self._robbed() from why
            except OSError as why:
                raise WireLost(f"read: {why}") from why
            if not data:
                raise self._robbed()
            return data

    def _robbed(self) -> WireLost:
        """Something had come and is not there: the line has ended, or somebody else has read it."""
        return WireLost(f"unplugged, or {who_has(self._real, but_us=1)} reads this port too; end that one first")

    def write(self, data: bytes) -> None:
        """Write whole; see `Wire`. `WireLost` after `WRITE_S` seconds too."""
        with self._writing:
            if self._closing.is_set():
                raise WireLost("closed")
            try:
                written = self._port.write(data)
            except LOSSES as why:
                raise WireLost(f"write: {why}") from why
            if written != len(data):
                raise WireLost("write: cut short")

    def close(self) -> None:
        """See `Wire`."""
        self._closing.set()
        with self._ending:
            if self._is_closed:
                return
            os.write(self._wake_write, b"x")
            self._port.cancel_write()
            # Neither descriptor may be closed under a thread that is still inside a call: its number could be
            # somebody else's by then.
            with self._reading, self._writing:
                self._is_closed = True
                self._port.close()
                os.close(self._wake_read)
                os.close(self._wake_write)


class _RemotePort(Protocol):
    """What a remote wire needs of pyserial's classes."""

    @property
    def in_waiting(self) -> int: ...

    def read(self, size: int = 1, /) -> bytes: ...

    def write(self, data: bytes, /) -> int | None: ...

    def close(self) -> None: ...


class RemoteSerialWire:
    """A port behind a network protocol that pyserial speaks."""

    def __init__(self, url: str, port: _RemotePort, connections: Sequence[socket.socket] = ()) -> None:
        self._port = port
        self._connections = connections
        self._identity = url
        self._closing = threading.Event()
        self._reading = threading.Lock()
        self._is_closed = False

    @property
    def identity(self) -> str:
        """The URL."""
        return self._identity

    def read(self, timeout_s: float) -> bytes:
        """What is there; see `Wire`. Waits `REMOTE_READ_S`, not `timeout_s`: pyserial would renegotiate the line."""
        with self._reading:
            if self._closing.is_set():
                raise WireLost("closed")
            try:
                # `socket://` says 1 for "something" and never a count; so the first byte is waited for, and whatever
                # else is there follows with the next reads, which do not wait.
                return bytes(self._port.read(1)) + self._rest()
            except LOSSES as why:
                raise WireLost(f"read: {why}") from why

    def _rest(self) -> bytes:
        rest = bytearray()
        while len(rest) < READ_MAX and (waiting := self._port.in_waiting):
            chunk = self._port.read(waiting)
            if not chunk:
                break
            rest += chunk
        return bytes(rest)

    def write(self, data: bytes) -> None:
        """Write whole; see `Wire`."""
        if self._closing.is_set():
            raise WireLost("closed")
        try:
            self._port.write(data)
        except LOSSES as why:
            raise WireLost(f"write: {why}") from why

    def close(self) -> None:
        """See `Wire`. Waits for a read to end, which takes no longer than its time-out."""
        self._closing.set()
        with self._reading:
            if self._is_closed:
                return
            self._is_closed = True
            self._port.close()
            # pyserial forgets to close a connection that the other end has reset.
            for connection in self._connections:
                connection.close()


def ports_found() -> Iterator[tuple[str, str]]:
    """The serial ports that something is behind: path, and what the kernel knows of it. Opens nothing."""
    # Only this command needs it, and loading it takes time that a table's start does not have.
    list_ports = importlib.import_module("serial.tools.list_ports")
    for port in sorted(list_ports.comports()):
        yield port.device, port.hwid if port.hwid != "n/a" else port.description
