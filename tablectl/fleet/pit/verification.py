"""Whether what the pit server keeps of a table is still what the table sent: chain and signatures, from record 1.

The records are verified in spans, on all processors. A span begins with the hash of the record before it, which the
span before verifies.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final

import msgspec

from tablectl.fleet.batches import BadBatch
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.settings import PitSection
from tablectl.fleet.pit.store import KeptRecord, KnownTable, PitStore, StoreUnusable
from tablectl.journal.signing import Witness
from tablectl.journal.store import Position, chained

#: Records of a span: some seconds of work.
SPAN: Final = 100_000


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """Records and signatures that are good; `withheld`: records that were too long to be sent. `fault`: the first thing
    that is wrong, empty where nothing is."""

    records: int = 0
    signatures: int = 0
    withheld: int = 0
    fault: str = ""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """The records after the one with the number `after`, up to `to`. `ends`: the hash that the last one has to have,
    empty where the next span says so."""

    after: int
    to: int
    ends: bytes = b""


def spans(head: Position, size: int = SPAN) -> list[Span]:
    """All records up to the head."""
    found = [Span(after=after, to=after + size) for after in range(0, head.seq - size, size)]
    return [*found, Span(after=found[-1].to if found else 0, to=head.seq, ends=head.hash)]


def verify(store: PitStore, table: KnownTable, size: int = SPAN) -> Verified:
    """All records of a table's newest epochs."""
    return together(verify_span(store, table, span) for span in spans(store.head(table).position, size))


def together(parts: Iterable[Verified]) -> Verified:
    """What was found in consecutive spans, up to the first fault."""
    records = signatures = withheld = 0
    for part in parts:
        records, signatures, withheld = (
            records + part.records,
            signatures + part.signatures,
            withheld + part.withheld,
        )
        if part.fault:
            return Verified(records=records, signatures=signatures, withheld=withheld, fault=part.fault)
    return Verified(records=records, signatures=signatures, withheld=withheld)


def verify_span(store: PitStore, table: KnownTable, span: Span) -> Verified:
    """The records of a span."""
    witness, seq = Witness(table.key), span.after
    signatures = withheld = 0
    try:
        link = store.hash_of(table, span.after)
        fault = f"record {span.after} is missing" if link is None else ""
        link = link or b""
        for record in () if fault else store.records(table, after=span.after, to=span.to):
            fault = _fault(witness, record, seq + 1, link)
            if fault:
                break
            seq, link = seq + 1, record.hash
            signatures += bool(record.signature)
            withheld += not record.public
    except (BadBatch, StoreUnusable) as wrong:
        fault, link = f"what is kept after record {seq} cannot be read: {wrong}", b""
    if not fault and seq != span.to:
        fault = f"record {seq + 1} is missing"
    elif not fault and span.ends not in (b"", link):
        fault = f"the head says another record {seq}"
    return Verified(records=seq - span.after, signatures=signatures, withheld=withheld, fault=fault)


def _fault(witness: Witness, record: KeptRecord, seq: int, before: bytes) -> str:
    """What is wrong with a record that has this number and follows this hash; empty where nothing is."""
    if record.seq != seq:
        return f"record {seq} is missing"
    if record.public and chained(before, record.public) != record.hash:
        return f"record {seq} is not the one that came, or one before it is not"
    if record.signature and not witness.confirms(seq, record.hash, record.signature):
        return f"record {seq} is not signed by the table"
    return ""


def verify_all(
    settings: PitSection, heads: Sequence[tuple[KnownTable, Position]], *, size: int = SPAN
) -> Iterator[tuple[KnownTable, Span, Verified]]:
    """What was found in each span of each table, in their order. No store may be open in this process, since those that
    look are made from it."""
    todo = [(table, span) for table, head in heads for span in spans(head, size)]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("fork")) as pool:
        found = [pool.submit(_verified, settings, table, span) for table, span in todo]
        try:
            for (table, span), one in zip(todo, found, strict=True):
                yield table, span, one.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _verified(settings: PitSection, table: KnownTable, span: Span) -> Verified:
    try:
        with opened(settings) as store:
            return verify_span(store, table, span)
    except StoreUnusable as wrong:
        return Verified(fault=f"what is kept after record {span.after} cannot be read: {wrong}")
