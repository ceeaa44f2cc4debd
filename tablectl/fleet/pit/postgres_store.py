"""The pit server's store in PostgreSQL: for many tables, several ingest processes, and readers of their own.

The schema is that of the migrations (`migrations/`). Bytes are kept as they came (`bytea`), rows come by binary COPY.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Final, Self

import psycopg
from psycopg.rows import tuple_row

from tablectl.fleet.pit.sql_store import COLUMNS, Row, SqlStore, Upsert
from tablectl.fleet.pit.store import StoreUnusable

#: The newest migration: what this program reads and writes.
SCHEMA: Final = "0001"

_TYPES: Final = {
    "table_id": "int4",
    "restores": "int4",
    "kind": "text",
    "at": "text",
    "received": "text",
    "public": "bytea",
    "signature": "bytea",
    "hash": "bytea",
    "last_hash": "bytea",
    "packed": "bytea",
    "origin": "text",
    "head_hash": "bytea",
    "head_at": "text",
    "began": "text",
    "ended": "text",
    "body": "bytea",
}
#: Of an advisory lock: "tcPi", so that others who use the database do not meet it by chance.
_PACKING: Final = 0x74635069


class NoSchema(StoreUnusable):
    """The database has another schema than that of this program. The text says which command helps."""


class PostgresStore(SqlStore):
    """`PitStore` in a database. Where it is away, whoever asks is told (`StoreUnusable`), and the next one tries to
    connect anew."""

    def __init__(self, conninfo: str) -> None:
        super().__init__()
        self._conninfo = conninfo
        self._connection: psycopg.Connection[Row] | None = None
        #: the connection of the transaction that is open: what belongs to it runs on no other
        self._held: psycopg.Connection[Row] | None = None

    @classmethod
    def open(cls, conninfo: str) -> Self:
        """`conninfo`: as libpq takes it, an address or `key=value` words. Raises `StoreUnusable`."""
        store = cls(conninfo)
        store._connected()
        return store

    def close(self) -> None:
        """Use it no more."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @property
    def may_pack(self) -> bool:
        """Whether the database lets this user replace rows by chunks."""
        ((may,),) = self._all(
            "SELECT has_table_privilege('records', 'DELETE') AND has_table_privilege('chunks', 'INSERT')"
        )
        return bool(may)

    # --- what `SqlStore` needs --------------------------------------------------------------------------------------

    def _all(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        try:
            return self._fetched(sql, params)
        except StoreUnusable:
            if self._held is not None or not self._is_broken or not sql.startswith("SELECT"):
                raise
        return self._fetched(sql, params)  # reading once more changes nothing

    def _fetched(self, sql: str, params: Sequence[object]) -> list[Row]:
        with self._cursor() as cursor:
            return cursor.execute(_statement(sql), params).fetchall()

    def _run(self, sql: str, params: Sequence[object] = ()) -> int:
        with self._cursor() as cursor:
            return cursor.execute(_statement(sql), params).rowcount

    def _upsert(self, into: Upsert, rows: Sequence[Row]) -> None:
        """One statement with a list for each column, where many would each be planned and answered."""
        lists = ", ".join(f"?::{_type(column)}[]" for column in into.columns)
        self._run(into.sql(f"SELECT * FROM unnest({lists})"), [list(values) for values in zip(*rows, strict=True)])

    def _append_rows(self, table: str, rows: Sequence[Row]) -> None:
        with self._cursor() as cursor, cursor.copy(_statement(_copy_of(table))) as copy:
            copy.set_types([_type(column) for column in COLUMNS[table]])
            for row in rows:
                copy.write_row(row)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        connection = self._held = self._begun()
        try:
            yield
            with told():
                ended = connection.execute("COMMIT").statusmessage
            if ended != "COMMIT":  # PostgreSQL says so where a statement before failed
                raise StoreUnusable("the database: nothing of this transaction was kept")
        except BaseException:
            with suppress(psycopg.Error):
                connection.execute("ROLLBACK")
            raise
        finally:
            self._held = None

    def _hold(self, ids: Sequence[int]) -> None:
        """Their rows in `tables`, since a table that sent nothing yet has no other. They are locked in this order."""
        self._all("SELECT id FROM tables WHERE id = ANY(?::int4[]) ORDER BY id FOR NO KEY UPDATE", ([*ids],))

    def rows(self) -> int:
        """As PostgreSQL counted them last for itself: to count them now would read all of them."""
        return int(self._all("SELECT greatest(0, reltuples)::int8 FROM pg_class WHERE oid = 'records'::regclass")[0][0])

    def _hold_packing(self) -> None:
        """By a lock that needs no right to write."""
        self._all("SELECT pg_advisory_xact_lock(?)", (_PACKING,))

    # --- the connection ---------------------------------------------------------------------------------------------

    @contextmanager
    def _cursor(self) -> Iterator[psycopg.Cursor[Row]]:
        with told(), self._connected().cursor(binary=True) as cursor:
            yield cursor

    def _begun(self) -> psycopg.Connection[Row]:
        """A connection on which a transaction began: one that broke while nobody used it is made anew."""
        try:
            return self._begin()
        except psycopg.OperationalError:
            with told():
                return self._begin()

    def _begin(self) -> psycopg.Connection[Row]:
        connection = self._connected()
        connection.execute("BEGIN")
        return connection

    @property
    def _is_broken(self) -> bool:
        """Whether there was a connection, and the database went away."""
        return self._connection is not None and self._connection.closed

    def _connected(self) -> psycopg.Connection[Row]:
        """The connection; a new one where there is none or it broke. Raises `StoreUnusable`."""
        if self._held is not None:
            return self._held
        if self._connection is not None and not self._connection.closed:
            return self._connection
        with told():
            connection = psycopg.connect(self._conninfo, autocommit=True, row_factory=tuple_row)
        try:
            with told():
                _check(connection)
        except StoreUnusable:
            connection.close()
            raise
        self._connection = connection
        return connection


def _check(connection: psycopg.Connection[Row]) -> None:
    """That the schema is the one of this program, and that what is committed is on a disk. Raises `StoreUnusable`."""
    found = revision_in(connection)
    if found != SCHEMA:
        raise NoSchema(other_schema(found))
    (fsync, commit) = connection.execute(
        "SELECT current_setting('fsync'), current_setting('synchronous_commit')"
    ).fetchone() or ("", "")
    if fsync != "on":
        raise StoreUnusable(
            "the database does not write to its disk what is committed (fsync = off): no record would be durable; set"
            " fsync = on in postgresql.conf"
        )
    if commit == "off":
        connection.execute("SET synchronous_commit = on")


def revision_in(connection: psycopg.Connection[Row]) -> str:
    """The newest migration of a database; empty where there is none."""
    (there,) = connection.execute("SELECT to_regclass('alembic_version') IS NOT NULL").fetchone() or (False,)
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone() if there else None
    return "" if row is None else str(row[0])


def other_schema(found: str) -> str:
    if not found:
        return "the database has no schema of a pit server; make it with `tablectl pit migrate CONFIG`"
    if found < SCHEMA:
        return (
            f"the database has schema {found}, and this program needs {SCHEMA}; bring it there with"
            " `tablectl pit migrate CONFIG`"
        )
    return f"the database has schema {found}, and this program knows {SCHEMA} alone; install the newer release"


@contextmanager
def told() -> Iterator[None]:
    """What goes wrong with the database is `StoreUnusable`. A value that it does not take is another matter: then what
    was checked was not checked well enough."""
    try:
        yield
    except psycopg.DataError:
        raise
    except psycopg.Error as wrong:
        said = " ".join(str(wrong).split()) or type(wrong).__name__
        if isinstance(wrong, psycopg.errors.InsufficientPrivilege):
            said += "; grant its user the role for this (docs/fleet.md, The database)"
        raise StoreUnusable(f"the database: {said}") from None


@cache
def _statement(sql: str) -> bytes:
    """As psycopg writes its placeholders."""
    return sql.replace("%", "%%").replace("?", "%s").encode()


def _type(column: str) -> str:
    """Most of them are numbers."""
    return _TYPES.get(column, "int8")


def _copy_of(table: str) -> str:
    return f"COPY {table} ({', '.join(COLUMNS[table])}) FROM STDIN (FORMAT BINARY)"
