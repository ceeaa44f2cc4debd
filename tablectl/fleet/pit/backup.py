"""A copy of the pit server's store, made while the server runs, and put back.

Of a file it is a file of the same kind, made by SQLite. Of a PostgreSQL database it is made by `pg_dump` and put back
by `pg_restore`: an administrator can do the same by hand. A store that was put back has less than it acknowledged: its
own epoch is raised, and the tables send the rest again.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import msgspec
import psycopg

from tablectl.fleet.pit.conninfo import conninfo_of
from tablectl.fleet.pit.opening import conninfo, opened, password_of
from tablectl.fleet.pit.postgres_store import revision_in, told
from tablectl.fleet.pit.schema import migrate
from tablectl.fleet.pit.settings import PitSection
from tablectl.fleet.pit.sqlite_store import SqliteStore, copy_file
from tablectl.fleet.pit.store import PitStore, Restores, StoreUnusable
from tablectl.fleet.pit.verification import Span, verify_span
from tablectl.journal.whole_file import sync_folder

#: With what a copy begins.
_OF_SQLITE: Final = b"SQLite format 3\0"
_OF_PG_DUMP: Final = b"PGDMP"


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What is in a store that was put back."""

    tables: int
    records: int
    restores: Restores


def back_up(settings: PitSection, path: Path) -> int:
    """A new file with everything that is durable now, for its owner alone; how many bytes it has. It has its name when
    it was read again and is whole. Raises `StoreUnusable`."""
    if path.exists():
        raise StoreUnusable(f"{path} is there already; name a new file")
    with _unfinished(path) as made:
        if settings.database:
            _dump(settings, made)
        else:
            copy_file(settings.store, made)
            _check_newest(made)
        size = made.stat().st_size
        _put_in_place(made, path)
    return size


def restore(settings: PitSection, path: Path, at: str) -> Restored:
    """What is in a copy, into a store that is not there yet. Raises `StoreUnusable`."""
    kind = _kind(path)
    if bool(settings.database) != (kind == _OF_PG_DUMP):
        raise StoreUnusable(f"{path} is a copy of the other kind of store; set pit.database accordingly")
    if settings.database:
        _load(settings, path)
        with opened(settings) as store:
            return _noted(store, at)
    beside = [settings.store.with_name(f"{settings.store.name}{ending}") for ending in ("", "-wal", "-shm")]
    there = [str(one) for one in beside if one.exists()]
    if there:
        raise StoreUnusable(f"there is a store already; end the server, and move it away: {' '.join(there)}")
    with _unfinished(settings.store) as made:
        copy_file(path, made)
        with opened(msgspec.structs.replace(settings, store=made)) as store:
            found = _noted(store, at)
        _put_in_place(made, settings.store)
    return found


def _noted(store: PitStore, at: str) -> Restored:
    heads = [store.head(table).position.seq for table in store.tables()]
    return Restored(tables=len(heads), records=sum(heads), restores=store.note_restore(at))


def _check_newest(made: Path) -> None:
    """The newest record of each table is in the copy, and is the right one."""
    with closing(SqliteStore.read(made)) as store:
        for table in store.tables():
            head = store.head(table).position
            found = verify_span(store, table, Span(after=max(0, head.seq - 1), to=head.seq, ends=head.hash))
            if found.fault:
                raise StoreUnusable(
                    f"{table.name}: {found.fault}; nothing was copied; run `tablectl pit verify CONFIG`"
                )


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """Where a file is made that is to have this name in the end; it is gone where that failed."""
    made = path.with_name(f"{path.name}.unfinished")
    try:
        made.unlink(missing_ok=True)
        yield made
    except OSError as wrong:
        raise StoreUnusable(f"{path}: {wrong.strerror or wrong}; name a file that this user can write") from None
    finally:
        for ending in ("", "-wal", "-shm"):
            made.with_name(f"{made.name}{ending}").unlink(missing_ok=True)


def _put_in_place(made: Path, path: Path) -> None:
    made.rename(path)
    sync_folder(path.parent)


def _kind(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            begins = file.read(len(_OF_SQLITE))
    except OSError as wrong:
        raise StoreUnusable(f"{path}: {wrong.strerror}; name a file that `tablectl pit backup` made") from None
    kind = next((kind for kind in (_OF_SQLITE, _OF_PG_DUMP) if begins.startswith(kind)), None)
    if kind is None:
        raise StoreUnusable(f"{path}: not a file that `tablectl pit backup` made")
    return kind


# --- PostgreSQL -----------------------------------------------------------------------------------------------------


def _dump(settings: PitSection, made: Path) -> None:
    os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    # Codes for enrolment are good for minutes: they have no place in a copy.
    _run(
        settings,
        "pg_dump",
        "--format=custom",
        "--exclude-table-data=codes",
        f"--file={made}",
        f"--dbname={_of(settings)}",
    )
    _run(settings, "pg_restore", "--file=/dev/null", str(made))
    with made.open("rb") as file:
        os.fsync(file.fileno())


def _load(settings: PitSection, path: Path) -> None:
    with told(), closing(psycopg.connect(conninfo(settings))) as connection:
        if revision_in(connection):
            raise StoreUnusable(
                "the database has a pit server's schema already; make an empty one (createdb), and name it"
            )
    _run(
        settings,
        "pg_restore",
        "--single-transaction",
        "--exit-on-error",
        "--no-owner",
        "--no-privileges",
        f"--dbname={_of(settings)}",
        str(path),
    )
    migrate(conninfo(settings))


def _of(settings: PitSection) -> str:
    """How the database is reached, without the password: other users see with what a program was called."""
    return conninfo_of(settings.database)


def _run(settings: PitSection, *words: str) -> None:
    password = password_of(settings)
    environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
    try:
        subprocess.run(words, env=environment, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError:
        raise StoreUnusable(f"{words[0]} is not installed: apt install postgresql-client") from None
    except subprocess.CalledProcessError as wrong:
        raise StoreUnusable(f"{words[0]}: {' '.join(wrong.stderr.split())}") from None
