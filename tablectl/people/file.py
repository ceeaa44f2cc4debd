"""The file of accounts: one SQLite database, readable for its owner alone. The controller never opens it.

Secrets stand here as argon2id hashes, sessions and badges as digests. Written by the screens and by `tablectl people`,
which may run at the same time.
"""

from __future__ import annotations

import secrets
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tablectl.core.os_error_text import told
from tablectl.journal.sqlite_file import (
    Durability,
    SqliteError,
    Trouble,
    connect,
    make_durable,
    make_private,
    transaction,
    trouble,
    version_of,
)

VERSION: Final = 3
#: How long one process waits for the other one's transaction, in seconds.
BUSY_S: Final = 5.0
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_SCHEMA: Final = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    """CREATE TABLE accounts (
        name TEXT PRIMARY KEY, display TEXT NOT NULL, roles TEXT NOT NULL, password TEXT, pin TEXT,
        disabled INTEGER NOT NULL DEFAULT 0, must_change INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE TABLE badges (badge TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES accounts (name)) STRICT",
    """CREATE TABLE attempts (
        name TEXT NOT NULL, way TEXT NOT NULL, wrong INTEGER NOT NULL, at_us INTEGER NOT NULL,
        until_us INTEGER NOT NULL, PRIMARY KEY (name, way)
    ) STRICT""",
    """CREATE TABLE sessions (
        digest TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES accounts (name), place TEXT NOT NULL,
        opened_us INTEGER NOT NULL, active_us INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE access (
        number INTEGER PRIMARY KEY, at TEXT NOT NULL, what TEXT NOT NULL, who TEXT NOT NULL, role TEXT NOT NULL,
        about TEXT NOT NULL, granted INTEGER NOT NULL, digest TEXT NOT NULL
    ) STRICT""",
)
#: What each later version has besides, by the one that it follows.
_CHANGES: Final = {
    1: (
        "CREATE TABLE refusals (number INTEGER PRIMARY KEY, why TEXT NOT NULL) STRICT",
        "CREATE TABLE series (first INTEGER PRIMARY KEY, id TEXT NOT NULL) STRICT",
        "INSERT INTO series SELECT 1, value FROM meta WHERE key = 'id'",
    ),
    2: ("ALTER TABLE accounts ADD COLUMN given_us INTEGER NOT NULL DEFAULT 0",),
}
#: Without a version of their own: a program that does not know them leaves them alone, so an upgrade can be taken back.
_BESIDES: Final = (
    """CREATE TABLE IF NOT EXISTS alarm_views (
        digest TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES accounts (name), until_us INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE IF NOT EXISTS languages (
        name TEXT PRIMARY KEY REFERENCES accounts (name), language TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE IF NOT EXISTS known_browsers (
        digest TEXT NOT NULL, name TEXT NOT NULL REFERENCES accounts (name), at_us INTEGER NOT NULL,
        PRIMARY KEY (digest, name)
    ) STRICT""",
    """CREATE TABLE IF NOT EXISTS passkeys (
        credential TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES accounts (name), key TEXT NOT NULL,
        rp TEXT NOT NULL, label TEXT NOT NULL, added_us INTEGER NOT NULL
    ) STRICT""",
)
#: Who makes the folder that is missing.
_FOLDER: Final = (
    "that folder, which `tablectl setup` makes for a new table, and the accounts' service at its start"
    " (systemctl start tablectl-accounts@TABLE)"
)
Value = str | int | None


class PeopleUnusable(Exception):
    """The file of accounts cannot be used. The text says why, and what would be right."""


class PeopleFile:
    """The database, made where it is not there yet. Raises `PeopleUnusable`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._depth = 0
        try:
            _made_for_the_owner(path)
            # One connection for all threads of the process; the lock keeps them apart.
            self._base = connect(path, busy_s=BUSY_S, is_shared=True)
            self._prepare()
        except FileNotFoundError:
            what = f"the file of accounts {path}: there is no folder {path.parent}"
            raise PeopleUnusable(f"{what}; would be right: {_FOLDER}") from None
        except OSError as wrong:
            raise PeopleUnusable(f"the file of accounts {told(wrong, 'a file', path)}") from None
        except SqliteError as wrong:
            is_away = trouble(wrong) is not Trouble.DAMAGED  # locked, or not to be written: nothing is lost
            right = "the same once more, by its owner" if is_away else "the file from its backup (tablectl restore)"
            raise PeopleUnusable(f"the file of accounts {path}: {wrong}; would be right: {right}") from None

    def _prepare(self) -> None:
        make_durable(self._base, Durability.FULL)
        self._base.execute("PRAGMA foreign_keys = ON")
        with self.transaction():
            found = version_of(self._base)
            if found == 0:
                for statement in _SCHEMA:
                    self._base.execute(statement)
                self.write("INSERT INTO meta VALUES ('id', ?)", secrets.token_hex(16))
                found = 1
            while found in _CHANGES:
                for statement in _CHANGES[found]:
                    self._base.execute(statement)
                found += 1
                self._base.execute(f"PRAGMA user_version = {found}")
            if found != VERSION:
                raise PeopleUnusable(
                    f"{self.path}: version {found} of the file of accounts; this program knows {VERSION}"
                )
            for statement in _BESIDES:
                self._base.execute(statement)

    @property
    def id(self) -> str:
        """Which file of accounts this is: 16 bytes at random, in hex."""
        return str(self.rows("SELECT id FROM series ORDER BY first DESC LIMIT 1")[0][0])

    def begin_series(self, first: int) -> str:
        """From this number of the record on, this is another file than its copies are; its new `id`."""
        made = secrets.token_hex(16)
        self.write("INSERT OR REPLACE INTO series VALUES (?, ?)", first, made)
        return made

    @property
    def series(self) -> dict[int, str]:
        """What the file was called, by the first number of the record from which on it was; in order."""
        return {
            int(first or 0): str(series) for first, series in self.rows("SELECT first, id FROM series ORDER BY first")
        }

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing; one inside another is part of it."""
        with self._lock:
            if self._depth:
                yield
                return
            try:
                with transaction(self._base):
                    self._depth = 1
                    yield
            finally:
                self._depth = 0

    def rows(self, statement: str, *values: Value) -> list[tuple[str | int | None, ...]]:
        """What is there."""
        with self._lock:
            return self._base.execute(statement, values).fetchall()

    def write(self, statement: str, *values: Value) -> int:
        """Change something; how many rows it was."""
        with self._lock:
            return self._base.execute(statement, values).rowcount

    def close(self) -> None:
        """No more of it."""
        with self._lock:
            self._base.close()


def _made_for_the_owner(path: Path) -> None:
    """SQLite gives its own files beside it the same mode."""
    make_private(path)
    mode = path.stat().st_mode
    if mode & _OTHERS:
        raise PeopleUnusable(f"{path}: others may read or write it ({mode & 0o777:o}); would be right: chmod 600")
