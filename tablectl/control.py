"""The controller's door for everything that is no device: a Unix socket, JSON lines.

`{"follow": {"after": SEQ}}` or `{"follow": {"hands": N}}`: a greeting line, then every public record behind that
position (or from the opening of the N-th last hand on), stored ones and live ones, until the reader hangs up.
`{"unseal": {"request": …, "signature": …}}`: the sealed cards of a hand that is over, for the auditor whose key the
table knows (`tablectl.unsealing`); one reply line.
`{"enter": "press bet", "by": "croupier"}`: one fact in the words of a hand file (`docs/hand-files.md`); one reply line.
`{"use": "draw-poker", "by": "ana"}`: another of the table's games from the next hand on; one reply line. Whoever
follows is hung up when the game has changed, since the greeting says which one it is.
`{"recall": {"hands": N}}`: one line with the last N hands, newest first, the unfinished one included.
`{"ask": "devices"}`: one line that says how everything is: each device, the threads that stopped, and how far the table
is (`tablectl.report`). No card and no tag is in it.
`{"recall": {"hand": N}}`: a greeting line (with the seats that the hand before left), that hand's public records, then
`{"end": true}`; or one line that it does not know that hand.

A reader has a thread and a database connection of its own: one that is slow or gone is no concern of the deal.
"""

from __future__ import annotations

import errno
import importlib
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from drivers.pulse import Pulse
from tablectl.engine.decisions import Refused
from tablectl.engine.facts import Fact, GameChosen, Setup
from tablectl.journal.lines import line
from tablectl.journal.store import JournalUnusable
from tablectl.journal.volumes import Shelf
from tablectl.recall import HANDS_MOST, UNKNOWN_HAND, carried_into, is_opened, last_hands
from tablectl.unsealing import BadRequest, Unsealing, without_witness
from tablectl.unsealing import parse as parse_request

#: Words of the hand-file grammar that a person may enter; cards and devices speak for themselves.
ENTERED: Final = frozenset(
    {"press", "bet", "standing", "remove", "out", "declare", "rule", "acknowledge", "name", "call"}
    | {"act", "asks", "chips", "player", "stack", "button", "croupier", "croupier-off"}
    | {"limits", "shelve", "unshelve"}
)
#: How long the end waits for readers to take what there still is, in seconds, all of them together.
FAREWELL_S: Final = 0.5
#: Readers and speakers at the same time; a table has a handful.
CONNECTIONS_MAX: Final = 64
#: Nothing to tell a reader: a moment to see whether it is still there.
NOTHING: Final = b""
#: What a reader was told does not hold any more: it is hung up, and asks again.
OVER: Final = b"over"
GIVEN_UP: Final = "the controller did not answer, and it will not take this any more; enter it again"
UNKNOWN: Final = "the controller took it and did not answer; look at the felt on the screen before you enter it again"
LINE_BYTES: Final = 65_536
BACKLOG: Final = 16
#: The last position that a journal can have: SQLite's greatest integer.
POSITION_MOST: Final = 2**63 - 1
#: How often a waiting reader looks whether it should end, in seconds.
LOOK_S: Final = 0.5


class Entry:
    """A fact that a person entered, on its way through the engine."""

    def __init__(self, fact: Fact) -> None:
        self.fact = fact
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._is_taken = self._is_given_up = False
        self._reply: dict[str, Any] = {"ok": False, "error": GIVEN_UP}

    def take(self) -> bool:
        """The controller takes it; False where whoever entered it has been told that it was not taken."""
        with self._lock:
            self._is_taken = not self._is_given_up
            return self._is_taken

    def answer(self, seq: int, refused: Refused | None) -> None:
        """It is durable."""
        said = None
        if refused is not None:
            said = {"why": refused.why.value, "clause": refused.clause, "detail": refused.detail}
        self._reply = {"ok": True, "seq": seq, "refused": said}
        self._done.set()

    def fail(self, error: str) -> None:
        """It could not be taken."""
        self._reply = {"ok": False, "error": error}
        self._done.set()

    def wait(self, timeout_s: float) -> dict[str, Any]:
        """What became of it. What the controller did not take in time it does not take later."""
        if not self._done.wait(timeout_s):
            with self._lock:
                self._is_given_up = not self._is_taken
            if not self._is_given_up:
                self._done.wait(timeout_s)
                return self._reply if self._done.is_set() else {"ok": False, "error": UNKNOWN}
        return self._reply


