"""The journal's own speed: an append beside a bare one, records verified in a second, and a start with a million."""

from __future__ import annotations

import gc
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from simulators.stage.bench.replay import SETUP, hands
from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Table
from tablectl.games.registry import rulebook_of
from tablectl.journal.keys import make_keys
from tablectl.journal.places import Places
from tablectl.journal.sqlite_file import Durability, connect, make_durable
from tablectl.journal.store import BEGINNING, Store, Stored
from tablectl.journal.verify_all import verify_all
from tablectl.journal.volumes import VolumeSet
from tablectl.journal.writer import RecordWriter

#: Hands of five players that a long journal is made of, again and again.
SAMPLE_HANDS: Final = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Appends:
    """Seconds for each record, the journal's and a bare one of the same bytes, taken in turn."""

    journal_s: list[float]
    bare_s: list[float]


def places(folder: Path) -> Places:
    """A journal in this folder, as `config_text` has it."""
    return Places(
        journal=folder / "table.db",
        key=folder / "table.key",
        signing_key=folder / "table.sign",
        copy=folder / "table.copy",
        volume_records=10**9,
    )


class _Writer:
    """A table whose facts go straight into its journal."""

    def __init__(self, writer: RecordWriter) -> None:
        self._writer = writer
        self._table = Table(SETUP, rulebook_of)

    def decide(self, fact: f.Fact) -> dict[str, Any]:
        """What `RecordWriter.write` needs."""
        table, before = self._table, self._hand()
        drawn = len(table.state.deal.draws)
        decisions = table.apply(fact)
        closed = not table.state.in_play and before == table.state.hand
        n_draws = len(table.state.deal.draws)
        return {
            "decisions": decisions,
            "prompt": table.prompt(),
            "hand": before if closed else self._hand(),
            "draw": n_draws if n_draws > drawn else None,
            "carry": table.carry() if closed else None,
        }

    def write(self, fact: f.Fact, decided: dict[str, Any]) -> Stored:
        """Durable when it returns."""
        return self._writer.write(fact, decided.pop("decisions"), **decided)

    def _hand(self) -> int:
        state = self._table.state
        return state.hand if state.in_play else state.hand + 1


def facts(n_hands: int) -> list[f.Fact]:
    """The opening of a table and so many hands."""
    return [f.Opened(at_us=0, setup=SETUP), *hands(n_hands, seats=5, seed=1)]


def measure_appends(folder: Path, n_hands: int) -> Appends:
    """A durable append of each record of these hands: through the journal, and the same bytes into a bare table.

    Both come after the engine's work on the fact, as in the controller: the processor has other things in its caches
    then than somebody who only appends.
    """
    keys = make_keys(folder / "append.key", folder / "append.sign", demo=True)
    bare = connect(folder / "bare.db")
    make_durable(bare, Durability.FULL)
    bare.execute("CREATE TABLE record (seq INTEGER PRIMARY KEY, bytes BLOB)")
    measured = Appends(journal_s=[], bare_s=[])
    gc.freeze()  # as the controller does when it has loaded everything
    with closing(Store.open(folder / "append.db")) as store, closing(bare):
        writer, other = _Writer(RecordWriter(store, keys)), _Writer(RecordWriter(store, keys))
        for fact in facts(n_hands):
            decided = writer.decide(fact)
            began_s = time.perf_counter()
            stored = writer.write(fact, decided)
            between_s = time.perf_counter()
            same = b"".join((stored.public, stored.hash, stored.signature or b"", stored.sealed or b""))
            other.decide(fact)
            then_s = time.perf_counter()
            bare.execute("INSERT INTO record (bytes) VALUES (?)", (same,))
            measured.bare_s.append(time.perf_counter() - then_s)
            measured.journal_s.append(between_s - began_s)
    return measured


def long_journal(folder: Path, n_records: int) -> Path:
    """A journal of at least so many records, in closed hands, as the table writes it; it only waits for no disk."""
    keys = make_keys(folder / "table.key", folder / "table.sign", demo=True)
    path = places(folder).journal
    Store.open(path).close()
    played = facts(SAMPLE_HANDS)
    with closing(connect(path)) as connection:
        make_durable(connection, Durability.OFF)
        connection.execute("BEGIN")
        store = Store(connection, path, BEGINNING)
        writer = _Writer(RecordWriter(store, keys))
        while store.newest < n_records:
            for fact in played if store.newest == 0 else played[1:]:
                writer.write(fact, writer.decide(fact))
        connection.execute("COMMIT")
    return path


def verified_a_second(path: Path) -> float:
    """Records a second, the whole journal once, as `tablectl journal verify` does it."""
    with closing(VolumeSet(path)) as volume_set:
        began_s = time.perf_counter()
        verdict = verify_all(volume_set)
        seconds = time.perf_counter() - began_s
    if verdict.fault is not None:
        raise AssertionError(f"the bench's own journal is not intact: {verdict.fault}")
    return verdict.records / seconds
