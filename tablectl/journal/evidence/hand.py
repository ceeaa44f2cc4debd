"""One hand out of a journal, in its public form: its records, and what the table knew before the first of them.

No key is needed for any of this, so whoever holds the masked stream can make the same evidence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

from tablectl.core.codec import UnreadableRecord, decode_carry, decode_fact
from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Carry
from tablectl.core.stream import PublicRecord, decode_record
from tablectl.core.timestamps import time_us
from tablectl.i18n.currency import Currency, currency_of
from tablectl.journal.record import is_note
from tablectl.journal.store import Stored
from tablectl.journal.volumes import Shelf

#: The kinds of facts that bring a setup.
_SETS_UP: Final = ("opened", "game-chosen")


class NoEvidence(Exception):
    """What was asked for cannot be made. The text says why, and what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """A record as it lies in the journal, and what it says."""

    stored: Stored
    public: Mapping[str, Any]

    @property
    def record(self) -> PublicRecord:
        """The same as a value."""
        return decode_record(self.public)

    @property
    def fact(self) -> Mapping[str, Any]:
        """What happened."""
        found: Mapping[str, Any] = self.public["fact"]
        return found

    @property
    def signature(self) -> bytes | None:
        """The table's, where it signed."""
        return self.stored.signature

    def said(self, kind: str) -> list[Mapping[str, Any]]:
        """The decisions of one kind."""
        return [each for each in self.public["decisions"] if each["kind"] == kind]


@dataclass(frozen=True, kw_only=True, slots=True)
class Hand:
    """A hand. `before` is the signed record that carries the table over to it: the one that closed the hand before, or
    the first one of a volume; None for the first hand of a journal. `hash_before` is what the first record of `chain`
    follows."""

    number: int
    before: Recorded | None
    records: tuple[Recorded, ...]
    hash_before: bytes

    @property
    def is_closed(self) -> bool:
        """Whether it was played to its end."""
        return bool(self.records[-1].said("hand-closed"))

    @property
    def version(self) -> str:
        """That of the rulebook the hand was played by; empty before it was opened."""
        opened = [each for record in self.records for each in record.said("hand-opened")]
        return str(opened[0]["version"]) if opened else ""

    @property
    def croupier(self) -> str:
        """Whose hand it is; empty where nobody had signed on, and before it was opened."""
        opened = [each for record in self.records for each in record.said("hand-opened")]
        return str(opened[0].get("croupier", "")) if opened else ""

    @property
    def software(self) -> str:
        """The identity of the program that wrote the hand, as it stands in its records; empty where none does."""
        return next((str(each.public["software"]) for each in reversed(self.chain) if each.public.get("software")), "")

    @property
    def currency(self) -> Currency | None:
        """What its amounts are amounts of, by the newest of its records that says so; None where none does: journals of
        version 0.1.0 do not know it."""
        return next(filter(None, (currency_of(each.public) for each in reversed(self.records))), None)

    @property
    def last_signed(self) -> Recorded | None:
        """The newest record with a signature; it vouches for all before it."""
        return next((each for each in reversed(self.chain) if each.signature is not None), None)

    @property
    def chain(self) -> tuple[Recorded, ...]:
        """The hand with the record before it: what has to be shown so that the hand can be checked."""
        return self.records if self.before is None else (self.before, *self.records)

    def revealed(self) -> dict[int, str]:
        """The codes of the cards that the rules showed, by draw."""
        return {each["draw"]: each["card"] for record in self.records for each in record.public.get("reveals", ())}

    @property
    def setup(self) -> f.Setup:
        """What the house chose for this hand: the newest setup of the game that was played, where it was opened."""
        found = [self.beginning().setup]
        for record in self.records:
            opened = record.said("hand-opened")
            if opened:
                return next((each for each in reversed(found) if each.rulebook == opened[0]["rulebook"]), found[-1])
            if record.fact["kind"] in _SETS_UP:
                found.append(_setup(record))
        return found[-1]

    def beginning(self) -> Carry:
        """What the table knew before the first record, under the setup that then came into force at once; one that came
        later, or of which something followed, is none of it."""
        if self.before is not None:
            carry = decode_carry(self.before.public["carry"])
        else:
            carry = Carry(
                setup=_first_setup(self.records), hand=0, n_incidents=0, previous={}, unseen=(), shoe_lost=None
            )
        for record in self.records:
            if is_note(record.fact):
                continue
            if record.fact["kind"] not in _SETS_UP or record.public["decisions"]:
                break
            carry = _under(carry, _setup(record))
        return carry


def read(journal: Shelf, number: int) -> Hand:
    """A hand of a journal. Raises `NoEvidence`."""
    own = list(map(_recorded, journal.records(hand=number)))
    if not own:
        newest = journal.stores[-1].newest_hand
        raise NoEvidence(f"{journal.stores[0].path}: no hand {number}; the newest one is hand {newest}")
    end = next((each for each in own if each.said("hand-closed")), own[-1]).stored.seq
    carried = [each.stored.seq for each in own if "carry" in each.public and not each.said("hand-closed")]
    begin = carried[-1] if carried else journal.boundary_before(own[0].stored.seq)
    told = list(takewhile(lambda each: each.stored.seq <= end, map(_recorded, journal.records(after=begin - 1))))
    return Hand(
        number=number,
        before=told[0] if begin else None,
        records=tuple(told[1:] if begin else told),
        hash_before=_hash_before(journal, told[0].stored.seq),
    )


def _hash_before(journal: Shelf, seq: int) -> bytes:
    return next(store.hash_before(seq) for store in journal.stores if store.at(seq) is not None)


def _recorded(stored: Stored) -> Recorded:
    return Recorded(stored=stored, public=json.loads(stored.public))


def _first_setup(records: Iterable[Recorded]) -> f.Setup:
    opened = next((each for each in records if each.fact["kind"] == "opened"), None)
    if opened is None:
        raise UnreadableRecord("a journal that does not begin with the opening of the table")
    return _setup(opened)


def _setup(record: Recorded) -> f.Setup:
    fact = decode_fact(record.fact, time_us(record.public["at"]), None)
    if not isinstance(fact, f.Opened | f.GameChosen):
        raise UnreadableRecord(f"a {record.fact['kind']!r} fact before the table was opened")
    return fact.setup


def _under(carry: Carry, setup: f.Setup) -> Carry:
    """The same table after its controller started with this setup: bets of another game are not offered again."""
    same = setup.rulebook == carry.setup.rulebook and setup.tracking is carry.setup.tracking
    previous = {seat: bets for seat, bets in carry.previous.items() if same and seat <= setup.seats}
    kept = {seat: bets for seat, bets in carry.kept.items() if same and seat <= setup.seats}
    conduct = carry.conduct if same else {}
    return replace(carry, setup=setup, previous=previous, kept=kept, conduct=conduct, next_setup=None)
