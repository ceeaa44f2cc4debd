"""Messages on their way: a SQLite file. The position in the stream is committed together with what is to be sent.

So whatever was read and has to be told is here, and what is not here will be read again. A message is marked before
the first byte of it leaves, and again when its target has taken it. Found marked the first way only, after a crash, it
is in doubt: it goes once more with the same id, since a message twice is a nuisance, and one that never came a danger.

One process at a time has the file; each of its threads has a connection of its own.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from tablectl.core.engine.vocabulary import Severity
from tablectl.journal.sqlite_file import Durability, Row, SqliteError, connect, make_durable, make_private, transaction

#: Hexadecimal digits of a message's id.
ID_DIGITS: Final = 24
#: How long one thread waits for another one's commit, in seconds.
BUSY_S: Final = 30.0

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS place (
  one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL, at TEXT NOT NULL,
  journal INTEGER NOT NULL, floor TEXT NOT NULL, kind TEXT NOT NULL, rulebook TEXT NOT NULL, timezone TEXT NOT NULL,
  tilt TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS message (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, target TEXT NOT NULL, journal INTEGER NOT NULL,
  record TEXT NOT NULL, subject TEXT NOT NULL, severity TEXT NOT NULL, at_us INTEGER NOT NULL, due_us INTEGER NOT NULL,
  title TEXT NOT NULL, body TEXT NOT NULL, languages TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,
  began_us INTEGER NOT NULL, next_us INTEGER NOT NULL, done_us INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS disk (holds TEXT PRIMARY KEY, urgency TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS open_message ON message (target, number) WHERE state IN ('waits', 'sending');
"""
_OPEN: Final = "state IN ('waits', 'sending')"


class OutboxUnusable(Exception):
    """The file cannot be used. The text says which and why."""


class State(StrEnum):
    """The life of a message; `docs/notifications.md` has the table."""

    WAITS = "waits"
    SENDING = "sending"
    SENT = "sent"
    #: an escalation that was not needed: somebody acknowledged it, or it was over, before it was due
    SPARED = "spared"


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """How far the stream has been read. `hash`: the record's own, empty where it was not seen; `journal` counts the
    journals that were followed; `floor`: of this one nothing is told up to then, it was told of the one before; `kind`:
    of the last fact; `tilt`: the one that was told and not cleared yet."""

    seq: int
    hash: str = ""
    at: str = ""
    journal: int = 1
    floor: str = ""
    kind: str = ""
    rulebook: str = ""
    timezone: str = ""
    tilt: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message to one target. Times are microseconds since the epoch; 0: not yet."""

    id: str
    target: str
    journal: int
    #: the hash of the record that it tells; of what stands in no record, what it is known by
    record: str
    subject: str
    severity: Severity
    at_us: int
    due_us: int
    title: str
    body: str
    languages: str
    state: State = State.WAITS
    tries: int = 0
    began_us: int = 0
    next_us: int = 0
    done_us: int = 0
    number: int = 0

    @property
    def is_escalation(self) -> bool:
        """Whether it is told only if nobody has acknowledged it by then."""
        return self.due_us > self.at_us


@dataclass(frozen=True, kw_only=True, slots=True)
class Queue:
    """What there is of one target. `oldest_us`: since when the first one that can go has waited."""

    target: str
    waits: int
    doubtful: int
    sent: int
    spared: int
    tries: int
    oldest_us: int | None


def identity(record: str, subject: str, kind: str, target: str) -> str:
    """A message's id: the same whenever the same is told to the same target. `record` is the hash of a record, and so
    stands for journal and position: the chain runs over all that was before."""
    return hashlib.sha256("\0".join((record, subject, kind, target)).encode()).hexdigest()[:ID_DIGITS]


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the outbox against other processes, which would send everything twice. Raises `OutboxUnusable`."""
    beside = path.with_name(f"{path.name}.lock")
    try:
        lock = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as wrong:
        raise OutboxUnusable(f"{beside}: {wrong.strerror}") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OutboxUnusable(f"{path}: another process sends from it; one table has one") from None
        yield
    finally:
        os.close(lock)


