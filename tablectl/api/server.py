"""The controller's interface for everything that is no device: a Unix socket, a JSON object a line.

A caller has a thread and a database connection of its own: one that is slow or gone is no concern of the deal. Several
servers can stand before one table, each with a socket, a group of readers and writers of its own.
"""

from __future__ import annotations

import errno
import os
import pwd
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Final

from drivers.heartbeat import Heartbeat
from drivers.thread_name import show_name
from tablectl.api.context import ApiContext
from tablectl.api.methods import LOOK_S, HangUp, Method, Permission, answer
from tablectl.api.protocol import REQUEST_BYTES, encode
from tablectl.api.unix_socket import is_listening
from tablectl.journal.readers import Readers

#: How long the end waits for callers to take what there still is, in seconds, all of them together.
FAREWELL_S: Final = 0.5
#: Callers at the same time; a table has a handful.
CONNECTIONS_MAX: Final = 64
BACKLOG: Final = 16
#: `struct ucred` of unix(7): process, user and group of the other end.
_UCRED: Final = struct.Struct("3i")


class AllowedWriters:
    """Who may change something: the controller's own user and root; besides these, users by their names. Those of
    `uplink` may hand in receipts, and nothing else. `on_refused` is told of each who may not, from the thread
    that serves him: the user and the method, as a text."""

    def __init__(
        self,
        names: Iterable[str] = (),
        *,
        uplink: Iterable[str] = (),
        on_refused: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._on_refused = on_refused
        #: names that this machine does not know
        self.unknown: tuple[str, ...] = ()
        self._writers = {0, os.geteuid(), *self._known(names)}
        self._uplinks = {*self._writers, *self._known(uplink)}

    def authorize(self, connection: socket.socket, method: Method) -> str | None:
        """Why whoever is at the other end may not call a method, or None. The kernel says which user it is; of whom it
        does not say so, that one may only read."""
        if method.permission is Permission.READ:
            return None
        allowed = self._uplinks if method.permission is Permission.RECEIPT else self._writers
        user = self._user(connection)
        if user in allowed:
            return None
        self._on_refused(f"{_name_of(user)}: {method.name}")
        setting = "uplink.user" if method.permission is Permission.RECEIPT else "control.speakers"
        return f"this user may look and enter nothing; {setting} says who may enter"

    def _known(self, names: Iterable[str]) -> Iterator[int]:
        for name in names:
            try:
                yield pwd.getpwnam(name).pw_uid
            except KeyError:
                self.unknown = (*self.unknown, name)

    def _user(self, connection: socket.socket) -> int | None:
        try:
            found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
        except OSError:
            return None
        user: int = _UCRED.unpack(found)[1]
        return user


def _name_of(user: int | None) -> str:
    try:
        return "unknown" if user is None else pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


class ApiServer:
    """Listens, and serves each caller in a thread."""

    def __init__(
        self,
        path: Path,
        context: ApiContext,
        readers: Readers = Readers.OWNER,
        writers: AllowedWriters | None = None,
    ) -> None:
        """Without `writers`: this user's own processes, and root's."""
        self._path = path
        self._readers = readers
        self._writers = AllowedWriters() if writers is None else writers
        self._context = context
        self._closing = threading.Event()
        self._is_bound = False
        self._free = threading.Semaphore(CONNECTIONS_MAX)
        self._lock = threading.Lock()
        self._serving: dict[socket.socket, threading.Thread] = {}
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._thread = threading.Thread(target=self._run, name="control", daemon=True)
        self.heartbeat = Heartbeat(self._thread.name)

    def bind(self) -> None:
        """For its readers: nobody but the owner, or its folder's group. Raises `OSError`, also where somebody listens
        already."""
        if self._path.is_socket():
            if is_listening(self._path, LOOK_S):
                raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
            self._path.unlink()
        before = os.umask(0o077)
        try:
            self._listener.bind(str(self._path))
        finally:
            os.umask(before)
        self._is_bound = True
        self._readers.give(self._path, self._readers.shared_mode)

    def start(self) -> None:
        """Listen; binds first where that was not done. Raises `OSError`."""
        if not self._is_bound:
            self.bind()
        self._listener.listen(BACKLOG)
        self._listener.settimeout(LOOK_S)
        self._thread.start()

    def close(self) -> None:
        """Stop listening. Callers get what there still is and are hung up, in bounded time."""
        self._closing.set()
        self._context.log_head.close()
        if self._thread.ident is not None:
            is_listening(self._path, LOOK_S)  # wakes the thread that waits for a caller
            self._thread.join(2 * LOOK_S)
        self._listener.close()
        self._hang_up()
        if self._is_bound:
            self._path.unlink(missing_ok=True)

    def _run(self) -> None:
        self.heartbeat.live(self._accept)

    def _accept(self) -> None:
        while not self._closing.is_set():
            self.heartbeat.beat()
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            except OSError:
                # Closing, or out of file descriptors: those come back when others hang up.
                self._closing.wait(LOOK_S)
                continue
            if not self._free.acquire(blocking=False):
                connection.close()
                continue
            thread = threading.Thread(target=self._attend, args=(connection,), name="control-reader", daemon=True)
            with self._lock:
                # The end waits for those that serve, and nobody can wait for a thread that was not started.
                thread.start()
                self._serving[connection] = thread

    def _attend(self, connection: socket.socket) -> None:
        show_name()
        try:
            with connection, suppress(HangUp, OSError):  # the other end hung up
                self._serve(connection)
        finally:
            with self._lock:
                del self._serving[connection]
            self._free.release()

    def _hang_up(self) -> None:
        """Nothing more is heard, so whoever waits for a line ends; what is being told is told to its end, in time."""
        with self._lock:
            serving = dict(self._serving)
            for connection in serving:
                with suppress(OSError):  # the other end was quicker
                    connection.shutdown(socket.SHUT_RD)
        until_s = time.monotonic() + FAREWELL_S
        for thread in serving.values():
            thread.join(max(0.0, until_s - time.monotonic()))

    def _serve(self, connection: socket.socket) -> None:
        """Every request of one caller. Raises `HangUp`, `OSError`."""
        connection.settimeout(None)
        authorize = partial(self._writers.authorize, connection)
        with connection.makefile("rb") as requests:
            while not self._closing.is_set() and (request := requests.readline(REQUEST_BYTES)):
                with closing(answer(self._context, request, authorize)) as answers:
                    for reply in answers:
                        if reply is None:
                            _must_be_there(connection)
                        else:
                            connection.sendall(reply + b"\n" if isinstance(reply, bytes) else encode(reply))
                if not request.endswith(b"\n"):
                    return  # longer than any line may be, or the last one: nobody knows where the next one begins


def _must_be_there(connection: socket.socket) -> None:
    """Asked while there is nothing to tell. Raises `HangUp` where the other end is gone."""
    with suppress(BlockingIOError):
        if connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b"":
            raise HangUp