class Newest:
    """The position up to which records are durable, and a way to wait for more."""

    def __init__(self, seq: int) -> None:
        self._seq = seq
        self._changed = threading.Condition()
        self._closed = False

    def publish(self, seq: int) -> None:
        """Called by the one writer, after a record's effects."""
        with self._changed:
            self._seq = seq
            self._changed.notify_all()

    def close(self) -> None:
        """No more will come."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def seq(self) -> int:
        """The position."""
        return self._seq

    @property
    def is_closed(self) -> bool:
        """No more will come."""
        return self._closed

    def wait_behind(self, seq: int, timeout_s: float) -> bool:
        """Wait for something behind `seq`; False where nothing came in time, or nothing ever will."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._seq > seq, timeout_s)
            return self._seq > seq


class ControlSocket:
    """Listens, and serves each connection in a thread."""

    def __init__(
        self,
        path: Path,
        *,
        journal: Path,
        newest: Newest,
        greeting: Mapping[str, Any],
        setup: Setup,
        games: Mapping[str, Setup] = MappingProxyType({}),
        enter: Callable[[Entry | Unsealing], None],
        now_us: Callable[[], int],
        witnessed: Callable[[int], bool] = lambda _: True,
        report: Callable[[], Mapping[str, Any]] = dict,
        answer_s: float = 5.0,
    ) -> None:
        self._path = path
        self._journal = journal
        self._newest = newest
        self._greeting = greeting
        self._setup = setup
        #: the games that the table can change to, by their rulebooks
        self._games = games
        self._enter = enter
        self._now_us = now_us
        #: whether another file has a record, before what it is about is shown
        self._witnessed = witnessed
        #: how everything is at this moment; any thread may ask
        self._report = report
        self._answer_s = answer_s
        self._closing = threading.Event()
        self._is_bound = False
        self._free = threading.Semaphore(CONNECTIONS_MAX)
        self._lock = threading.Lock()
        self._serving: dict[socket.socket, threading.Thread] = {}
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._thread = threading.Thread(target=self._run, name="control", daemon=True)
        self.pulse = Pulse(self._thread.name)

    def bind(self) -> None:
        """Readable for the owner only. Raises `OSError`, also where somebody listens already."""
        if self._path.is_socket():
            if _somebody_listens(self._path):
                raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
            self._path.unlink()
        before = os.umask(0o077)
        try:
            self._listener.bind(str(self._path))
        finally:
            os.umask(before)
        self._is_bound = True

    def play(self, greeting: Mapping[str, Any], setup: Setup) -> None:
        """The table's game or its rules are these now: any reader that was told others is hung up, and asks again."""
        self._greeting, self._setup = greeting, setup

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
        self._newest.close()
        if self._thread.ident is not None:
            _somebody_listens(self._path)  # a knock wakes the thread that waits for one
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
                self._serving[connection] = thread
            thread.start()

    def _attend(self, connection: socket.socket) -> None:
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
        with connection, connection.makefile("rb") as lines:
            try:
                while not self._closing.is_set() and (line := lines.readline(LINE_BYTES)):
                    for reply in self._replies(line):
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

    def _replies(self, line: bytes) -> Iterator[bytes]:
        try:
            asked = json.loads(line)
        except (ValueError, RecursionError):
            asked = None
        match asked:
            case {"follow": {"after": int(after)}} if 0 <= after <= POSITION_MOST:
                yield from self._follow(after)
            case {"follow": {"hands": int(hands)}} if 0 < hands <= POSITION_MOST:
                yield from self._follow(None, hands)
            case {"recall": {"hands": int(hands)}} if 0 < hands <= HANDS_MOST:
                yield from self._recall(hands=hands)
            case {"recall": {"hand": int(hand)}} if 0 < hand <= POSITION_MOST:
                yield from self._recall(hand=hand)
            case {"enter": str(text)}:
                yield json.dumps(self._entered(text)).encode()
            case {"use": str(game), "by": str(by)}:
                yield json.dumps(self._chosen(game, by)).encode()
            case {"ask": "devices"}:
                yield json.dumps(self._report(), ensure_ascii=False).encode()
            case {"unseal": sent}:
                yield json.dumps(self._unsealed(sent)).encode()
            case _:
                expected = (
                    'expected {"follow": …}, {"enter": "…"}, {"use": "…", "by": "…"}, {"ask": "devices"}, '
                    '{"recall": …} or {"unseal": …}'
                )
                yield json.dumps({"ok": False, "error": expected}).encode()

    def _entered(self, text: str) -> dict[str, Any]:
        if text.split(" ", 1)[0] not in ENTERED:
            return {"ok": False, "error": f"{text.split(' ', 1)[0]!r} is not one of {', '.join(sorted(ENTERED))}"}
        # Loaded at the first entry: a start is in a hurry.
        parse_fact = importlib.import_module("tablectl.handfile.facts").parse_fact
        try:
            entry = Entry(parse_fact(text, self._now_us(), self._setup))
        except ValueError as wrong:
            return {"ok": False, "error": f"expected {wrong}"}
        self._enter(entry)
        return entry.wait(self._answer_s)

    def _chosen(self, game: str, by: str) -> dict[str, Any]:
        setup = self._games.get(game)
        if setup is None:
            return {"ok": False, "error": f"{game!r} is none of this table's games: {', '.join(sorted(self._games))}"}
        if not by or by.split() != [by] or not by.isprintable():
            return {"ok": False, "error": "expected a name in one word"}
        entry = Entry(GameChosen(at_us=self._now_us(), setup=setup, by=by))
        self._enter(entry)
        return entry.wait(self._answer_s)

    def _unsealed(self, sent: object) -> dict[str, Any]:
        try:
            unsealing = Unsealing(parse_request(sent))
        except BadRequest as wrong:
            return {"ok": False, "error": f"expected {wrong}"}
        self._enter(unsealing)
        reply = unsealing.wait(self._answer_s)
        return reply if not reply["ok"] or self._witnessed(reply["seq"]) else without_witness(reply)

    def _follow(self, after: int | None, hands: int = 0) -> Iterator[bytes]:
        """Behind a position; without one, from the opening of the `hands`-th last hand on."""
        told = self._greeting
        yield json.dumps(told, ensure_ascii=False).encode()
        try:
            with closing(Shelf(self._journal)) as shelf:
                seq = shelf.last_boundary(hands) if after is None else after
                while True:
                    if self._newest.wait_behind(seq, LOOK_S):
                        for stored in shelf.records(after=seq):
                            seq = stored.seq
                            yield line(stored)
                    elif self._newest.is_closed:
                        return  # and everything that there was is told
                    else:
                        yield NOTHING
                    # A record can be read before it is published, so this is asked even where nothing came.
                    if self._greeting is not told:
                        yield OVER  # another game is played now
        except JournalUnusable as wrong:
            yield json.dumps({"ok": False, "error": str(wrong)}).encode()

    def _recall(self, *, hand: int = 0, hands: int = 0) -> Iterator[bytes]:
        """The list of the last `hands`, or one hand's records, and no more."""
        try:
            with closing(Shelf(self._journal)) as shelf:
                if hands:
                    yield json.dumps({"hands": last_hands(shelf, hands)}).encode()
                    return
                records = list(shelf.records(hand=hand))
                if not is_opened(records):
                    said = {"ok": False, "why": UNKNOWN_HAND, "error": f"there is no hand {hand} in this journal"}
                    yield json.dumps(said).encode()
                    return
                greeting = {**self._greeting, "carried": carried_into(shelf, records[0])}
        except JournalUnusable as wrong:
            yield json.dumps({"ok": False, "error": str(wrong)}).encode()
            return
        yield json.dumps(greeting, ensure_ascii=False).encode()
        yield from (stored.public for stored in records)
        yield json.dumps({"end": True}).encode()


def _hung_up(connection: socket.socket) -> bool:
    """Whether the other end is gone; asked while there is nothing to tell it."""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False


def _somebody_listens(path: Path) -> bool:
    """Whether a process answers at this socket, or the file is all that is left of one."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knock:
        knock.settimeout(LOOK_S)
        try:
            knock.connect(str(path))
        except (TimeoutError, BlockingIOError):
            return True  # so many wait there already that the kernel turns us away
        except OSError:
            return False
    return True