class Outbox:
    """One thread's connection."""

    def __init__(self, path: Path) -> None:
        """Make the file where there is none, for its owner alone. Raises `OutboxUnusable`."""
        try:
            make_private(path)
            self._connection = connect(path, busy_s=BUSY_S)
            self._connection.row_factory = Row
            make_durable(self._connection, Durability.FULL)
            self._connection.executescript(_SCHEMA)
        except (OSError, SqliteError) as wrong:
            raise OutboxUnusable(f"{path}: {wrong}") from None

    def close(self) -> None:
        """This thread is done with it."""
        self._connection.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """All of it is durable after this, or nothing."""
        with transaction(self._connection):
            yield

    # --- the stream -------------------------------------------------------------------------------------------------

    def place(self) -> Place | None:
        """How far the stream has been read; None before the first time."""
        row = self._connection.execute("SELECT * FROM place").fetchone()
        return None if row is None else Place(**{field.name: row[field.name] for field in fields(Place)})

    def keep(self, place: Place) -> None:
        """It has been read so far; within `together`."""
        values = {field.name: getattr(place, field.name) for field in fields(Place)}
        self._connection.execute("DELETE FROM place")
        self._insert("place", {"one": 1, **values})

    def urgencies(self) -> dict[str, str]:
        """How urgent it was with each disk when it was told last, by what it holds."""
        rows = self._connection.execute("SELECT holds, urgency FROM disk")
        return {row["holds"]: row["urgency"] for row in rows}

    def keep_urgency(self, holds: str, urgency: str) -> None:
        """It is told. Within `together`."""
        self._connection.execute(
            "INSERT INTO disk (holds, urgency) VALUES (?, ?)"
            " ON CONFLICT (holds) DO UPDATE SET urgency = excluded.urgency",
            (holds, urgency),
        )

    def add(self, message: Message) -> None:
        """To be sent; one that is there already stays as it is, but for the journal, which may be another one by now.
        Within `together`."""
        values = {field.name: getattr(message, field.name) for field in fields(Message) if field.name != "number"}
        self._insert("message", values, "ON CONFLICT (id) DO UPDATE SET journal = excluded.journal")

    def spare(self, journal: int, subject: str, at_us: int) -> None:
        """The subject was over at that time: what would have been told of it later is not. Within `together`."""
        self._connection.execute(
            "UPDATE message SET state = ?, done_us = ? WHERE state = ? AND journal = ? AND subject = ? AND tries = 0"
            " AND due_us > at_us AND due_us > ?",
            (State.SPARED, at_us, State.WAITS, journal, subject, at_us),
        )

    def supersede(self, target: str, subject: str, at_us: int) -> None:
        """What waits for this target about the subject is not needed: something newer says more. Within `together`."""
        self._connection.execute(
            "UPDATE message SET state = ?, done_us = ? WHERE state = ? AND target = ? AND subject = ?",
            (State.SPARED, at_us, State.WAITS, target, subject),
        )

    def adopt(self, record: str, journal: int) -> None:
        """A record of the journal before is in this one too, and so is what was told of it. Within `together`."""
        self._connection.execute(
            f"UPDATE message SET journal = ? WHERE {_OPEN} AND record = ?",
            (journal, record),
        )

    # --- sending ----------------------------------------------------------------------------------------------------

    def first(self, target: str) -> Message | None:
        """The one that goes next: targets are told everything in its order."""
        row = self._connection.execute(
            f"SELECT * FROM message WHERE target = ? AND {_OPEN} ORDER BY number LIMIT 1", (target,)
        ).fetchone()
        return None if row is None else _message(row)

    def begin(self, number: int, at_us: int) -> None:
        """The first byte may leave now; durable."""
        with self.together():
            self._connection.execute(
                "UPDATE message SET state = ?, began_us = ?, tries = tries + 1 WHERE number = ?",
                (State.SENDING, at_us, number),
            )

    def done(self, number: int, at_us: int) -> None:
        """Its target has taken it; what it said is not kept. Durable."""
        with self.together():
            self._connection.execute(
                "UPDATE message SET state = ?, done_us = ?, title = '', body = '' WHERE number = ?",
                (State.SENT, at_us, number),
            )

    def again(self, number: int, next_us: int) -> None:
        """Its target has not taken it, or did not say so: again, but not before `next_us`; durable."""
        with self.together():
            self._connection.execute(
                "UPDATE message SET state = ?, next_us = ? WHERE number = ?", (State.WAITS, next_us, number)
            )

    # --- looking ----------------------------------------------------------------------------------------------------

    def queues(self) -> tuple[Queue, ...]:
        """How it stands with every target that was ever told anything, by name."""
        rows = self._connection.execute(
            "SELECT target, sum(state = 'waits') AS waits, sum(state = 'sending') AS doubtful,"
            " sum(state = 'sent') AS sent, sum(state = 'spared') AS spared,"
            f" max(CASE WHEN {_OPEN} THEN tries ELSE 0 END) AS tries,"
            f" min(CASE WHEN {_OPEN} THEN due_us END) AS oldest_us FROM message GROUP BY target ORDER BY target"
        )
        return tuple(Queue(**dict(row)) for row in rows)

    def _insert(self, table: str, values: dict[str, Any], otherwise: str = "") -> None:
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        text = f"INSERT INTO {table} ({names}) VALUES ({marks}) {otherwise}"
        self._connection.execute(text, tuple(values.values()))


def _message(row: Row) -> Message:
    values = {field.name: row[field.name] for field in fields(Message)}
    return Message(**{**values, "state": State(values["state"]), "severity": Severity(values["severity"])})
