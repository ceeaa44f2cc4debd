"""The device's end of a serial wire: a pty behind a symlink that can be unplugged and plugged in again.

A device on RS-232 does not know whether anybody listens, but a simulator must: pyserial flushes what came before it
opened. So a client counts as there when it has flushed its input (seen in the pty's packet mode), when it has sent
something, or when it has been there for `SETTLE_S`. Bytes sent before that, or while nobody is there, are lost, as
they would be on the real line. No slave descriptor is kept open, for then a client's coming and going could not be
seen; the master staying open is enough for a client to come back.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import pty
import queue
import random
import select
import struct
import termios
import threading
import time
import tty
from pathlib import Path
from typing import Final, Protocol

from simulators.devices.faults import Action, Restart, Send, Unplug, Wait

#: A client that neither flushes nor sends is taken to be ready after this time, in seconds.
SETTLE_S: Final = 0.3
#: How often to look for a client while there is none, in seconds.
LOOK_S: Final = 0.01
#: Longest wait for news of a client, in seconds.
POLL_S: Final = 0.5
#: Shortest pause between two paced writes, in seconds: fast lines write several bytes at a time.
PACE_S: Final = 0.001
READ_MAX: Final = 4096
JOIN_S: Final = 5.0
#: Linux on most machines, <asm-generic/termbits.h>: `struct termios2`, whose last field is the output speed.
_TCGETS2: Final = 0x802C542A
_TERMIOS2_BYTES: Final = 44
_PACKET_FLUSH_READ: Final = 1  # TIOCPKT_FLUSHREAD, <asm-generic/ioctls.h>
_PACKET_FLUSH_WRITE: Final = 2  # TIOCPKT_FLUSHWRITE


class SimulatedDevice(Protocol):
    """What a wire tells its device; called from the wire's threads."""

    def client_came(self) -> None:
        """Somebody opened the port: from now on bytes arrive."""

    def client_went(self) -> None:
        """Nobody listens any more: closed or unplugged."""

    def received(self, data: bytes) -> None:
        """Bytes from the client, split as they came."""

    def restarted(self) -> None:
        """A fault plan says: lose power for a moment."""


class DeviceEnd(Protocol):
    """A wire as its device sees it."""

    def start(self, device: SimulatedDevice) -> None: ...

    def perform(self, action: Action) -> None:
        """Queue an action; returns at once."""

    def unplug(self) -> None: ...

    def replug(self) -> None: ...

    def close(self) -> None: ...


