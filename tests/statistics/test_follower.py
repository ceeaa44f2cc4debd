"""The thread that follows the controller: a real socket, a real journal, and statistics that are up to date."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tablectl.statistics.folding import Changes, Totals, fold_all
from tablectl.statistics.follower import Follower
from tablectl.statistics.store import Store
from tests.screens import hands
from tests.screens.controller import Bench, Controller
from tests.statistics.test_store import ALWAYS_US

PATIENCE_S = 20


class Watched(Store):
    """A store that can be waited for."""

    def __init__(self, path: Path | None = None) -> None:
        self._written = threading.Condition()
        #: how many times it was made empty, and which records it was given
        self.forgotten = 0
        self.batches: list[int] = []
        super().__init__(path)

    def keep(self, totals: Totals, changes: Changes) -> None:
        super().keep(totals, changes)
        with self._written:
            self.batches.append(totals.seq)
            self._written.notify_all()

    def set_aside(self, at_us: int) -> None:
        super().set_aside(at_us)
        self.forgotten += 1

    def until(self, seq: int) -> None:
        """Wait until a record is folded."""
        with self._written:
            assert self._written.wait_for(lambda: bool(self.batches) and self.batches[-1] == seq, PATIENCE_S)


@contextmanager
def following(path: Path, store: Store) -> Iterator[Follower]:
    follower = Follower(path, store)
    follower.start()
    try:
        yield follower
    finally:
        follower.stop()


def test_it_folds_what_there_is_and_then_what_happens(socket_path: Path) -> None:
    bench, store = Bench(), Watched()
    bench.lines(hands.WHOLE)
    with Controller(socket_path, bench) as controller, following(socket_path, store) as follower:
        store.until(len(bench.records))
        controller.lines(hands.VOID)
        store.until(len(bench.records))
        assert follower.seq == len(bench.records)
    totals, changes = fold_all(Totals(), bench.records)
    assert replace(store.totals(), digest=totals.digest) == totals
    assert store.hands(*ALWAYS_US) == tuple(changes.hands.values())
    assert store.incidents(*ALWAYS_US) == tuple(changes.incidents.values())


def test_it_waits_for_a_controller_and_goes_on_after_its_last_record(socket_path: Path, tmp_path: Path) -> None:
    bench, path = Bench(), tmp_path / "statistics.db"
    bench.lines(hands.WHOLE)
    store = Watched(path)
    with following(socket_path, store), Controller(socket_path, bench) as controller:
        store.until(len(bench.records))
        controller.stop()
        bench.lines(hands.VOID)
        controller.start()
        store.until(len(bench.records))
    store.close()
    before = len(bench.records)
    bench.lines(hands.BETS)
    again = Watched(path)
    with Controller(socket_path, bench), following(socket_path, again):
        again.until(len(bench.records))
    assert again.forgotten == 0
    assert again.batches[0] > before, "only what is new is folded"
    assert [row.hand for row in again.hands(*ALWAYS_US)] == [1, 2, 3]
    again.close()


def test_after_another_journal_everything_is_made_again(socket_path: Path) -> None:
    first, other, store = Bench(), Bench(), Watched()
    first.lines(hands.WHOLE)
    other.lines(hands.VOID + hands.WHOLE)
    assert len(other.records) > len(first.records)
    with following(socket_path, store):
        with Controller(socket_path, first):
            store.until(len(first.records))
        with Controller(socket_path, other):
            store.until(len(other.records))
    assert store.forgotten == 1
    _, changes = fold_all(Totals(), other.records)
    assert store.hands(*ALWAYS_US) == tuple(changes.hands.values())


def test_after_a_shorter_journal_everything_is_made_again(socket_path: Path) -> None:
    first, shorter, store = Bench(), Bench(), Watched()
    first.lines(hands.WHOLE)
    shorter.lines(hands.BETS)
    with following(socket_path, store):
        with Controller(socket_path, first):
            store.until(len(first.records))
        with Controller(socket_path, shorter):
            store.until(len(shorter.records))
    assert store.forgotten == 1
    assert [row.closed_us for row in store.hands(*ALWAYS_US)] == [None]


def test_what_another_journal_had_is_kept_as_evidence(socket_path: Path, tmp_path: Path) -> None:
    first, older = Bench(), Bench()
    first.lines(hands.WHOLE + hands.VOID)
    older.lines(hands.WHOLE)
    assert older.records == first.records[: len(older.records)]
    path = tmp_path / "statistics.db"
    store = Watched(path)
    with following(socket_path, store):
        with Controller(socket_path, first):
            store.until(len(first.records))
        assert store.kept() == ()
        before = store.hands(*ALWAYS_US)
        with Controller(socket_path, older):
            store.until(len(older.records))
    (kept,) = store.kept()
    assert kept.name.startswith("statistics.db.another-journal-")
    assert [row.hand for row in store.hands(*ALWAYS_US)] == [1]
    store.close()
    evidence = Store(kept)
    assert evidence.hands(*ALWAYS_US) == before
    assert evidence.totals().seq == len(first.records)
    evidence.close()
