"""From the journal back to a running table: replay the unfinished hand and compare every decision with the record.

Only what follows the last closed hand is replayed, so the time does not grow with the journal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tablectl.engine import facts as f
from tablectl.engine.rulebook import Rulebook
from tablectl.engine.table import Table
from tablectl.journal.ledger import Ledger, sealed_card
from tablectl.journal.record import (
    UnreadableRecord,
    canonical,
    carry_of,
    fact_of,
    public_decision,
    public_fact,
    time_us,
)
from tablectl.journal.seal import BadSeal, Vault
from tablectl.journal.store import Store, Stored, chained

#: What a shoe says in the same report as an unread card.
SAID_WITH_A_CARD: Final = "error-mode"
#: How a drawn card on which the controller broke stands in the record that keeps it.
KEPT_CARD: Final = canonical(public_fact(f.Drawn(at_us=0, card=None), None)).decode()


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
        replayed, table = _again(stored, ledger, table, rulebook_of)
        if replayed.differs:
            raise ReplayDiffers(_where(stored.seq, replayed.public["decisions"], replayed.decisions))
    return table


def replay(
    store: Store, vault: Vault, rulebook_of: Callable[[f.Setup], Rulebook], *, hand: int | None = None
) -> Iterator[Replayed]:
    """Every record again through the engine, from the beginning (or one hand). Raises `ReplayDiffers`."""
    ledger = Ledger(store, vault)
    table: Table | None = None
    after = 0
    if hand is not None:
        after = next((stored.seq for stored in store.records(hand=hand - 1) if stored.closes_hand), 0)
        if hand != 1 and after == 0:
            return  # the hand before it was never closed: this one was never opened
        table = _at(store, after, rulebook_of)
    for stored in store.records(after=after):
        if hand is not None and stored.hand > hand:
            return
        replayed, table = _again(stored, ledger, table, rulebook_of)
        if stored.closes_hand:
            ledger.forget()
        yield replayed
        if hand is not None and stored.closes_hand:
            return


def last_report(store: Store, vault: Vault) -> tuple[int, f.Drawn] | None:
    """The hand and the card of the shoe's last report in the journal; None where it said something else since.

    Raises `ReplayDiffers`.
    """
    for stored in store.newest_first():
        try:
            public = json.loads(stored.public)
            if _says_something_else(public["fact"]):
                return None
            if _says_a_card(public["fact"]):
                opened = sealed_card(vault, stored, public)
                card = opened.card if opened is not None else None
                return stored.hand, f.Drawn(at_us=time_us(public["at"]), card=card)
        except (BadSeal, KeyError, TypeError, ValueError) as wrong:
            raise ReplayDiffers(_told(stored.seq, wrong)) from None
    return None


def _says_something_else(fact: Mapping[str, Any]) -> bool:
    return bool(fact["kind"] == "device-said" and fact["role"] == "shoe" and fact["what"] != SAID_WITH_A_CARD)


def _says_a_card(fact: Mapping[str, Any]) -> bool:
    """Also the one on which the controller broke."""
    return bool(fact["kind"] == "drawn" or (fact["kind"] == "failed" and fact["fact"] == KEPT_CARD))


def _again(
    stored: Stored, ledger: Ledger, table: Table | None, rulebook_of: Callable[[f.Setup], Rulebook]
) -> tuple[Replayed, Table]:
    """One record through the engine. Without a table it has to be the one that opens the first one."""
    try:
        public = json.loads(stored.public)
        fact = fact_of(public["fact"], time_us(public["at"]), ledger.remember(stored, public))
        recorded = public["decisions"]
    except (UnreadableRecord, BadSeal) as wrong:
        raise ReplayDiffers(_told(stored.seq, wrong)) from None
    except (KeyError, TypeError, ValueError) as wrong:
        raise ReplayDiffers(f"record {stored.seq}: no record of this program ({type(wrong).__name__})") from None
    if table is None:
        if not isinstance(fact, f.Opened):
            raise ReplayDiffers(f"record {stored.seq}: a journal begins with the opening of the table")
        table = Table(fact.setup, _known(rulebook_of, stored.seq))
    try:
        decisions = [public_decision(each) for each in table.apply(fact)]
    except ReplayDiffers:
        raise
    except Exception as bug:
        what = f"this program breaks on it ({type(bug).__name__}), recorded was {recorded}"
        raise ReplayDiffers(f"record {stored.seq}: {what}") from bug
    return Replayed(stored=stored, public=public, fact=fact, decisions=decisions), table


def _told(seq: int, wrong: Exception) -> str:
    text = str(wrong)
    return text if text.startswith(f"record {seq}:") else f"record {seq}: {text}"


def _known(rulebook_of: Callable[[f.Setup], Rulebook], seq: int) -> Callable[[f.Setup], Rulebook]:
    """`rulebook_of`, where a rulebook that this program does not have is a difference."""

    def known(setup: f.Setup) -> Rulebook:
        try:
            return rulebook_of(setup)
        except KeyError:
            raise ReplayDiffers(f"record {seq}: the rulebook {setup.rulebook!r} is none of this program's") from None

    return known


def _at(store: Store, boundary: int, rulebook_of: Callable[[f.Setup], Rulebook]) -> Table | None:
    if boundary == 0:
        return None
    stored = next(iter(store.records(after=boundary - 1)))
    if chained(store.hash_at(boundary - 1), stored.public) != stored.hash:
        raise ReplayDiffers(f"record {boundary}: its hash does not follow from the record before; it was changed")
    try:
        carry = carry_of(json.loads(stored.public)["carry"])
    except (KeyError, TypeError, ValueError) as wrong:
        raise ReplayDiffers(f"record {boundary}: no end of a hand that this program can go on from ({wrong})") from None
    return Table.resume(carry, _known(rulebook_of, boundary))


def _where(seq: int, recorded: list[dict[str, Any]], decided: list[dict[str, Any]]) -> str:
    for index in range(max(len(recorded), len(decided))):
        was = recorded[index] if index < len(recorded) else None
        now = decided[index] if index < len(decided) else None
        if was != now:
            return f"record {seq}, decision {index + 1}: recorded {was}, this program decides {now}"
    return f"record {seq}: the same decisions"
