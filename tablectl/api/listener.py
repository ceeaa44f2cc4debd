"""The controller's door for everything that is no device: a Unix socket, JSON lines.

`{"follow": {"after": SEQ}}` or `{"follow": {"hands": N}}`: a greeting line, then every public record behind that
position (or from the opening of the N-th last hand on), stored ones and live ones, until the reader hangs up.
`{"unseal": {"request": …, "signature": …}}`: the sealed cards of a hand that is over, for the auditor whose key the
table knows (`tablectl.ops.unsealing`); one reply line.
`{"enter": "press bet", "by": "croupier"}`: one fact in the words of a hand file (`docs/hand-files.md`); one reply line.
With `"prompt": {"since": SEQ, "seat": 3}` it is taken only while that is asked: the prompt that began at the record SEQ
and is about that seat (null: about none). Otherwise `"why": "prompt-changed"`, and nothing is recorded.
`{"use": "draw-poker", "by": "ana"}`: another of the table's games from the next hand on; one reply line. Whoever
follows is hung up when the game has changed, since the greeting says which one it is.
`{"recall": {"hands": N}}`: one line with the last N hands, newest first, the unfinished one included.
`{"ask": "devices"}`: one line that says how everything is: each device, the threads that stopped, and how far the table
is (`tablectl.table.report`). No card and no tag is in it.
`{"confirm": {"seq": …, "hash": …}}`: whether the writer wrote this record, from its memory and not from the file; one
line, `confirms` is true, false, or null where it does not remember.
`{"test": "lamps", "by": "eva"}`, or `"panel"`: between two hands, lamps are shown or keys tried; `{"test": "over"}`
ends it, as 60 s do, a hand or an incident. `{"ask": "test"}`: what is tried, the keys there are, those pressed.
`{"enrol": {"deck": …, "reader": …, "by": …}}`: a deck is enrolled at a reader, between two hands; lines until
one with `ok`. Hanging up gives it up. `{"enrol": "back"}` on another connection: the last card was wrong; `"over"`.
`{"access": {…}}`: who signed on, or read what, for the record (`tablectl.api.accessing`); one reply line.
`{"recall": {"hand": N}}`: a greeting line (with the seats that the hand before left), that hand's public records, then
`{"end": true}`; or one line that it does not know that hand.

A reader has a thread and a database connection of its own: one that is slow or gone is no concern of the deal.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from drivers.pulse import Pulse
from drivers.thread_name import show_name
from tablectl.api.behind import Behind
from tablectl.api.lines import LOOK_S, NOTHING, OVER
from tablectl.api.speakers import Speakers
from tablectl.api.unix_socket import somebody_listens
from tablectl.api.words import answers
from tablectl.journal.readers import Readers

#: How long the end waits for readers to take what there still is, in seconds, all of them together.
FAREWELL_S: Final = 0.5
#: Readers and speakers at the same time; a table has a handful.
CONNECTIONS_MAX: Final = 64
LINE_BYTES: Final = 65_536
BACKLOG: Final = 16


class ControlSocket:
    """Listens, and serves each connection in a thread."""

    def __init__(
        self,
        path: Path,
        behind: Behind,
        readers: Readers = Readers.OWNER,
        speakers: Speakers | None = None,
    ) -> None:
        """Without `speakers`: this user's own processes, and root's."""
        self._path = path
        self._readers = readers
        self._speakers = Speakers() if speakers is None else speakers
        self._behind = behind
        self._closing = threading.Event()
        self._is_bound = False
        self._free = threading.Semaphore(CONNECTIONS_MAX)
        self._lock = threading.Lock()
        self._serving: dict[socket.socket, threading.Thread] = {}
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._thread = threading.Thread(target=self._run, name="control", daemon=True)
        self.pulse = Pulse(self._thread.name)

    def bind(self) -> None:
        """For its readers: nobody but the owner, or its folder's group. Raises `OSError`, also where somebody listens
        already."""
        if self._path.is_socket():
            if somebody_listens(self._path, LOOK_S):
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
        """Stop listening. Readers get what there still is and are hung up, in bounded time."""
        self._closing.set()
        self._behind.newest.close()
        if self._thread.ident is not None:
            somebody_listens(self._path, LOOK_S)  # a knock wakes the thread that waits for one
            self._thread.join(2 * LOOK_S)
        self._listener.close()
        self._hang_up()
        if self._is_bound:
            self._path.unlink(missing_ok=True)

    def _run(self) -> None:
        self.pulse.live(self._accept)

    def _accept(self) -> None:
        while not self._closing.is_set():
            self.pulse.beat()
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
                # Whoever hangs up waits for those that serve, and nobody can wait for a thread that was not started.
                thread.start()
                self._serving[connection] = thread

    def _attend(self, connection: socket.socket) -> None:
        show_name()
        try:
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
        connection.settimeout(None)
        may_enter = self._speakers.may_speak(connection)
        with connection, connection.makefile("rb") as lines:
            try:
                while not self._closing.is_set() and (line := lines.readline(LINE_BYTES)):
                    with closing(answers(self._behind, _asked(line), may_enter=may_enter)) as replies:
                        for reply in replies:
                            if reply is OVER:
                                return
                            if reply is not NOTHING:
                                connection.sendall(reply + b"\n")
                            elif _hung_up(connection):
                                return
                    if not line.endswith(b"\n"):
                        return  # longer than any line may be, or the last one: nobody knows where the next one begins
            except OSError:
                return  # the other end hung up


def _asked(line: bytes) -> object:
    """What a line says; None where it is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _hung_up(connection: socket.socket) -> bool:
    """Whether the other end is gone; asked while there is nothing to tell it."""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
