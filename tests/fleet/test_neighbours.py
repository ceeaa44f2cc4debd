"""What a table says to one pit server, the overview of another one of the same database shows at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from tablectl.fleet.pit.neighbours import CHANNEL, MESSAGE_BYTES_MOST, Neighbours, Said, packed
from tests.fleet.postgres import Cluster
from tests.fleet.test_presence import World, incident
from tests.waiting import until


@pytest.fixture
def conninfo(cluster: Cluster) -> Iterator[str]:
    with cluster.database() as name:
        yield cluster.conninfo(name)


@contextmanager
def beside(conninfo: str, world: World) -> Iterator[Neighbours]:
    """A server with this floor, at the database."""
    made = Neighbours(conninfo, world.floor.hear_others)
    world.floor.tell_others(made.tell)
    made.start()
    try:
        yield made
    finally:
        made.stop()


def listeners(conninfo: str) -> int:
    with psycopg.connect(conninfo) as connection:
        (count,) = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        ).fetchone() or (0,)
    return int(count)


def hand_of(world: World, name: str = "mesa-1") -> int | None:
    world.floor.look()
    return next((one.values.hand for one in world.floor.picture.tables if one.name == name and one.values), None)


def says(world: World, hand: int) -> None:
    world.now_s += 1
    world.hear("mesa-1", hand=hand)


def test_the_other_server_shows_what_a_table_says_and_what_it_calls_for(conninfo: str) -> None:
    one, other = World("mesa-1", "mesa-2"), World("mesa-1", "mesa-2")
    other.now_s = one.now_s + 1
    with beside(conninfo, one), beside(conninfo, other):
        until(lambda: listeners(conninfo) == 2)
        says(one, 7)
        until(lambda: hand_of(other) == 7)
        one.hear("mesa-2", alarms=(incident(1, one.now_us),))
        one.now_s += 1
        one.hear("mesa-2", alarms=(incident(1, one.now_us),))
        until(lambda: other.called == ["mesa-2 incident-1"])


def test_an_older_word_does_not_take_the_place_of_a_newer_one(conninfo: str) -> None:
    one, other = World("mesa-1", "mesa-2"), World("mesa-1", "mesa-2")
    with beside(conninfo, one), beside(conninfo, other):
        until(lambda: listeners(conninfo) == 2)
        other.now_s += 60
        other.hear("mesa-1", hand=9)
        says(one, 7)
        one.hear("mesa-2", hand=5)
        until(lambda: hand_of(other, "mesa-2") == 5)
        assert hand_of(other) == 9


def test_servers_find_each_other_again_after_the_database_closed_their_connections(conninfo: str) -> None:
    one, other = World("mesa-1"), World("mesa-1")
    with beside(conninfo, one), beside(conninfo, other):
        until(lambda: listeners(conninfo) == 2)
        with psycopg.connect(conninfo) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid()"
            )
        until(lambda: listeners(conninfo) == 2)

        def is_heard() -> bool:
            says(one, 8)  # what was said to a connection that broke is lost, and the store has it
            return hand_of(other) == 8

        until(is_heard)


@pytest.mark.parametrize("payload", ["", "{}", "[1, 2]", '["x", [["mesa-1", "yesterday", "{}"]]]'])
def test_what_says_nothing_is_passed_over(conninfo: str, payload: str) -> None:
    one, other = World("mesa-1"), World("mesa-1")
    with beside(conninfo, one), beside(conninfo, other):
        until(lambda: listeners(conninfo) == 2)
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
        says(one, 7)
        until(lambda: hand_of(other) == 7)


def test_messages_have_everything_in_them_and_none_is_longer_than_the_database_takes() -> None:
    news = [
        Said(f"mesa-{number}", "2026-11-28T10:00:00.000000Z", '{"é": "%s"}' % ("x" * number)) for number in range(900)
    ]
    messages = list(packed("a" * 32, news))
    assert all(len(message) <= MESSAGE_BYTES_MOST for message in messages)
    assert sum(message.count(b"mesa-") for message in messages) == 900
    assert 50 < len(messages) < 75
    assert list(packed("a" * 32, [Said("mesa-1", "", "x" * MESSAGE_BYTES_MOST)])) == []
