"""The statistics' own file: rows and totals together, made again when it is none, and nobody else's file is touched."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from tablectl.statistics.folding import Changes, Totals, fold_all
from tablectl.statistics.store import NotStatistics, Store
from tests.screens import hands
from tests.screens.controller import Bench

ALWAYS_US = (0, 1 << 62)


def kept(path: Path | None) -> tuple[Store, Totals]:
    """A store with a hand and a half, an incident, and a croupier."""
    bench = Bench()
    bench.note("float-counted", amount=100_000, expected=None, by="ana", second="")
    bench.lines(hands.VOID + hands.BETS + "call by croupier")
    bench.records[0] |= {"software": "a program", "currency": "EUR", "currency_exponent": 2}
    totals, changes = fold_all(Totals(), bench.records)
    store = Store(path)
    store.keep(totals, changes)
    return store, totals


@pytest.mark.parametrize("in_memory", [True, False])
def test_what_is_kept_is_there_again(tmp_path: Path, *, in_memory: bool) -> None:
    store, totals = kept(None if in_memory else tmp_path / "statistics.db")
    if not in_memory:
        store.close()
        store = Store(tmp_path / "statistics.db")
    assert store.totals() == totals
    assert totals.hand is not None
    assert [row.hand for row in store.hands(*ALWAYS_US)] == [1, 2]
    assert store.hands(*ALWAYS_US)[1] == totals.hand
    assert store.incidents(*ALWAYS_US)[1] == totals.incidents[2]
    assert [(float_row.amount, float_row.expected) for float_row in store.floats(*ALWAYS_US)] == [(100_000, 100_000)]
    assert totals.tray.expected == 100_000
    assert {(float_row.currency, float_row.currency_exponent) for float_row in store.floats(*ALWAYS_US)} == {("EUR", 2)}
    assert [(hand.currency, hand.currency_exponent) for hand in store.hands(*ALWAYS_US)] == [("EUR", 2)] * 2
    assert store.last_us() == store.newest_us() == totals.hand.opened_us
    assert store.newest_us(totals.hand.opened_us) == store.hands(*ALWAYS_US)[0].opened_us
    store.close()


def test_a_span_of_time_ends_before_its_end() -> None:
    store, _ = kept(None)
    first, second = store.hands(*ALWAYS_US)
    assert store.hands(first.opened_us, second.opened_us) == (first,)
    assert store.incidents(0, 1) == ()


def test_the_words_of_a_span_are_those_of_its_rows_and_nobody_is_no_croupier() -> None:
    store, _ = kept(None)
    assert store.words(*ALWAYS_US) == (frozenset(), frozenset(), frozenset({"THB-ERR-1", "THB-STF-1"}))
    first, second = store.incidents(*ALWAYS_US)
    named = replace(second, croupier="luis", device="shoe")
    store.keep(Totals(), Changes(incidents={named.incident: named}))
    found = store.words(first.raised_us + 1, ALWAYS_US[1])
    assert [sorted(words) for words in found] == [["luis"], ["shoe"], ["THB-STF-1"]]


def test_what_is_set_aside_stays_and_is_known_until_it_is_moved_away(tmp_path: Path) -> None:
    path = tmp_path / "statistics.db"
    store, _ = kept(path)
    before = store.hands(*ALWAYS_US)
    assert before
    for number in (1, 2):
        store.set_aside(1_577_836_800_000_000)
        assert len(store.kept()) == number
        assert store.hands(*ALWAYS_US) == ()
    first, second = store.kept()
    assert (first.name, second.name) == (
        "statistics.db.another-journal-20200101T000000Z",
        "statistics.db.another-journal-20200101T000000Z-2",
    )
    store.close()
    again = Store(path)
    assert again.kept() == (first, second), "a new start knows them"
    for kept_file in (first, second):
        kept_file.rename(tmp_path / f"evidence-{kept_file.name}")
    assert again.kept() == ()
    again.close()
    moved = Store(tmp_path / f"evidence-{first.name}")
    assert moved.hands(*ALWAYS_US) == before
    moved.close()


def test_a_store_that_was_set_aside_is_an_empty_one() -> None:
    store, _ = kept(None)
    store.set_aside(0)
    assert store.kept() == ()
    assert store.floats(*ALWAYS_US) == ()
    assert (store.totals(), store.hands(*ALWAYS_US), store.incidents(*ALWAYS_US), store.last_us()) == (
        Totals(),
        (),
        (),
        None,
    )


def broken(path: Path) -> None:
    """Our file with its pages full of nonsense."""
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xa5" * (len(content) - 100))


def of_another_version(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.mark.parametrize("harm", [broken, of_another_version])
def test_a_file_of_ours_that_is_no_use_is_made_again(tmp_path: Path, harm: object) -> None:
    path = tmp_path / "statistics.db"
    kept(path)[0].close()
    assert callable(harm)
    harm(path)
    store = Store(path)
    assert store.totals() == Totals()
    store.close()


def of_text(path: Path) -> None:
    path.write_text("a list of what to buy\n" * 50, encoding="utf-8")


def of_another_program(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE precious (thing)")
    connection.close()


@pytest.mark.parametrize("other", [of_text, of_another_program])
def test_a_file_that_is_not_ours_is_left_as_it_is(tmp_path: Path, other: object) -> None:
    path = tmp_path / "precious"
    assert callable(other)
    other(path)
    before = path.read_bytes()
    with pytest.raises(NotStatistics):
        Store(path)
    assert path.read_bytes() == before
