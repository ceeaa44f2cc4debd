"""Opens the store that a configuration names: the one way for every command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tablectl.fleet.pit.conninfo import conninfo_of
from tablectl.fleet.pit.postgres_store import PostgresStore
from tablectl.fleet.pit.settings import PitSection
from tablectl.fleet.pit.sql_store import SqlStore
from tablectl.fleet.pit.sqlite_store import SqliteStore
from tablectl.fleet.pit.store import StoreUnusable


@contextmanager
def opened(settings: PitSection) -> Iterator[SqlStore]:
    """The store, which is closed afterwards. Raises `StoreUnusable`, and `OSError` where the file with the database's
    password cannot be read."""
    store = _open(settings)
    try:
        yield store
    finally:
        store.close()


def _open(settings: PitSection) -> SqlStore:
    return PostgresStore.open(conninfo(settings)) if settings.database else SqliteStore.open(settings.store)


def conninfo(settings: PitSection) -> str:
    """How the database is reached. Raises `StoreUnusable` where it is a file, and `OSError` where the file with the
    password cannot be read."""
    if not settings.database:
        raise StoreUnusable("records are kept in a file (pit.store), which has its schema by itself")
    return conninfo_of(settings.database, password_of(settings))


def password_of(settings: PitSection) -> str:
    """Empty where no file has one. Raises `OSError`."""
    path = settings.database_password
    return "" if path is None else path.read_text(encoding="utf-8").strip()
