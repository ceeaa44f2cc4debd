"""The client of the controller's interface: questions, and the public records after a position. `docs/api.md`.

What it means that a stream goes on where it broke off stands once, in `StreamPosition`. A program with an event loop
uses `tablectl.api.async_client`.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from tablectl.api.heads import Heads, NoHeads
from tablectl.api.protocol import ANSWER_BYTES, VERSION, decode, encode
from tablectl.core.events.stream import PublicRecord, decode_record

T = TypeVar("T")

ANSWER_S: Final = 10.0
#: A stored record comes at once; where none comes, the controller does not have it.
STORED_S: Final = 2.0


class NoController(ConnectionError):
    """Nobody listens there, it hung up, or what it says is no answer of a controller."""


class BrokenStream(NoController):
    """What comes is no public stream, or does not go on where it broke off."""


class AnotherJournal(BrokenStream):
    """The record at the position that is known is another one."""


class MissingRecord(AnotherJournal):
    """There is none at that position, or it did not come in time."""


def nobody(path: Path, wrong: OSError) -> NoController:
    """Why nobody answers there, and what to do."""
    if isinstance(wrong, PermissionError):
        return NoController(f"{path}: this user may not ask it; ask as root, or as the controller's user")
    why = "nobody answers there" if isinstance(wrong, ConnectionRefusedError) else "there is no socket"
    start = "start the table (systemctl start tablectl@TABLE, or tablectl run CONFIG)"
    return NoController(f"{path}: {why}, so the controller does not run; {start}")


def decoded(line: bytes) -> dict[str, Any]:
    """What the controller says in a line. Raises `BrokenStream`."""
    try:
        return decode(line)
    except ValueError as wrong:
        raise BrokenStream(f"the controller does not send JSON objects: {wrong}") from None


class StreamPosition:
    """Where somebody is in the stream: what to ask for, and whether what comes goes on from there.

    After a record that is known, that record is asked for once more: only where it is the same one (`is_last`) it is
    the same journal. `heads`: what the table signed, remembered longer than this connection; the controller is asked
    about it first.
    """

    def __init__(
        self,
        *,
        after: int = 0,
        hands: int = 0,
        is_last: Callable[[Mapping[str, Any]], bool] | None,
        heads: Heads | None = None,
    ) -> None:
        """`hands`: from so many of the last hands on, where no record is known. Without `is_last` nothing is asked for
        again."""
        self.heads = NoHeads() if heads is None else heads
        self._after = after
        self._hands = hands
        self._is_last = is_last if after else None
        self.is_greeted = False
        self.greeting: Mapping[str, Any] = {}
        #: the record that was known, as it came again
        self.again: Mapping[str, Any] = {}

    @property
    def is_joined(self) -> bool:
        """Whether only new records come from now on."""
        return self.is_greeted and self._is_last is None

    def request(self) -> Mapping[str, Any]:
        """What to ask for."""
        self.is_greeted = False
        if self._after == 0 and self._hands:
            return {"follow": {"hands": self._hands}}
        return {"follow": {"after": self._after - (self._is_last is not None)}}

    def take(self, said: dict[str, Any]) -> dict[str, Any] | None:
        """What comes next: a record, or None for the greeting and the record that was known. Raises `BrokenStream`."""
        if not self.is_greeted:
            self._greet(said)
            return None
        seq = said.get("seq")
        if type(seq) is not int or "fact" not in said:
            raise BrokenStream(f"no record: {str(said.get('error', said))[:200]}")
        record = self._next(said, seq)
        self.heads.saw(said)
        return record

    def _next(self, said: dict[str, Any], seq: int) -> dict[str, Any] | None:
        if self._is_last is not None:
            if seq != self._after or not self._is_last(said):
                raise AnotherJournal(f"its record {self._after} is another one")
            self._is_last, self.again = None, said
            return None
        if self._after and seq != self._after + 1:
            raise BrokenStream(f"record {seq} after {self._after}")
        self._after = seq
        return said

    def _greet(self, said: dict[str, Any]) -> None:
        version = said.get("api", VERSION)
        if version != VERSION:
            raise NoController(f"the controller has version {version} of its interface, this program version {VERSION}")
        if not isinstance(said.get("table"), dict):
            raise BrokenStream(f"no greeting: {str(said)[:200]}")
        self.greeting, self.is_greeted = said, True
        self.heads.greeted(str(said["table"].get("signing_key", "")))

    def missing(self) -> NoController:
        """Why it cannot go on where nothing comes in time."""
        return MissingRecord(f"it has no record {self._after}") if self.is_greeted else NoController("no greeting")


class Connection:
    """One connection, for any number of questions. Raises `NoController`, as all of its methods do."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._rest = b""
        try:
            self._socket.connect(str(path))
        except OSError as wrong:
            self._socket.close()
            raise nobody(path, wrong) from None

    def send(self, question: object) -> None:
        """One line there."""
        try:
            self._socket.sendall(encode(question))
        except OSError as wrong:
            raise NoController(str(wrong)) from None

    def receive(self, timeout_s: float | None) -> dict[str, Any] | None:
        """The next line from there; None when none came in time."""
        line = self.receive_line(timeout_s)
        return None if line is None else decoded(line)

    def receive_line(self, timeout_s: float | None) -> bytes | None:
        """The next line as it was sent, without its end; None when none came in time."""
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
            if len(self._rest) > ANSWER_BYTES:
                raise BrokenStream("a line that never ends")
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def ask(self, question: object, *, timeout_s: float = ANSWER_S) -> dict[str, Any]:
        """One question, the first line of the answer."""
        self.send(question)
        answer = self.receive(timeout_s)
        if answer is None:
            raise NoController("no answer in time")
        return answer

    def enter(self, text: str, *, timeout_s: float = ANSWER_S) -> dict[str, Any]:
        """One fact in the words of a hand file; the answer."""
        return self.ask({"enter": text}, timeout_s=timeout_s)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def ask(path: Path, question: object, *, timeout_s: float = ANSWER_S) -> dict[str, Any]:
    """One question, the first line of the answer. Raises `NoController`."""
    with Connection(path) as connection:
        return connection.ask(question, timeout_s=timeout_s)