class PtyEnd:
    """A pty. `speed_factor` 1 is the pace of the wire, both ways, 10 ten times as fast, None unpaced.

    `link` is a symlink kept for as long as the wire is plugged in; without it each replug has another path.
    `minds_speed`: what is said at another speed than the device's arrives as noise, in both directions.
    """

    def __init__(
        self,
        *,
        link: Path | None = None,
        baud: int,
        bits_per_byte: int = 10,
        speed_factor: float | None = 1.0,
        minds_speed: bool = False,
    ) -> None:
        self._link = link
        self._bits_per_byte = bits_per_byte
        self._speed_factor = speed_factor
        self._minds_speed = minds_speed
        self.speak_at(baud)
        self._device: SimulatedDevice | None = None
        #: Guards the descriptor: whoever reads or writes holds it, so that no descriptor is closed under a call.
        self._lock = threading.RLock()
        self._master: int | None = None
        self._slave_path = ""
        #: A client is there and has flushed what it is going to flush.
        self._ready = threading.Event()
        #: What the device was told last; the listener's own.
        self._client_came = False
        self._stopping = threading.Event()
        self._actions: queue.SimpleQueue[Action | None] = queue.SimpleQueue()
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._listener = threading.Thread(target=self._listen, name="pty-listener", daemon=True)
        self._performer = threading.Thread(target=self._keep_performing, name="pty-performer", daemon=True)
        self.replug()

    @property
    def path(self) -> str:
        """What a client opens."""
        return str(self._link) if self._link is not None else self._slave_path

    def speak_at(self, baud: int) -> None:
        """The device changes its speed."""
        self._baud = self._next_baud = baud
        self._confirmation = b""
        self._byte_s = self._bits_per_byte / baud / self._speed_factor if self._speed_factor else 0.0

    def will_speak_at(self, baud: int, confirmation: bytes) -> None:
        """The device has announced this speed, and its client confirms it with these bytes at the old one.

        Two things differ on a pty. For how long the client kept the old speed cannot be seen, so both are understood
        until `speak_at`. And a client that flushes its output (nfcpy does, to change its own speed) takes back what it
        has just written, which is out by then on a line: so the confirmation is heard all the same.
        """
        self._next_baud = baud
        self._confirmation = confirmation

    def start(self, device: SimulatedDevice) -> None:
        """Begin to listen and to perform; once."""
        self._device = device
        self._listener.start()
        self._performer.start()

    def perform(self, action: Action) -> None:
        """See `DeviceEnd`."""
        self._actions.put(action)

    def replug(self) -> None:
        """A new pty behind the same link. Nothing happens where one is there."""
        with self._lock:
            if self._master is not None or self._stopping.is_set():
                return
            master, slave = pty.openpty()
            tty.setraw(slave)
            self._slave_path = os.ttyname(slave)
            # Without a slave ever opened and closed, poll would not report its absence (POLLHUP).
            os.close(slave)
            os.set_blocking(master, False)
            fcntl.ioctl(master, termios.TIOCPKT, struct.pack("i", 1))
            self._master = master
            if self._link is not None:
                _point(self._link, self._slave_path)
        self._wake()

    def unplug(self) -> None:
        """The port disappears under its client."""
        with self._lock:
            if self._master is None:
                return
            if self._link is not None:
                self._link.unlink(missing_ok=True)
            os.close(self._master)
            self._master = None
            self._ready.clear()
        self._wake()

    def close(self) -> None:
        """Unplug for good and end the threads; may be repeated."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        self.unplug()
        self._actions.put(None)
        for thread in (self._listener, self._performer):
            if thread.ident is not None:
                thread.join(JOIN_S)
        os.close(self._wake_read)
        os.close(self._wake_write)

    # -- coming, going, reading ----------------------------------------------------------------------------------------

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):  # full: it will wake all the same
            os.write(self._wake_write, b"x")

    def _listen(self) -> None:
        device = self._device
        assert device is not None
        came_s: float | None = None
        while not self._stopping.is_set():
            master = self._master
            if not self._wait_for_news(master, came_s):
                came_s = None
                self._be_gone(device)
                continue
            came_s = came_s or time.monotonic()
            flushed, data = self._read(master)
            if flushed or ((data or time.monotonic() - came_s > SETTLE_S) and not self._ready.is_set()):
                self._ready.set()
                self._client_came = True
                device.client_came()
            if data:
                # The device has it when its last bit is there.
                self._stopping.wait(len(data) * self._byte_s)
                device.received(data)
        self._be_gone(device)

    def _be_gone(self, device: SimulatedDevice) -> None:
        self._ready.clear()
        if self._client_came:
            self._client_came = False
            device.client_went()

    def _wait_for_news(self, master: int | None, came_s: float | None) -> bool:
        """Until something happens, or not for long; whether a client is there."""
        poll = select.poll()
        poll.register(self._wake_read, select.POLLIN)
        if master is not None:
            poll.register(master, select.POLLIN | select.POLLPRI)
        wait_s = POLL_S if master is None or self._ready.is_set() else LOOK_S
        events = dict(poll.poll(wait_s * 1000))
        if self._wake_read in events:
            os.read(self._wake_read, READ_MAX)
        if master is None or master != self._master:
            return False
        if events.get(master, 0) & (select.POLLHUP | select.POLLNVAL | select.POLLERR):
            # Poll says so again at once for as long as nobody is there.
            self._stopping.wait(LOOK_S)
            return False
        return True

    def _read(self, master: int | None) -> tuple[bool, bytes]:
        """Whether the client flushed its input, and what it sent."""
        flushed = False
        data = bytearray()
        with self._lock:
            if master is None or master != self._master:
                return False, b""
            while True:
                try:
                    packet = os.read(master, READ_MAX)
                except OSError as why:
                    if why.errno not in (errno.EAGAIN, errno.EIO):
                        raise
                    return flushed, bytes(data)
                if packet[:1] == b"\0":
                    data += self._as_heard(packet[1:], master, (self._baud, self._next_baud))
                else:
                    flushed = flushed or bool(packet[0] & _PACKET_FLUSH_READ)
                    if packet[0] & _PACKET_FLUSH_WRITE and not data:
                        data += self._confirmation

    # -- writing -------------------------------------------------------------------------------------------------------

    def _keep_performing(self) -> None:
        while (action := self._actions.get()) is not None:
            match action:
                case Send():
                    self._send(action.data)
                case Wait():
                    self._stopping.wait(action.for_s)
                case Unplug():
                    self._break(action.for_s)
                case Restart() if self._device is not None:
                    self._device.restarted()

    def _break(self, for_s: float) -> None:
        self.unplug()
        self._stopping.wait(for_s)
        self._forget_queued()
        self.replug()

    def _forget_queued(self) -> None:
        """Sent while the wire was broken: into nothing."""
        with contextlib.suppress(queue.Empty):
            while self._actions.get_nowait() is not None:
                pass
            self._actions.put(None)

    def _send(self, data: bytes) -> None:
        if not self._byte_s:
            self._write(data)
            return
        step = max(1, int(PACE_S / self._byte_s))
        due_s = time.monotonic()
        for begin in range(0, len(data), step):
            chunk = data[begin : begin + step]
            due_s += len(chunk) * self._byte_s
            # A byte is there when its last bit is.
            self._stopping.wait(max(0.0, due_s - time.monotonic()))
            self._write(chunk)

    def _write(self, data: bytes) -> None:
        with self._lock:
            if self._master is None or not self._ready.is_set():
                return
            with contextlib.suppress(OSError):  # the client is gone or does not read: lost, there is no flow control
                os.write(self._master, self._as_heard(data, self._master, (self._baud,)))

    def _as_heard(self, data: bytes, master: int, bauds: tuple[int, ...]) -> bytes:
        """Bytes, or as many bytes of noise where the two ends differ in speed. The caller holds the lock."""
        if not self._minds_speed or _client_baud(master) in bauds:
            return data
        return random.Random(data).randbytes(len(data))


def _client_baud(master: int) -> int:
    """The speed that the client has set, in bits a second, also where it is none of the usual ones."""
    buffer = bytearray(_TERMIOS2_BYTES)
    fcntl.ioctl(master, _TCGETS2, buffer)
    return int(struct.unpack_from("I", buffer, _TERMIOS2_BYTES - 4)[0])


def _point(link: Path, target: str) -> None:
    """Make `link` point there in one step; a link that is there is replaced, anything else is not touched."""
    if link.exists() and not link.is_symlink():
        raise FileExistsError(f"{link} is there and is no link")
    fresh = link.with_name(f".{link.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(link)
