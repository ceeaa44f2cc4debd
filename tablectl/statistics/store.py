"""The statistics' own file: SQLite, derived from public records. It is made again from record 1 whenever it is missing,
of another version, or damaged; nothing is lost with it. After another journal it is kept beside the new one: it is
evidence of what the journal had before.

One connection for all threads, with a lock: a page that reads waits for one batch of records at most.
"""

from __future__ import annotations

import glob
import threading
from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime
from heapq import merge
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import msgspec

from tablectl.core.disk_room import Space
from tablectl.journal.sqlite_file import (
    INDEX,
    LOG,
    Connection,
    Durability,
    SqliteError,
    application_of,
    beside,
    connect,
    is_empty,
    is_sound,
    make_durable,
    transaction,
    version_of,
)
from tablectl.statistics.alarm_rows import AlarmRow, DiskRow, disk_rows
from tablectl.statistics.folding import Changes, Totals
from tablectl.statistics.rows import FloatRow, HandRow, IncidentRow, PhaseRow

#: "tcst": no other program's file is ever written over.
_APPLICATION: Final = 0x74637374
#: Another number makes every file anew.
_VERSION: Final = 7
_SCHEMA: Final = """
CREATE TABLE book (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL);
CREATE TABLE hands (
    hand INTEGER PRIMARY KEY, game TEXT NOT NULL, opened_us INTEGER NOT NULL, closed_us INTEGER,
    croupier TEXT NOT NULL, void TEXT NOT NULL, cards INTEGER NOT NULL, presses INTEGER NOT NULL,
    bank_net INTEGER, fee INTEGER, float_expected INTEGER, currency TEXT NOT NULL, currency_exponent INTEGER
) STRICT;
CREATE INDEX hands_by_time ON hands (opened_us);
CREATE TABLE incidents (
    incident INTEGER PRIMARY KEY, hand INTEGER NOT NULL, clause TEXT NOT NULL, severity TEXT NOT NULL,
    raised_us INTEGER NOT NULL, croupier TEXT NOT NULL, device TEXT NOT NULL,
    acknowledged_us INTEGER, acknowledged_by TEXT NOT NULL,
    closed_us INTEGER, closed_by TEXT NOT NULL, remedy TEXT NOT NULL,
    of_croupier INTEGER NOT NULL, withdrawn INTEGER NOT NULL
) STRICT;
CREATE INDEX incidents_by_time ON incidents (raised_us);
CREATE TABLE floats (
    seq INTEGER PRIMARY KEY, hand INTEGER NOT NULL, at_us INTEGER NOT NULL, act TEXT NOT NULL, amount INTEGER NOT NULL,
    counted_on INTEGER, expected INTEGER, by TEXT NOT NULL, second TEXT NOT NULL,
    chips TEXT NOT NULL, currency TEXT NOT NULL, currency_exponent INTEGER
) STRICT;
CREATE INDEX floats_by_time ON floats (at_us);
CREATE TABLE alarms (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, about TEXT NOT NULL, raised_us INTEGER NOT NULL,
    losses INTEGER NOT NULL, part_of INTEGER, answered_us INTEGER, answered_by TEXT NOT NULL, over_us INTEGER
) STRICT;
CREATE INDEX alarms_by_time ON alarms (raised_us);
CREATE TABLE disks (
    number INTEGER PRIMARY KEY, holds TEXT NOT NULL, raised_us INTEGER NOT NULL, over_us INTEGER
) STRICT;
CREATE TABLE phases (
    hand INTEGER NOT NULL, place INTEGER NOT NULL, phase TEXT NOT NULL, lasted_us INTEGER NOT NULL,
    PRIMARY KEY (hand, place)
) STRICT, WITHOUT ROWID;
"""
_HANDS: Final = tuple(field.name for field in fields(HandRow))
_INCIDENTS: Final = tuple(field.name for field in fields(IncidentRow))
_FLOATS: Final = tuple(field.name for field in fields(FloatRow))
_PHASES: Final = tuple(field.name for field in fields(PhaseRow))
_HAND_VALUES: Final = attrgetter(*_HANDS)
_INCIDENT_VALUES: Final = attrgetter(*_INCIDENTS)
_FLOAT_VALUES: Final = attrgetter(*_FLOATS)
_ALARMS: Final = tuple(field.name for field in fields(AlarmRow))
_ALARM_VALUES: Final = attrgetter(*_ALARMS)
_DISKS: Final = tuple(field.name for field in fields(DiskRow))
_DISK_VALUES: Final = attrgetter(*_DISKS)
_PHASE_VALUES: Final = attrgetter(*_PHASES)


#: In the name of a file of another journal, before the time at which it was seen.
KEPT: Final = "another-journal"
_BESIDE: Final = (LOG, INDEX)
_NAMED: Final = "%Y%m%dT%H%M%SZ"
#: How long another program's transaction is waited for, in seconds.
_BUSY_S: Final = 2.0


