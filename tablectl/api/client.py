"""The other end of the controller's door, for programs that wait: `tablectl/api/` says what goes over it."""

from __future__ import annotations

import json
import socket
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tablectl.core.stream import PublicRecord, decode_record


class NoController(Exception):
    """Nobody listens there, or it hung up."""


def _nobody(path: Path, wrong: OSError) -> str:
    """Why nobody answers there, and what to do."""
    if isinstance(wrong, PermissionError):
        return f"{path}: this user may not ask it; ask as root, or as the controller's user"
    why = "nobody answers there" if isinstance(wrong, ConnectionRefusedError) else "there is no socket"
    start = "start the table (systemctl start tablectl@TABLE, or tablectl run CONFIG)"
    return f"{path}: {why}, so the controller does not run; {start}"


class _Line:
    """One connection: JSON lines both ways."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError as wrong:
            self._socket.close()
            raise NoController(_nobody(path, wrong)) from None
        self._rest = b""

    def send(self, value: object) -> None:
        try:
            self._socket.sendall(json.dumps(value).encode() + b"\n")
        except OSError as wrong:
            raise NoController(str(wrong)) from None

    def receive(self, timeout_s: float | None) -> dict[str, Any] | None:
        """The next line; None when none came in time."""
        self._socket.settimeout(timeout_s)
        while b"\n" not in self._rest:
            try:
                more = self._socket.recv(65536)
            except (TimeoutError, BlockingIOError):
                return None
            except OSError as wrong:
                raise NoController(str(wrong)) from None
            if not more:
                raise NoController("the controller hung up")
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        read: dict[str, Any] = json.loads(line)
        return read

    def close(self) -> None:
        self._socket.close()


def ask(path: Path, question: object, *, timeout_s: float = 10.0) -> dict[str, Any]:
    """One question, the first line of the answer. Raises `NoController`."""
    line = _Line(path)
    try:
        line.send(question)
        reply = line.receive(timeout_s)
    finally:
        line.close()
    if reply is None:
        raise NoController(f"{path}: no reply")
    return reply


def lines(path: Path, question: object) -> Generator[dict[str, Any]]:
    """One question, and every line of the answer up to the one with `ok`. Hangs up when the iteration ends. Raises
    `NoController`, at once where nobody listens."""
    line = _Line(path)
    try:
        line.send(question)
    except NoController:
        line.close()
        raise
    return _lines(line)


def _lines(line: _Line) -> Generator[dict[str, Any]]:
    try:
        while (reply := line.receive(None)) is not None:
            yield reply
            if "ok" in reply:
                return
    finally:
        line.close()


class Reader:
    """Follows the public records after a position."""

    def __init__(self, path: Path, *, after: int, timeout_s: float = 5.0) -> None:
        self._path, self._seq, self._timeout_s = path, after, timeout_s
        self._follow()

    def _follow(self) -> None:
        """Connect, and ask for what comes after the last record."""
        self._line = _Line(self._path)
        with ExitStack() as unless_greeted:
            unless_greeted.callback(self._line.close)
            self._line.send({"follow": {"after": self._seq}})
            greeting = self._line.receive(self._timeout_s)
            if greeting is None:
                raise NoController(f"{self._path}: no greeting")
            self.table: dict[str, Any] = greeting["table"]
            unless_greeted.pop_all()

    def next(self, timeout_s: float) -> dict[str, Any] | None:
        """The next record as it was sent; None when none came in time. Raises `NoController`."""
        return self._line.receive(timeout_s)

    def record(self, timeout_s: float) -> PublicRecord | None:
        """The next record as a value; None when none came in time. Raises `NoController`, `UnreadableRecord`.

        The controller hangs up when the limits of its table change, so that whoever follows is greeted with the new
        ones: then the connection is made again, once, after the last record.
        """
        try:
            public = self.next(timeout_s)
        except NoController:
            self._line.close()
            self._follow()
            public = self.next(timeout_s)
        if public is None:
            return None
        made = decode_record(public)
        self._seq = made.seq
        return made

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Speaker:
    """Enters facts, as a screen does."""

    def __init__(self, path: Path) -> None:
        self._line = _Line(path)

    def enter(self, text: str, *, timeout_s: float = 10.0) -> dict[str, Any]:
        """One fact in the words of a hand file; the controller's reply. Raises `NoController`."""
        self._line.send({"enter": text})
        reply = self._line.receive(timeout_s)
        if reply is None:
            raise NoController("no reply")
        return reply

    def close(self) -> None:
        """Hang up."""
        self._line.close()
