"""From the journal back to a running table: replay the unfinished hand and compare every decision with the record.

Only what follows the last closed hand is replayed, so the time does not grow with the journal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tablectl.engine import facts as f
from tablectl.engine.rulebook import Rulebook
from tablectl.engine.table import Table
from tablectl.journal.ledger import Ledger
from tablectl.journal.record import UnreadableRecord, carry_of, fact_of, public_decision, time_us
from tablectl.journal.seal import BadSeal, Vault
from tablectl.journal.store import Store, Stored, chained


class ReplayDiffers(Exception):
    """The journal and the program do not agree. Nothing may be dealt: the text names the record and what differs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Replayed:
    """One record of a replay: what it says and what the engine says."""

    stored: Stored
    public: Mapping[str, Any]
    fact: f.Fact
    decisions: list[dict[str, Any]]

    @property
    def differs(self) -> bool:
        """Whether the engine concludes something else than the record."""
        return bool(self.decisions != self.public["decisions"])


def recover(store: Store, ledger: Ledger, rulebook_of: Callable[[f.Setup], Rulebook]) -> Table | None:
    """The table as it was after the newest record; None for an empty journal. Raises `ReplayDiffers`."""
    boundary = store.last_boundary()
    table = _at(store, boundary, rulebook_of)
    before = store.hash_at(boundary)
    for stored in store.records(after=boundary):
        if chained(before, stored.public) != stored.hash:
            raise ReplayDiffers(f"record {stored.seq}: its hash does not follow from the record before; it was changed")
        before = stored.hash
        public = json.loads(stored.public)
        try:
            fact = fact_of(public["fact"], time_us(public["at"]), ledger.remember(stored, public))
        except (UnreadableRecord, BadSeal) as wrong:
            raise ReplayDiffers(f"record {stored.seq}: {wrong}") from None
        if table is None:
            table = _first(fact, stored, rulebook_of)
        decisions = [public_decision(each) for each in table.apply(fact)]
        if decisions != public["decisions"]:
            raise ReplayDiffers(_where(stored.seq, public["decisions"], decisions))
    return table


def replay(
    store: Store, vault: Vault, rulebook_of: Callable[[f.Setup], Rulebook], *, hand: int | None = None
) -> Iterator[Replayed]:
    """Every record again through the engine, from the beginning (or one hand). Raises `ReplayDiffers`, `BadSeal`."""
    ledger = Ledger(store, vault)
    table: Table | None = None
    after = 0
    if hand is not None:
        after = next((stored.seq for stored in store.records(hand=hand - 1) if stored.closes_hand), 0)
        table = _at(store, after, rulebook_of)
    for stored in store.records(after=after):
        if hand is not None and stored.hand > hand:
            return
        public = json.loads(stored.public)
        fact = fact_of(public["fact"], time_us(public["at"]), ledger.remember(stored, public))
        if table is None:
            table = _first(fact, stored, rulebook_of)
        decisions = [public_decision(each) for each in table.apply(fact)]
        if stored.closes_hand:
            ledger.forget()
        yield Replayed(stored=stored, public=public, fact=fact, decisions=decisions)
        if hand is not None and stored.closes_hand:
            return


def _at(store: Store, boundary: int, rulebook_of: Callable[[f.Setup], Rulebook]) -> Table | None:
    if boundary == 0:
        return None
    stored = next(iter(store.records(after=boundary - 1)))
    if chained(store.hash_at(boundary - 1), stored.public) != stored.hash:
        raise ReplayDiffers(f"record {boundary}: its hash does not follow from the record before; it was changed")
    return Table.resume(carry_of(json.loads(stored.public)["carry"]), rulebook_of)


def _first(fact: f.Fact, stored: Stored, rulebook_of: Callable[[f.Setup], Rulebook]) -> Table:
    if not isinstance(fact, f.Opened):
        raise ReplayDiffers(f"record {stored.seq}: a journal begins with the opening of the table")
    return Table(fact.setup, rulebook_of)


def _where(seq: int, recorded: list[dict[str, Any]], decided: list[dict[str, Any]]) -> str:
    for index in range(max(len(recorded), len(decided))):
        was = recorded[index] if index < len(recorded) else None
        now = decided[index] if index < len(decided) else None
        if was != now:
            return f"record {seq}, decision {index + 1}: recorded {was}, this program decides {now}"
    return f"record {seq}: the same decisions"