class NotStatistics(Exception):
    """The file is there, and it is none of ours: it is left as it is."""


class Store:
    """Rows and totals. `path` None: in memory, as long as the process runs."""

    def __init__(self, path: Path | None) -> None:
        """Open or make it. Raises `NotStatistics`, or `OSError` where there can be no such file."""
        self._path = path
        self._lock = threading.Lock()
        self._connection = self._opened()

    def close(self) -> None:
        """The file is whole at any moment; this only lets go of it."""
        with self._lock:
            self._connection.close()

    def totals(self) -> Totals:
        """How far it is folded."""
        with self._lock:
            row = self._connection.execute("SELECT state FROM book").fetchone()
        return Totals() if row is None else msgspec.json.decode(row[0], type=Totals)

    def keep(self, totals: Totals, changes: Changes) -> None:
        """Rows and the totals after them, both or none."""
        with self._lock, transaction(self._connection):
            connection = self._connection
            connection.executemany(_insert("hands", _HANDS), map(_HAND_VALUES, changes.hands.values()))
            connection.executemany(_insert("incidents", _INCIDENTS), map(_INCIDENT_VALUES, changes.incidents.values()))
            connection.executemany(_insert("floats", _FLOATS), map(_FLOAT_VALUES, changes.floats.values()))
            connection.executemany(_insert("alarms", _ALARMS), map(_ALARM_VALUES, changes.alarms.values()))
            connection.executemany(_insert("phases", _PHASES), map(_PHASE_VALUES, changes.phases))
            never_were = [(number,) for number in changes.withdrawn]
            connection.executemany("UPDATE incidents SET withdrawn = 1 WHERE incident = ?", never_were)
            connection.execute("INSERT OR REPLACE INTO book VALUES (1, ?)", (msgspec.json.encode(totals).decode(),))

    def saw_disks(self, disks: Iterable[Space], now_us: int) -> bool:
        """The room on the disks, as it was seen at this moment; whether an alarm began or ended."""
        with self._lock, transaction(self._connection):
            select = f"SELECT {', '.join(_DISKS)} FROM disks"
            found = self._connection.execute(f"{select} WHERE over_us IS NULL").fetchall()
            ((last,),) = self._connection.execute("SELECT coalesce(max(number), 0) FROM disks").fetchall()
            changed = disk_rows(map(_disk_row, found), disks, now_us, last + 1)
            self._connection.executemany(_insert("disks", _DISKS), map(_DISK_VALUES, changed))
        return bool(changed)

    def set_aside(self, at_us: int) -> None:
        """Begin anew, of another journal. The file is kept under another name. Raises `OSError`, `SqliteError`."""
        with self._lock:
            if self._path is None:
                self._connection.close()
                self._connection = self._opened()
                return
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.close()
            kept = _free_name(self._path, at_us)
            try:
                for end in ("", *_BESIDE):
                    if (part := beside(self._path, end)).exists():
                        part.rename(beside(kept, end))
            finally:
                self._connection = self._opened()

    def kept(self) -> tuple[Path, ...]:
        """The files of journals that were there before, as long as nobody has moved them away; the newest one last."""
        if self._path is None:
            return ()
        found = self._path.parent.glob(f"{glob.escape(self._path.name)}.{KEPT}-*")
        return tuple(sorted(path for path in found if not path.name.endswith(_BESIDE)))

    def hands(self, from_us: int, to_us: int) -> tuple[HandRow, ...]:
        """Hands that were opened in a span of time, its end not included, in their order."""
        found = self._rows("SELECT * FROM hands WHERE opened_us >= ? AND opened_us < ? ORDER BY hand", from_us, to_us)
        return tuple(HandRow(**dict(zip(_HANDS, pair, strict=True))) for pair in found)

    def incidents(self, from_us: int, to_us: int) -> tuple[IncidentRow, ...]:
        """Incidents that were raised in a span of time, its end not included, in their order."""
        sql = "SELECT * FROM incidents WHERE raised_us >= ? AND raised_us < ? ORDER BY incident"
        return tuple(IncidentRow(**dict(zip(_INCIDENTS, row, strict=True))) for row in self._rows(sql, from_us, to_us))

    def floats(self, from_us: int, to_us: int) -> tuple[FloatRow, ...]:
        """Entries of the float in a span of time, its end not included, in their order."""
        found = self._rows("SELECT * FROM floats WHERE at_us >= ? AND at_us < ? ORDER BY seq", from_us, to_us)
        return tuple(FloatRow(**dict(zip(_FLOATS, pair, strict=True))) for pair in found)

    def alarms(self, from_us: int, to_us: int) -> tuple[AlarmRow, ...]:
        """Alarms that began in a span of time, its end not included, in their order; of a device that was lost again
        and again the one that stands for all. Those of disks, which no record says, among them by their times."""
        sql = "SELECT * FROM alarms WHERE raised_us >= ? AND raised_us < ? AND part_of IS NULL ORDER BY number"
        told = [AlarmRow(**dict(zip(_ALARMS, row, strict=True))) for row in self._rows(sql, from_us, to_us)]
        sql = f"SELECT {', '.join(_DISKS)} FROM disks WHERE raised_us >= ? AND raised_us < ? ORDER BY number"
        disks = [_disk_row(row).alarm for row in self._rows(sql, from_us, to_us)]
        return tuple(merge(told, disks, key=attrgetter("raised_us")))

    def phases(self, from_us: int, to_us: int) -> tuple[PhaseRow, ...]:
        """The phases of hands that were opened in a span of time, its end not included, in the order of the hands."""
        sql = (
            "SELECT phases.hand, place, phase, lasted_us FROM phases JOIN hands USING (hand)"
            " WHERE opened_us >= ? AND opened_us < ? ORDER BY phases.hand, place"
        )
        return tuple(PhaseRow(**dict(zip(_PHASES, row, strict=True))) for row in self._rows(sql, from_us, to_us))

    def words(self, from_us: int, to_us: int) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """The croupiers, devices and clauses that there are in a span of time; nobody and no device left out."""
        span = (from_us, to_us)
        dealt = self._rows("SELECT DISTINCT croupier FROM hands WHERE opened_us >= ? AND opened_us < ?", *span)
        raised = self._rows(
            "SELECT DISTINCT croupier, device, clause FROM incidents WHERE raised_us >= ? AND raised_us < ?", *span
        )
        croupiers = {name for (name,) in dealt} | {name for name, _, _ in raised}
        devices, clauses = {name for _, name, _ in raised}, {name for _, _, name in raised}
        return frozenset(croupiers - {""}), frozenset(devices - {""}), frozenset(clauses)

    def last_us(self) -> int | None:
        """When the last hand was opened, by its number and whatever the clock said before; None where there is none."""
        found = self._rows("SELECT opened_us FROM hands ORDER BY hand DESC LIMIT 1")
        return int(found[0][0]) if found else None

    def newest_us(self, before_us: int | None = None) -> int | None:
        """The latest time at which a hand was opened, before a moment where one is given; None where there is none."""
        where = "" if before_us is None else "WHERE opened_us < ?"
        values = () if before_us is None else (before_us,)
        ((found,),) = self._rows(f"SELECT max(opened_us) FROM hands {where}", *values)
        return None if found is None else int(found)

    def _rows(self, sql: str, *values: int) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(sql, values).fetchall()

    def _opened(self) -> Connection:
        if self._path is None:
            return _made(_connected(None))
        try:
            connection = _connected(self._path)
            application = application_of(connection)
            if not application and is_empty(connection):
                return _made(connection)
            if application != _APPLICATION:
                connection.close()
                raise NotStatistics(f"{self._path} is there already, and no statistics")
            if _is_well(connection):
                return connection
            connection.close()
        except SqliteError as wrong:
            if not _begins_as_ours(self._path):
                raise NotStatistics(f"{self._path}: {wrong}") from None
        for name in (self._path, *(beside(self._path, end) for end in _BESIDE)):
            name.unlink(missing_ok=True)
        return _made(_connected(self._path))


