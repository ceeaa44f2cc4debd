"""What PostgreSQL alone has: a schema that is migrated, roles, several who write at once, a server that goes away."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from alembic.script import ScriptDirectory

import tablectl.fleet.pit.migrations
from simulators.fleet.casino import enrolled
from simulators.fleet.next_release import next_release
from tablectl.core.validation import Invalid
from tablectl.fleet.heads import Head
from tablectl.fleet.pit import postgres_store, schema
from tablectl.fleet.pit.ingest import Ingest
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.postgres_store import SCHEMA, PostgresStore
from tablectl.fleet.pit.schema import INGEST, PACK, READ, Release, migrate
from tablectl.fleet.pit.settings import load_pit
from tablectl.fleet.pit.sqlite_store import SqliteStore
from tablectl.fleet.pit.store import Quarantined, StoreUnusable
from tablectl.journal.store import GENESIS
from tests.fleet.chains import Chain
from tests.fleet.postgres import Cluster
from tests.fleet.test_store import AT, LATER, Server, served
from tests.waiting import until


@pytest.fixture
def database(cluster: Cluster) -> Iterator[str]:
    with cluster.database() as name:
        yield name


@pytest.fixture
def empty(cluster: Cluster) -> Iterator[str]:
    with cluster.database("empty") as name:
        yield name


@contextmanager
def store_of(cluster: Cluster, database: str, user: str = "owner") -> Iterator[PostgresStore]:
    with closing(PostgresStore.open(cluster.conninfo(database, user))) as store:
        yield store


def refused(cluster: Cluster, database: str, user: str, sql: str) -> bool:
    """Whether the database itself says no."""
    with psycopg.connect(cluster.conninfo(database, user)) as connection:
        try:
            connection.execute(sql.encode())
        except psycopg.errors.InsufficientPrivilege:
            return True
    return False


def test_who_takes_records_can_change_or_delete_none(cluster: Cluster, database: str) -> None:
    user = cluster.user_in(INGEST)
    with store_of(cluster, database, user) as store:
        server = served(store, 1_000)
        server.send(1, 100)
        server.send(101, 600)
        server.send(601, 1_000)
        server.send(601, 1_000)
        server.holds(server.chain)
        with store.writing() as writing:
            writing.quarantine(Quarantined(at=AT, table="mesa-1", seq=7, flaw="chain", why="wrong", body=b"\0"))
        assert store.revoke("mesa-1", AT)
        assert not store.may_pack
        with pytest.raises(StoreUnusable, match="grant its user the role"):
            store.pack(server.table, before=LATER)
    for sql in (
        "UPDATE records SET public = ''",
        "DELETE FROM records",
        "TRUNCATE records",
        "UPDATE chunks SET packed = ''",
        "DELETE FROM chunks",
        "DELETE FROM quarantine",
        "DELETE FROM epochs",
        "DELETE FROM tables",
        "UPDATE server SET epoch = 9",
    ):
        assert refused(cluster, database, user, sql), sql
    assert not refused(cluster, database, user, "SELECT count(*) FROM records")


def test_who_packs_replaces_rows_by_chunks_and_changes_nothing(cluster: Cluster, database: str) -> None:
    user = cluster.user_in(PACK)
    with store_of(cluster, database) as store, store_of(cluster, database, user) as packing:
        server = served(store, 150)
        server.send(1, 150)
        assert packing.may_pack
        assert packing.pack(server.table, before=LATER) == 150
        server.holds(server.chain)
    for sql in ("UPDATE records SET public = ''", "DELETE FROM chunks", "UPDATE epochs SET head_seq = 1"):
        assert refused(cluster, database, user, sql), sql


def test_who_reads_can_do_nothing_else_and_sees_no_code(cluster: Cluster, database: str) -> None:
    user = cluster.user_in(READ)
    with store_of(cluster, database) as store, store_of(cluster, database, user) as reading:
        server = served(store, 250)
        server.send(1, 250)
        assert len(list(reading.records(server.table))) == 250
        with pytest.raises(StoreUnusable, match="permission denied"):
            enrolled(reading, "mesa-2", bytes(32), AT)
        assert not reading.may_pack
    for sql in ("SELECT * FROM codes", "DELETE FROM records", "UPDATE tables SET revoked = ''"):
        assert refused(cluster, database, user, sql), sql


def test_two_who_write_wait_for_each_other_at_one_table_and_see_what_the_other_wrote(
    cluster: Cluster, database: str
) -> None:
    """Also of a table that has sent nothing yet."""
    seen: list[Head] = []
    with store_of(cluster, database) as first, store_of(cluster, database) as second:
        server = served(first, 20)

        def waits() -> None:
            with second.writing() as writing:
                writing.hold([server.table])
                seen.append(writing.head(server.table))

        with first.writing() as writing:
            writing.hold([server.table])
            writing.append(server.table, server.chain.batch(1, 20), 1, server.chain.body(1, 20), AT)
            waiting = threading.Thread(target=waits)
            waiting.start()
            until(lambda: _waits_for_a_lock(cluster, database))
            assert seen == []
        waiting.join(30)
    assert [head.position for head in seen] == [server.chain.newest]


def _waits_for_a_lock(cluster: Cluster, database: str) -> bool:
    with psycopg.connect(cluster.conninfo(database)) as connection:
        ((count,),) = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        ).fetchall()
    return bool(count)


def test_two_servers_take_the_same_batches_of_many_tables_and_keep_each_record_once(
    cluster: Cluster, database: str
) -> None:
    with store_of(cluster, database) as first, store_of(cluster, database) as second:
        servers = []
        for number in range(8):
            chain = Chain()
            chain.add(60)
            servers.append(Server(first, chain, f"mesa-{number}"))
        ingests = [Ingest(first), Ingest(second)]
        answers = []
        for begins in range(1, 61, 20):
            for ingest, order in zip(ingests, (servers, servers[::-1]), strict=True):
                answers += [ingest.take(server.arrived(server.chain.body(begins, begins + 19))) for server in order]
        for ingest in ingests:
            ingest.start()
        for ingest in ingests:
            ingest.stop()
        assert sum(answer.result().new for answer in answers) == 8 * 60
        for server in servers:
            server.holds(server.chain)


def test_where_the_database_was_away_the_next_transaction_connects_anew(cluster: Cluster, database: str) -> None:
    with store_of(cluster, database) as store, store_of(cluster, database) as reading:
        server = served(store, 60)
        server.send(1, 20)
        reading.tables()
        cluster.stop()
        with pytest.raises(StoreUnusable, match="the database: "):
            server.send(21, 40)
        with pytest.raises(StoreUnusable, match="the database: "):
            reading.tables()
        cluster.start()
        assert server.send(21, 40).new == 20
        assert [table.name for table in reading.tables()] == ["mesa-1"]
        # It went and came while nobody asked.
        cluster.stop()
        cluster.start()
        assert server.send(41, 60).new == 20
        assert [table.name for table in reading.tables()] == ["mesa-1"]
        server.holds(server.chain)


def test_what_is_left_of_a_transaction_whose_connection_broke_runs_on_no_other(cluster: Cluster, database: str) -> None:
    with store_of(cluster, database) as store:
        server = served(store, 20)
        with pytest.raises(StoreUnusable):
            _lose_the_connection(cluster, store, server)
        assert store.head(server.table) == Head()
        assert store.hash_of(server.table, 0) == GENESIS


def _lose_the_connection(cluster: Cluster, store: PostgresStore, server: Server) -> None:
    with store.writing() as writing:
        cluster.stop()
        cluster.start()
        with pytest.raises(StoreUnusable):
            writing.head(server.table)
        writing.append(server.table, server.chain.batch(1, 20), 1, server.chain.body(1, 20), AT)


def test_a_transaction_in_which_something_failed_is_not_called_durable(cluster: Cluster, database: str) -> None:
    with store_of(cluster, database) as store:
        server = served(store, 20)
        with pytest.raises(StoreUnusable, match="nothing of this transaction was kept"):
            _swallow(store)
        assert server.send(1, 20).new == 20


def _swallow(store: PostgresStore) -> None:
    with store.writing(), pytest.raises(StoreUnusable, match="does not exist"):
        store._all("SELECT * FROM nowhere")


def test_a_database_that_would_forget_what_it_committed_is_not_used(cluster: Cluster, database: str) -> None:
    cluster.run(f"ALTER DATABASE {database} SET synchronous_commit = off")
    with store_of(cluster, database) as store:
        assert store._all("SHOW synchronous_commit") == [("on",)]
    cluster.run("ALTER SYSTEM SET fsync = off")
    cluster.run("SELECT pg_reload_conf()")
    try:
        until(lambda: _setting(cluster, "fsync") == "off")
        with pytest.raises(StoreUnusable, match="set fsync = on"):
            PostgresStore.open(cluster.conninfo(database))
    finally:
        cluster.run("ALTER SYSTEM RESET fsync")
        cluster.run("SELECT pg_reload_conf()")
        until(lambda: _setting(cluster, "fsync") == "on")


def _setting(cluster: Cluster, name: str) -> str:
    with psycopg.connect(cluster.conninfo("postgres")) as connection:
        ((value,),) = connection.execute("SELECT current_setting(%s)", (name,)).fetchall()
    return str(value)


# --- the schema -----------------------------------------------------------------------------------------------------


def test_an_empty_database_is_migrated_and_once_more_changes_nothing(cluster: Cluster, empty: str) -> None:
    conninfo = cluster.conninfo(empty)
    with pytest.raises(StoreUnusable, match="no schema of a pit server; make it with `tablectl pit migrate CONFIG`"):
        PostgresStore.open(conninfo)
    made = migrate(conninfo)
    assert (made.before, made.after, made.missing) == ("", SCHEMA, ())
    with closing(PostgresStore.open(conninfo)) as store:
        server = served(store, 10)
        server.send(1, 10)
        made = migrate(conninfo)
        assert (made.before, made.after) == (SCHEMA, SCHEMA)
        server.holds(server.chain)


@pytest.mark.parametrize(("found", "told"), [("0000", "`tablectl pit migrate CONFIG`"), ("9999", "the newer release")])
def test_another_schema_is_refused_with_what_to_do(cluster: Cluster, database: str, found: str, told: str) -> None:
    cluster.run(f"UPDATE alembic_version SET version_num = '{found}'", database)
    with pytest.raises(StoreUnusable, match=told):
        PostgresStore.open(cluster.conninfo(database))


def test_a_newer_schema_is_not_migrated(cluster: Cluster, database: str) -> None:
    cluster.run("UPDATE alembic_version SET version_num = '9999'", database)
    with pytest.raises(StoreUnusable, match="the newer release"):
        migrate(cluster.conninfo(database))


def test_a_migration_that_fails_changes_nothing(cluster: Cluster, database: str) -> None:
    cluster.run("DROP TABLE alembic_version", database)
    with pytest.raises(StoreUnusable, match="already exists; nothing was changed"):
        migrate(cluster.conninfo(database))
    with pytest.raises(StoreUnusable, match="no schema"):
        PostgresStore.open(cluster.conninfo(database))


@pytest.fixture
def release(tmp_path: Path) -> Release:
    """A program whose schema has one more migration."""
    return next_release(tmp_path / "migrations")


def test_a_migration_that_would_keep_everybody_waiting_gives_up_and_runs_later(
    cluster: Cluster, database: str, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "LOCK_MS", 50)
    conninfo = cluster.conninfo(database)
    with psycopg.connect(conninfo) as reading:
        reading.execute("SELECT count(*) FROM records")
        with pytest.raises(StoreUnusable, match="lock timeout; nothing was changed"):
            migrate(conninfo, release)
    monkeypatch.setattr(postgres_store, "SCHEMA", release.schema)
    with pytest.raises(StoreUnusable, match="has schema 0001, and this program needs 0002"):
        PostgresStore.open(conninfo)
    made = migrate(conninfo, release)
    assert (made.before, made.after) == ("0001", "0002")
    with closing(PostgresStore.open(conninfo)) as store:
        assert store._all("SELECT later FROM records") == []


def test_a_server_that_runs_goes_on_while_the_schema_becomes_that_of_the_next_release(
    cluster: Cluster, database: str, release: Release
) -> None:
    with store_of(cluster, database) as store:
        server = served(store, 60)
        server.send(1, 20)
        assert migrate(cluster.conninfo(database), release).after == "0002"
        server.send(21, 40)
        assert server.send(41, 60).new == 20
        server.holds(server.chain)


def test_where_the_owner_may_make_no_roles_those_that_are_missing_are_named(cluster: Cluster, empty: str) -> None:
    owner = cluster.new_name()
    cluster.run(f"CREATE ROLE {owner} LOGIN")
    cluster.run(f"ALTER DATABASE {empty} OWNER TO {owner}")
    cluster.run(f"ALTER ROLE {READ} RENAME TO {READ}_away")
    try:
        made = migrate(cluster.conninfo(empty, owner))
        assert (made.after, made.missing) == (SCHEMA, (READ,))
    finally:
        cluster.run(f"ALTER ROLE {READ}_away RENAME TO {READ}")
    assert migrate(cluster.conninfo(empty, owner)).missing == ()
    assert not refused(cluster, empty, cluster.user_in(READ), "SELECT * FROM records")


def test_the_newest_migration_is_what_the_store_asks_for() -> None:
    folder = Path(tablectl.fleet.pit.migrations.__path__[0])
    assert ScriptDirectory(folder).get_heads() == [SCHEMA]


def test_both_stores_have_the_same_tables_with_the_same_columns_and_keys(cluster: Cluster, database: str) -> None:
    """Each column with its place in the primary key, 0 where it is not in it."""
    with store_of(cluster, database) as postgres, closing(SqliteStore.in_memory()) as sqlite:
        ours = sqlite._all(
            "SELECT m.name, c.name, c.pk FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c"
            " WHERE m.type = 'table'"
        )
        theirs = postgres._all(
            "SELECT c.table_name::text, c.column_name::text, coalesce(k.ordinal_position, 0)"
            " FROM information_schema.columns AS c LEFT JOIN information_schema.key_column_usage AS k"
            " ON k.table_name = c.table_name AND k.column_name = c.column_name AND k.constraint_name LIKE '%_pkey'"
            " WHERE c.table_schema = 'public' AND c.table_name <> 'alembic_version'"
        )
    assert sorted(ours) == sorted(theirs)


# --- how it is reached ----------------------------------------------------------------------------------------------


def test_the_password_comes_from_a_file_and_is_in_no_message(cluster: Cluster, database: str, tmp_path: Path) -> None:
    user = cluster.user_in(READ)
    cluster.run(f"ALTER ROLE {user} PASSWORD 'open sesame'")
    cluster.ask_for_password(user)
    path = tmp_path / "pit.toml"
    said = f'[pit]\ndatabase = "{cluster.conninfo(database, user)}"\n'
    path.write_text(f'{said}database_password = "pit.password"\n', encoding="utf-8")
    (tmp_path / "pit.password").write_text("open sesame\n", encoding="utf-8")
    with opened(load_pit(path)) as store:
        assert store.tables() == ()
    (tmp_path / "pit.password").write_text("open barley\n", encoding="utf-8")
    with pytest.raises(StoreUnusable, match="password authentication failed") as wrong, opened(load_pit(path)):
        pass
    assert "barley" not in str(wrong.value)


@pytest.mark.parametrize(
    ("database", "told"),
    [
        ("postgresql://pit:sesame@127.0.0.1/pit", "database_password"),
        ("host=127.0.0.1 password=sesame", "database_password"),
        ("no words at all", "pit.database"),
    ],
)
def test_a_database_with_its_password_or_without_sense_is_refused(tmp_path: Path, database: str, told: str) -> None:
    path = tmp_path / "pit.toml"
    path.write_text(f'[pit]\ndatabase = "{database}"\n', encoding="utf-8")
    with pytest.raises(Invalid) as wrong:
        load_pit(path)
    said = "".join(map(str, wrong.value.mistakes))
    assert told in said
    assert "sesame" not in said