def ask_about(path: Path, heads: Heads) -> None:
    """Whether the journal has what is remembered of it. Raises `NoController`."""
    if questions := heads.questions():
        with Connection(path) as connection:
            for digest, question in questions.items():
                heads.answered(digest, connection.ask(question))


def lines(path: Path, question: object) -> Generator[dict[str, Any]]:
    """One question, and every line of the answer up to the one with `ok`. Hangs up when the iteration ends. Raises
    `NoController`, at once where nobody listens."""
    connection = Connection(path)
    try:
        connection.send(question)
    except NoController:
        connection.close()
        raise
    return _lines(connection)


def _lines(connection: Connection) -> Generator[dict[str, Any]]:
    with connection:
        while (answer := connection.receive(None)) is not None:
            yield answer
            if "ok" in answer:
                return


class Subscription(Connection):
    """The public records after a position, as they come. Raises `NoController`, as all of its methods do."""

    def __init__(
        self,
        path: Path,
        *,
        after: int,
        hands: int = 0,
        is_last: Callable[[Mapping[str, Any]], bool] | None = None,
        heads: Heads | None = None,
        timeout_s: float = 5.0,
    ) -> None:
        """`hands`: from so many of the last hands on, where nothing is known (`after` is 0)."""
        self._path, self._timeout_s = path, timeout_s
        self._position = StreamPosition(after=after, hands=hands, is_last=is_last, heads=heads)
        self._subscribe()

    def _subscribe(self) -> None:
        super().__init__(self._path)
        try:
            for digest, question in self._position.heads.questions().items():
                self._position.heads.answered(digest, self.ask(question))
            self.send(self._position.request())
            while not self._position.is_joined:
                said = self.receive(self._timeout_s)
                if said is None:
                    raise self._position.missing()
                self._position.take(said)
        except NoController:
            self.close()
            raise

    @property
    def table(self) -> dict[str, Any]:
        """What the controller says of its table."""
        table: dict[str, Any] = self._position.greeting["table"]
        return table

    @property
    def again(self) -> Mapping[str, Any]:
        """The record that was known, as it came again."""
        return self._position.again

    def next(self, timeout_s: float) -> dict[str, Any] | None:
        """The next record as it was sent; None when none came in time."""
        said = self.receive(timeout_s)
        return None if said is None else self._position.take(said)

    def record(self, timeout_s: float) -> PublicRecord | None:
        """The next record as a value; None when none came in time. Raises `UnreadableRecord`.

        The controller hangs up when the limits of its table change, so that whoever follows is greeted with the new
        ones: then the connection is made again, once, after the last record.
        """
        public = self._or_again(lambda: self.next(timeout_s))
        return None if public is None else decode_record(public)

    def line(self, timeout_s: float) -> bytes | None:
        """The next record byte by byte, as `tablectl.journal.lines` reads it; None when none came in time. Connects
        again as `record` does."""
        line = self._or_again(lambda: self.receive_line(timeout_s))
        return None if line is None or self._position.take(decoded(line)) is None else line

    def _or_again(self, receive: Callable[[], T]) -> T:
        try:
            return receive()
        except BrokenStream:
            raise
        except NoController:
            self.close()
            self._subscribe()
            return receive()
