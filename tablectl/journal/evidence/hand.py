"""One hand out of a journal, in its public form: its records, and what the table knew before the first of them.

No key is needed for any of this, so whoever holds the masked stream can make the same evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import HandClosed, HandOpened
from tablectl.core.events.codec import UnreadableRecord
from tablectl.core.events.corrections import as_they_stand
from tablectl.core.events.stream import Event, PublicRecord
from tablectl.i18n.currency import Currency, currency_of
from tablectl.journal.store import Stored

_Decision = TypeVar("_Decision")


class NoEvidence(Exception):
    """What was asked for cannot be made. The text says why, and what to do."""


class PublicJournal(Protocol):
    """What evidence reads of a journal, wherever its public records are: the volumes of a table, or a pit server."""

    @property
    def name(self) -> str:
        """As messages call it."""
        ...

    @property
    def newest_hand(self) -> int:
        """The hand of its newest record; 0 where it has none."""
        ...

    def records(self, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """The records after a position, in order; only those of one hand where it is named."""
        ...

    def boundary_before(self, seq: int) -> int:
        """The last boundary before a position; 0 where there is none."""
        ...

    def hash_before(self, seq: int) -> bytes:
        """The hash that the record at a position has to follow."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """A record as it lies in the journal, and what it says."""

    stored: Stored
    record: PublicRecord

    @property
    def event(self) -> Event:
        """What happened."""
        return self.record.event

    @property
    def signature(self) -> bytes | None:
        """The table's, where it signed."""
        return self.stored.signature

    def said(self, kind: type[_Decision]) -> list[_Decision]:
        """The decisions of one kind."""
        return [decision for decision in self.record.decisions if isinstance(decision, kind)]


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
        return bool(self.records[-1].said(HandClosed))

    @property
    def float_change(self) -> int | None:
        """By how much the table's float should have changed, in a game for pots the fee; None without amounts, and
        before the hand was over."""
        return next((closed.float_change for closed in self.records[-1].said(HandClosed)), None)

    @property
    def opened(self) -> HandOpened | None:
        """The decision that opened it; None before."""
        return next((opened for record in self.records for opened in record.said(HandOpened)), None)

    @property
    def version(self) -> str:
        """That of the rulebook the hand was played by; empty before it was opened."""
        return self.opened.version if self.opened is not None else ""

    @property
    def croupier(self) -> str:
        """Whose hand it is; empty where nobody had signed on, and before it was opened."""
        return self.opened.croupier if self.opened is not None else ""

    @property
    def software(self) -> str:
        """The identity of the program that wrote the hand, as it stands in its records; empty where none does."""
        return next((told.record.software for told in reversed(self.chain) if told.record.software), "")

    @property
    def currency(self) -> Currency | None:
        """What its amounts are amounts of, by the newest of its records that says so; None where none does: journals of
        version 0.1.0 do not know it."""
        records = (recorded.record for recorded in reversed(self.records))
        return next(filter(None, (currency_of(told.currency, told.currency_exponent) for told in records)), None)

    @property
    def last_signed(self) -> Recorded | None:
        """The newest record with a signature; it vouches for all before it."""
        return next((recorded for recorded in reversed(self.chain) if recorded.signature is not None), None)

    @property
    def chain(self) -> tuple[Recorded, ...]:
        """The hand with the record before it: what has to be shown so that the hand can be checked."""
        return self.records if self.before is None else (self.before, *self.records)

    def revealed(self) -> dict[int, str]:
        """The codes of the cards that the rules showed, by draw."""
        return {reveal.draw: reveal.card.code for told in self.records for reveal in told.record.reveals}

    def as_it_stands(self) -> tuple[Recorded, ...]:
        """Its records with what follows from each after all corrections."""
        made = as_they_stand(told.record for told in self.records)
        return tuple(replace(told, record=record) for told, record in zip(self.records, made, strict=True))

    @property
    def setup(self) -> f.Setup:
        """What the house chose for this hand: the newest setup of the game that was played, where it was opened."""
        found = [self.beginning().setup]
        for record in self.records:
            opened = record.said(HandOpened)
            if opened:
                return next((setup for setup in reversed(found) if setup.rulebook == opened[0].rulebook), found[-1])
            if isinstance(record.event, f.Opened | f.GameChosen):
                found.append(record.event.setup)
        return found[-1]

    def beginning(self) -> Carry:
        """What the table knew before the first record, under the setup that then came into force at once; one that came
        later, or of which something followed, is none of it."""
        carry = None if self.before is None else self.before.record.carry
        if carry is None:
            carry = Carry(
                setup=_first_setup(self.records), hand=0, n_incidents=0, previous={}, unseen=(), shoe_lost=None
            )
        for record in self.records:
            if record.record.is_note:
                continue
            if not isinstance(record.event, f.Opened | f.GameChosen) or record.record.decisions:
                break
            carry = _under(carry, record.event.setup)
        return carry


def read(journal: PublicJournal, number: int) -> Hand:
    """A hand of a journal. Raises `NoEvidence`."""
    own = list(map(_recorded, journal.records(hand=number)))
    if not own:
        raise NoEvidence(f"{journal.name}: no hand {number}; the newest one is hand {journal.newest_hand}")
    end = next((told for told in own if told.said(HandClosed)), own[-1]).stored.seq
    carried = [told.stored.seq for told in own if told.record.carry is not None and not told.said(HandClosed)]
    begin = carried[-1] if carried else journal.boundary_before(own[0].stored.seq)
    told = list(_up_to(end, journal.records(after=begin - 1)))
    return Hand(
        number=number,
        before=told[0] if begin else None,
        records=tuple(told[1:] if begin else told),
        hash_before=journal.hash_before(told[0].stored.seq),
    )


def _up_to(last: int, records: Iterable[Stored]) -> Iterator[Recorded]:
    """The records up to this one; the one after it is not read."""
    for stored in records:
        yield _recorded(stored)
        if stored.seq >= last:
            return


def _recorded(stored: Stored) -> Recorded:
    return Recorded(stored=stored, record=stored.decoded())


def _first_setup(records: Iterable[Recorded]) -> f.Setup:
    opened = next((record.event for record in records if isinstance(record.event, f.Opened)), None)
    if opened is None:
        raise UnreadableRecord("a journal that does not begin with the opening of the table")
    return opened.setup


def _under(carry: Carry, setup: f.Setup) -> Carry:
    """The same table after its controller started with this setup: bets of another game are not offered again."""
    same = setup.rulebook == carry.setup.rulebook and setup.tracking is carry.setup.tracking
    previous = {seat: bets for seat, bets in carry.previous.items() if same and seat <= setup.seats}
    kept = {seat: bets for seat, bets in carry.kept.items() if same and seat <= setup.seats}
    conduct = carry.conduct if same else {}
    return replace(carry, setup=setup, previous=previous, kept=kept, conduct=conduct, next_setup=None)
