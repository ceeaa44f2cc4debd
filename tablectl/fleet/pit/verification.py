"""Whether what the pit server keeps of a table is still what the table sent: chain and signatures, from record 1."""

from __future__ import annotations

import msgspec

from tablectl.fleet.pit.store import KnownTable, PitStore
from tablectl.journal.signing import Witness
from tablectl.journal.store import BEGINNING, chained


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """Records and signatures that are good; `withheld`: records that were too long to be sent. `fault`: the first thing
    that is wrong, empty where nothing is."""

    records: int
    signatures: int
    withheld: int
    fault: str = ""


def verify(store: PitStore, table: KnownTable) -> Verified:
    """All records of a table's newest epochs."""
    witness, link, seq = Witness(table.key), BEGINNING.hash, BEGINNING.seq
    signatures = withheld = 0
    fault = ""
    for record in store.records(table):
        seq += 1
        if record.seq != seq:
            fault = f"record {seq} is missing"
        elif record.public and chained(link, record.public) != record.hash:
            fault = f"record {seq} is not the one that came, or one before it is not"
        elif record.signature and not witness.confirms(seq, record.hash, record.signature):
            fault = f"record {seq} is not signed by the table"
        if fault:
            seq -= 1
            break
        link = record.hash
        signatures += bool(record.signature)
        withheld += not record.public
    head = store.head(table).position
    if not fault and head.seq != seq:
        fault = f"records {seq + 1} to {head.seq} are missing"
    elif not fault and head.hash != link:
        fault = f"the head says another record {seq}"
    return Verified(records=seq, signatures=signatures, withheld=withheld, fault=fault)
