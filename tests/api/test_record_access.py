"""Who signed on and who read what stands in the journal, each once, however often it is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tablectl.api.client import ask
from tablectl.cli.main import main
from tablectl.core.access import AccessKind, NotTaken
from tablectl.journal import accesses, store
from tests.desk import Desk, desk

pytestmark = pytest.mark.system

FILE = "0123456789abcdef0123456789abcdef"
OTHER_FILE = "f" * 32
READ: dict[str, Any] = {
    "id": FILE,
    "number": 1,
    "at": "2026-11-21T20:00:00Z",
    "what": "read-hand",
    "who": "luis",
    "role": "pit-boss",
    "about": 'hand 7, "id":"x"',
    "granted": True,
}


@pytest.fixture
def table() -> Iterator[Desk]:
    with desk() as made:
        made.start()
        yield made


@pytest.fixture(scope="module")
def shared() -> Iterator[Desk]:
    """One table for what leaves nothing behind."""
    with desk() as made:
        made.start()
        yield made


def told(table: Desk, **changes: object) -> dict[str, Any]:
    return ask(table.socket, {"access": READ | changes})


def on_record(table: Desk) -> list[tuple[int, str]]:
    found = [record["fact"] for record in table.records() if record["fact"]["kind"] == "access"]
    return [(fact["number"], fact["id"]) for fact in found]


def test_an_access_is_on_record_when_it_is_answered(table: Desk) -> None:
    before = table.newest
    assert told(table) == {"ok": True, "seq": before + 1}
    [record] = table.records(before)
    fact = record["fact"]
    assert fact.pop("kind") == "access"
    assert fact.pop("when") == READ["at"]
    assert fact == {name: value for name, value in READ.items() if name != "at"}
    assert record["decisions"] == []
    assert table.stop() == 0
    assert main(["journal", "verify", str(table.journal)]) == 0


def test_what_is_told_again_is_answered_again_and_recorded_once(table: Desk) -> None:
    first, second = told(table), told(table, number=2)
    assert told(table) == first
    assert told(table, number=2) == second
    assert on_record(table) == [(1, FILE), (2, FILE)]


def test_a_controller_that_was_started_since_knows_what_is_on_record(
    table: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LOOKED_AT", 3)  # so that a few records are many parts
    first, third = told(table), told(table, number=3)
    table.open_hand()
    table.stop()
    table.start()
    assert told(table) == first
    assert told(table, number=3) == third
    # One that was lost on its way is none that is on record, though a later one is.
    late = told(table, number=2)
    assert late["ok"]
    assert late["seq"] > third["seq"]
    assert told(table, id=OTHER_FILE)["ok"]
    assert on_record(table) == [(1, FILE), (3, FILE), (2, FILE), (1, OTHER_FILE)]


def test_what_is_no_longer_remembered_is_found_in_the_journal(table: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accesses, "REMEMBERED", 2)
    first = [told(table, number=number) for number in range(1, 6)]
    assert [told(table, number=number) for number in range(1, 6)] == first
    assert told(table, number=1, what="exported")["why"] == NotTaken.NUMBER
    assert on_record(table) == [(number, FILE) for number in range(1, 6)]


def test_a_number_never_stands_for_two_things(table: Desk) -> None:
    seq = told(table)["seq"]
    for _ in range(2):
        reply = told(table, what="exported")
        assert not reply["ok"]
        assert f"in record {seq}" in reply["error"]
        assert reply["why"] == NotTaken.NUMBER
        table.stop()
        table.start()
    assert on_record(table) == [(1, FILE)]


def test_a_hand_goes_on_over_an_access_and_over_a_restart_after_it(table: Desk) -> None:
    table.open_hand()
    assert told(table)["ok"]
    table.deal("As")
    assert told(table, number=2)["ok"]
    table.stop()
    table.start()
    assert told(table, number=3)["ok"]
    table.play_on()
    assert table.stop() == 0
    assert main(["journal", "verify", str(table.journal)]) == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "0123"},
        {"id": FILE.upper()},
        {"number": 0},
        {"number": True},
        {"number": 2**60},
        {"at": "yesterday"},
        {"what": "peeked"},
        {"who": "Ana Ruiz"},
        {"who": "ana+luis"},
        {"role": "king"},
        {"about": "x" * 501},
        {"about": "two\nlines"},
        {"granted": "yes"},
    ],
    ids=str,
)
def test_what_is_no_access_is_told_what_would_be_right_and_recorded_nowhere(
    shared: Desk, changes: dict[str, object]
) -> None:
    before = shared.newest
    reply = told(shared, **changes)
    assert not reply["ok"]
    assert reply["error"].startswith("expected ")
    assert reply["why"] == NotTaken.SHAPE
    assert shared.newest == before


def test_every_kind_of_access_can_be_told(shared: Desk) -> None:
    for number, kind in enumerate(AccessKind, start=100):
        assert told(shared, number=number, what=kind.value)["ok"]
