"""Finding records: by hand, time, clause, person, kind and words, in pieces, through all volumes, never a sealed
part."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.core.events.codec import to_plain
from tablectl.core.timestamps import time_text
from tablectl.journal.places import Places
from tablectl.journal.search import BLOCK, PAGE, Hit, Wanted, find, fits, walk
from tablectl.journal.store import JournalUnusable, Store
from tests.journal.journals import SETUP, START_US, WHOLE_HAND, places, sat, written

SECOND: Final = 1_000_000
#: What happened, in order; each a second after the one before.
FACTS: Final[tuple[dict[str, Any], ...]] = (
    {"kind": "opened", "setup": to_plain(SETUP)},
    {"kind": "pressed", "key": "new-hand"},
    {"kind": "ruled", "incident": 1, "remedy": "void-hand", "by": "ana+luis", "reason": "La ANTENA mintió: «así»"},
    {"kind": "called", "by": "croupier", "reason": ""},
    {
        "kind": "access",
        "id": "00" * 16,
        "number": 1,
        "when": "2026-11-21T20:00:00Z",
        "what": "read-hand",
        "who": "berta",
        "role": "auditor",
        "about": "hand 1",
        "granted": True,
    },
    {"kind": "unsealed", "of_hand": 1, "by": "A. Perito", "reason": 'claim "2026/17"', "granted": False},
    {"kind": "acknowledged", "incident": 1, "by": "ana"},
    {"kind": "signed-on", "croupier": "anabel"},
)
RAISED: Final = {
    "kind": "incident-raised",
    "incident": 1,
    "clause": "THB-ERR-1",
    "severity": "alert",
    "expected": "shoe",
    "observed": "card",
    "chooser": "rule",
    "remedies": ["void-hand"],
}
OTHER: Final = {"kind": "hand-voided", "clause": "THB-ERR-12"}
CONCLUDED: Final[Mapping[int, tuple[dict[str, Any], ...]]] = {2: (RAISED,), 3: (OTHER,)}


def public(seq: int, fact: dict[str, Any], decisions: tuple[dict[str, Any], ...] = ()) -> bytes:
    record = {"seq": seq, "at": time_text(START_US + seq * SECOND), "hand": 1, "fact": fact, "decisions": decisions}
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("search") / "table.db"
    with closing(Store.open(path)) as store:
        for seq, fact in enumerate(FACTS, 1):
            written_down = public(seq, fact, CONCLUDED.get(seq, ()))
            store.append(hand=1 + (seq > 6), boundary=False, public=written_down, sealed=b"secret")
    return path


def found(journal: Path, wanted: Wanted, **limits: int) -> list[int]:
    return [hit.seq for hit in find(journal, wanted, **limits).hits]


@pytest.mark.parametrize(
    ("wanted", "seqs"),
    [
        (Wanted(), [8, 7, 6, 5, 4, 3, 2, 1]),
        (Wanted(hand=2), [8, 7]),
        (Wanted(hand=3), []),
        (Wanted(clause="THB-ERR-1"), [2]),
        (Wanted(clause="THB-ERR"), [3, 2]),
        (Wanted(clause="THB-ER"), []),
        (Wanted(person="ana"), [7, 3]),
        (Wanted(person="Luis"), [3]),
        (Wanted(person="ana+luis"), [3]),
        (Wanted(person="a. perito"), [6]),
        (Wanted(person="anabel"), [8]),
        (Wanted(person="berta"), [5]),
        (Wanted(kinds=frozenset(("unsealed", "access"))), [6, 5]),
        (Wanted(kinds=frozenset(("incident-raised",))), [2]),
        (Wanted(text="antena mintió"), [3]),
        (Wanted(text="«ASÍ»"), [3]),
        (Wanted(text='CLAIM "2026'), [6]),
        (Wanted(text="hand 1"), [5]),
        (Wanted(text="«"), [3]),
        (Wanted(since=time_text(START_US + 7 * SECOND)), [8, 7]),
        (Wanted(until=time_text(START_US + 3 * SECOND)), [2, 1]),
        (Wanted(since=time_text(START_US + 400 * 86_400 * SECOND)), []),
        (Wanted(person="ana", hand=1, clause="THB-ERR-12"), [3]),
        (Wanted(person="ana", hand=1, clause="THB-ERR-1"), []),
    ],
)
def test_what_fits_is_found_newest_first(journal: Path, wanted: Wanted, seqs: list[int]) -> None:
    assert found(journal, wanted) == seqs


@pytest.mark.parametrize("wanted", [Wanted(person="ana"), Wanted(text="antena"), Wanted(clause="THB-ERR"), Wanted()])
def test_the_bytes_leave_out_nothing_that_fits(journal: Path, wanted: Wanted) -> None:
    everything = find(journal, Wanted()).hits
    assert found(journal, wanted) == [hit.seq for hit in everything if fits(hit, wanted)]


def test_a_walk_finds_the_same_from_the_oldest_on(journal: Path) -> None:
    wanted = Wanted(person="ana")
    assert [hit.seq for page in walk(journal, wanted) for hit in page] == [3, 7]


def test_a_time_that_no_record_can_have_is_refused() -> None:
    with pytest.raises(ValueError, match="is no time of a record"):
        Wanted(since="yesterday")


def test_a_page_says_where_it_goes_on(journal: Path) -> None:
    page = find(journal, Wanted(), most=3)
    assert ([hit.seq for hit in page.hits], page.low, page.high, page.before) == ([8, 7, 6], 6, 8, 6)
    assert found(journal, Wanted(), most=3, before=6) == [5, 4, 3]
    last = find(journal, Wanted(), before=3)
    assert ([hit.seq for hit in last.hits], last.low, last.high, last.before) == ([2, 1], 1, 2, None)


def test_a_search_that_would_take_long_says_how_far_it_came(journal: Path) -> None:
    page = find(journal, Wanted(kinds=frozenset(("opened",))), span=5)
    assert (page.hits, page.low, page.high, page.before) == ((), 4, 8, 4)
    assert found(journal, Wanted(kinds=frozenset(("opened",))), span=5, before=4) == [1]


def test_nothing_that_is_sealed_is_read(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    connect = sqlite3.connect

    def traced(database: str, *, uri: bool, isolation_level: None) -> sqlite3.Connection:
        connection = connect(database, uri=uri, isolation_level=isolation_level)
        connection.set_trace_callback(asked.append)
        return connection

    monkeypatch.setattr("tablectl.journal.sqlite_file.sqlite3.connect", traced)
    find(journal, Wanted(person="ana"))
    list(walk(journal, Wanted(person="ana")))
    assert asked
    assert not any("sealed" in text or "*" in text.replace("count(*)", "") for text in asked)


def test_a_record_that_somebody_spoiled_is_shown_as_it_lies_and_stops_no_search(journal: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with closing(Store.open(path)) as store:
        spoiled = (b"no json", b"[]", b'{"fact":7,"decisions":{}}')
        for data in (*spoiled, public(4, FACTS[2]), public(5, {"kind": "ruled"})):
            store.append(hand=1, boundary=False, public=data, sealed=None)
    assert found(path, Wanted()) == [5, 4, 3, 2, 1]
    assert found(path, Wanted(person="ana")) == [4]
    assert found(path, Wanted(kinds=frozenset(("ruled",)))) == [5, 4], "whoever looks for it sees what is left of it"
    assert find(path, Wanted()).hits[-1].record is None


def test_every_block_and_every_page_joins_on_to_the_next(tmp_path: Path) -> None:
    """More records than are gone through at once, and more that fit than are taken at once."""
    path, n = tmp_path / "table.db", BLOCK + PAGE + 7
    Store.open(path).close()
    rows = ((seq, public(seq, FACTS[3 if seq % 5 else 6])) for seq in range(1, n + 1))
    with closing(sqlite3.connect(path)) as connection, connection:
        insert = "INSERT INTO record (seq, hand, boundary, public, hash) VALUES (?, 1, 0, ?, zeroblob(32))"
        connection.executemany(insert, rows)
    wanted = [seq for seq in range(1, n + 1) if seq % 5 == 0]
    assert [hit.seq for hit in pages_of(path, Wanted(person="ana"))] == wanted[::-1]
    assert [hit.seq for page in walk(path, Wanted(person="ana")) for hit in page] == wanted
    assert [hit.seq for page in walk(path, Wanted()) for hit in page] == list(range(1, n + 1))


def pages_of(path: Path, wanted: Wanted) -> Iterator[Hit]:
    before = None
    while True:
        page = find(path, wanted, before=before, most=100, span=3000)
        yield from page.hits
        if (before := page.before) is None:
            return


def test_volumes_are_gone_through_as_one(tmp_path: Path, places_of_small_volumes: Places) -> None:
    where = places_of_small_volumes
    everything = [hit.seq for hit in pages_of(where.journal, Wanted())]
    assert everything == list(range(everything[0], 0, -1))
    assert [hit.seq for page in walk(where.journal, Wanted()) for hit in page] == everything[::-1]
    drawn = [hit.hand for hit in pages_of(where.journal, Wanted(hand=2, kinds=frozenset(("drawn",))))]
    assert drawn == [2] * 14


def test_a_volume_of_quite_another_time_is_not_gone_through(places_of_small_volumes: Places) -> None:
    """It would use up what one search goes through: whoever looks for a day long ago would have to ask many times."""
    day_us = 86_400 * SECOND
    at_end = find(places_of_small_volumes.journal, Wanted()).high
    for wanted in (
        Wanted(until=time_text(START_US - 2 * day_us)),
        Wanted(since=time_text(START_US + 2 * day_us)),
    ):
        page = find(places_of_small_volumes.journal, wanted, span=5)
        assert (page.hits, page.low, page.high, page.before) == ((), 1, at_end, None)
        assert list(walk(places_of_small_volumes.journal, wanted)) == []


def test_a_volume_is_gone_through_where_a_clock_may_have_jumped(places_of_small_volumes: Places) -> None:
    """Up to a day away: its records may bear other times than its first one and its last one."""
    wanted = Wanted(until=time_text(START_US - 23 * 3600 * SECOND))
    assert find(places_of_small_volumes.journal, wanted, span=5).before is not None


def test_every_hand_is_found_whole_however_many_records_it_has(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    hands = [1, 1, 1, 2, 3, 3, 5, 6, 6, 6, 6, 6, 7, 8, 8, 9, 12]
    with closing(Store.open(path)) as store:
        for seq, hand in enumerate(hands, 1):
            store.append(hand=hand, boundary=False, public=public(seq, FACTS[1]), sealed=None)
    for hand in range(14):
        expected = [seq for seq, number in enumerate(hands, 1) if number == hand]
        assert found(path, Wanted(hand=hand)) == expected[::-1]
        assert [hit.seq for page in walk(path, Wanted(hand=hand)) for hit in page] == expected


@pytest.fixture
def places_of_small_volumes(tmp_path: Path) -> Places:
    where = places(tmp_path, volume_records=20)
    sat(where, WHOLE_HAND * 3)
    return where


def test_a_journal_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalUnusable, match="there is no such journal"):
        find(tmp_path / "table.db", Wanted())


def test_a_real_hand_is_found_by_what_the_table_concluded(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    written(path, WHOLE_HAND)
    closed = find(path, Wanted(kinds=frozenset(("hand-closed",)))).hits
    assert [hit.record.kind for hit in closed if hit.record is not None] == ["pressed"]