def _disk_row(row: tuple[Any, ...]) -> DiskRow:
    return DiskRow(**dict(zip(_DISKS, row, strict=True)))


def seen_us(kept: Path) -> int:
    """When it was seen that the journal is another one, in microseconds since the epoch, by the name under which a file
    is kept; 0 where the name does not say it."""
    said = kept.name.rpartition(f"{KEPT}-")[2].partition("-")[0]
    try:
        return int(datetime.strptime(said, _NAMED).replace(tzinfo=UTC).timestamp()) * 1_000_000
    except ValueError:
        return 0


def _free_name(path: Path, at_us: int) -> Path:
    """Under which a file is kept that is not that of this journal, seen then."""
    number, name = 1, f"{path.name}.{KEPT}-{datetime.fromtimestamp(at_us // 1_000_000, UTC):{_NAMED}}"
    while (free := path.with_name(name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return free


def _connected(path: Path | None) -> Connection:
    return connect(path, busy_s=_BUSY_S, is_shared=True)


def _made(connection: Connection) -> Connection:
    make_durable(connection, Durability.NORMAL)  # what a power cut takes is folded again
    connection.executescript(
        f"BEGIN; PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_VERSION}; {_SCHEMA} COMMIT;"
    )
    return connection


def _is_well(connection: Connection) -> bool:
    return is_sound(connection) and version_of(connection) == _VERSION


def _begins_as_ours(path: Path) -> bool:
    """Bytes 68 to 71 of an SQLite file are its application id (sqlite.org/fileformat2.html, 1.3)."""
    with path.open("rb") as file:
        return file.read(72)[68:] == _APPLICATION.to_bytes(4, "big")


def _insert(table: str, columns: tuple[str, ...]) -> str:
    return f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
