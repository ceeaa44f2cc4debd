"""Brings a PostgreSQL database to the schema of this program, and gives each role what it needs (docs/fleet.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
import psycopg
from alembic import command
from alembic.config import Config
from psycopg import sql
from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from tablectl.fleet.pit.postgres_store import SCHEMA, NoSchema, other_schema, revision_in, told
from tablectl.fleet.pit.store import StoreUnusable

MIGRATIONS: Final = Path(__file__).with_name("migrations")
#: So long a change waits for those who use a table, in milliseconds: who comes after it would wait for it.
LOCK_MS: Final = 1_000

INGEST: Final = "tablectl_pit_ingest"
PACK: Final = "tablectl_pit_pack"
READ: Final = "tablectl_pit_read"

#: What each role may do beside reading. Nobody changes a record; who packs may replace it by the chunk that has it.
RIGHTS: Final = {
    INGEST: {
        "tables": "INSERT, UPDATE",
        "epochs": "INSERT, UPDATE",
        "hands": "INSERT, UPDATE",
        "records": "INSERT",
        "chunks": "INSERT",
        "quarantine": "INSERT",
        "codes": "INSERT, UPDATE, DELETE",
        "last_values": "INSERT, UPDATE, DELETE",
    },
    PACK: {"records": "DELETE", "chunks": "INSERT"},
    READ: {},
}
#: Not for readers: who has a code can enrol a table.
_SECRET: Final = "codes"


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """A program, as far as its database goes: the folder of its migrations, and the newest of them."""

    migrations: Path = MIGRATIONS
    schema: str = SCHEMA


OURS: Final = Release()


class Migrated(msgspec.Struct, frozen=True, kw_only=True):
    """The schema before and after, and the roles that are missing: whoever may make them has to."""

    before: str
    after: str
    missing: tuple[str, ...]


def migrate(conninfo: str, to: Release = OURS) -> Migrated:
    """Bring the database to the schema of a release, and the roles to their rights. Raises `StoreUnusable`."""
    with told(), psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext('tablectl pit migrate'))")
        before = revision_in(connection)
        if before > to.schema:
            raise NoSchema(other_schema(before))
        _upgrade(conninfo, to)
        with connection.transaction():
            missing = _grant(connection)
        return Migrated(before=before, after=revision_in(connection), missing=missing)


def _upgrade(conninfo: str, to: Release) -> None:
    config = Config()
    config.set_main_option("script_location", str(to.migrations).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo), poolclass=NullPool)
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {LOCK_MS}")
            config.attributes["connection"] = connection
            command.upgrade(config, to.schema)
    except SQLAlchemyError as wrong:
        said = " ".join(str(getattr(wrong, "orig", None) or wrong).split())
        raise StoreUnusable(f"the database: {said}; nothing was changed") from None


def _grant(connection: psycopg.Connection) -> tuple[str, ...]:
    """The roles that are missing, and could not be made."""
    (may_make,) = connection.execute(
        "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
    ).fetchone() or (False,)
    there = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles").fetchall()}
    missing = [name for name in RIGHTS if name not in there]
    if may_make:
        for name in missing:
            connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(name)))
        missing = []
    for name, rights in RIGHTS.items():
        if name not in missing:
            _grant_to(connection, name, rights)
    return tuple(missing)


def _grant_to(connection: psycopg.Connection, name: str, rights: dict[str, str]) -> None:
    """Just these rights, and no older ones."""
    role = sql.Identifier(name)
    connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(_schema(connection), role))
    tables = sql.SQL("ALL TABLES IN SCHEMA {}").format(_schema(connection))
    connection.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(tables, role))
    connection.execute(sql.SQL("GRANT SELECT ON {} TO {}").format(tables, role))
    if name != INGEST:
        connection.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(sql.Identifier(_SECRET), role))
    for table, what in rights.items():
        connection.execute(sql.SQL("GRANT {} ON {} TO {}").format(sql.SQL(what), sql.Identifier(table), role))


def _schema(connection: psycopg.Connection) -> sql.Identifier:
    (name,) = connection.execute("SELECT current_schema()").fetchone() or ("public",)
    return sql.Identifier(name)
