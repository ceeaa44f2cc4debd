"""Carries bytes between a port of the kiosk's own loopback and the Unix socket at which the screens answer too.

A browser knows ports, and the kiosk has no network but an empty loopback. What goes through is not looked at: TLS stays
between browser and screens. Each connection has a thread each way: whoever reads slowly slows down whoever writes, the
end of one way leaves the other open, and what was sent before the end arrives.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from tablectl.core.os_error_text import happened

#: At the same time; who comes then waits. A browser has six to one host, and a page that misbehaves no more threads.
CONNECTIONS_MAX: Final = 64
_PIECE_BYTES: Final = 1 << 16
#: Out of file descriptors: those come back when others hang up.
_AGAIN_S: Final = 0.1


class Relay:
    """Listens from now on, and ends with the process or with `close`."""

    def __init__(self, host: str, port: int, to: Path, *, say: Callable[[str], None]) -> None:
        """Port 0 takes any that is free. `say`: to the technician, when nobody answers at the socket any more and when
        somebody does again; once each, however often a browser tries. Raises `OSError`."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, port), family=family)
        self.port: int = self._listener.getsockname()[1]
        self._to = to
        self._say = say
        self._saying = threading.Lock()
        self._why_not = ""
        self._free = threading.Semaphore(CONNECTIONS_MAX)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._accept, name="relay", daemon=True)

    def start(self) -> None:
        """Whoever connected before is served now."""
        self._thread.start()

    def close(self) -> None:
        """Nobody is let in any more. Who is in stays until he hangs up."""
        self._closing.set()
        self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for one
        self._free.release()
        self._thread.join()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            self._free.acquire()
            if self._closing.is_set():
                return
            try:
                near, _ = self._listener.accept()
            except OSError:
                self._free.release()
                self._closing.wait(_AGAIN_S)
                continue
            threading.Thread(target=self._one, args=(near,), name="relay-out", daemon=True).start()

    def _one(self, near: socket.socket) -> None:
        try:
            self._serve(near)
        finally:
            self._free.release()

    def _serve(self, near: socket.socket) -> None:
        with near, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as far:
            near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                far.connect(str(self._to))
            except OSError as wrong:
                self._answers(happened(wrong))
                return
            self._answers("")
            back = threading.Thread(target=_carry, args=(far, near), name="relay-back", daemon=True)
            back.start()
            _carry(near, far)
            back.join()

    def _answers(self, why_not: str) -> None:
        """Whether somebody answers at the socket: empty where somebody does."""
        with self._saying:
            if why_not == self._why_not:
                return
            self._why_not = why_not
            if why_not:
                right = "the screens running with `--also` and this path: systemctl status tablectl-screens@TABLE"
                self._say(f"no page comes: {self._to}: found {why_not}; would be right: {right}")
            else:
                self._say(f"pages come again: {self._to}")


def _carry(source: socket.socket, sink: socket.socket) -> None:
    """One way, to its end, which `sink` hears of. Where `source` broke there is no other way either; where `sink` did,
    what it had said is still carried."""
    ended = socket.SHUT_WR
    while True:
        try:
            piece = source.recv(_PIECE_BYTES)
        except OSError:
            ended = socket.SHUT_RDWR
            break
        if not piece:
            break
        try:
            sink.sendall(piece)
        except OSError:
            break
    with suppress(OSError):  # gone already
        sink.shutdown(ended)
