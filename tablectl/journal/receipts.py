"""What a pit server answers for records that are durable there: up to which one, signed. A journal keeps some of them.

Ed25519 over one line of text, as the table signs its records, so that openssl can check it:
`tablectl receipt TABLE EPOCH SEQ HASH TIME` and a newline. After a table has such a receipt in its journal it cannot
write another past, and the pit server cannot deny what it received.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from tablectl.core.events.notes import Receipted
from tablectl.core.records import kind_in_public
from tablectl.journal.public_keys import BadKey, load_public
from tablectl.journal.signing import Signer, Witness
from tablectl.journal.store import Stored
from tablectl.journal.volumes import VolumeSet

#: Between two receipts that a journal keeps: whoever may hand them in does not fill the disk with them.
LEAST_S: Final = 60.0
#: How a record with a receipt is found.
_WITH_RECEIPT: Final = kind_in_public(Receipted)


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """`seq` and `hash` (hexadecimal digits) of the newest record of the table that is durable at the pit server; 0 and
    the hash before record 1 where there is none. `at`: the server's time (RFC 3339, UTC)."""

    table: str
    epoch: str
    seq: int
    hash: str
    at: str
    #: 128 hexadecimal digits; empty before it is signed
    signature: str = ""

    def text(self) -> bytes:
        """What is signed."""
        return f"tablectl receipt {self.table} {self.epoch} {self.seq} {self.hash} {self.at}\n".encode()


def signed(signer: Signer, *, table: str, epoch: str, seq: int, link: bytes, at: str) -> Receipt:
    """The receipt for all records up to this one."""
    receipt = Receipt(table=table, epoch=epoch, seq=seq, hash=link.hex(), at=at)
    return msgspec.structs.replace(receipt, signature=signer.sign_text(receipt.text()).hex())


def is_good(witness: Witness, receipt: Receipt) -> bool:
    """Whether the owner of the key signed it."""
    try:
        signature = bytes.fromhex(receipt.signature)
    except ValueError:
        return False
    return witness.confirms_text(receipt.text(), signature)


# --- what a journal keeps of them -----------------------------------------------------------------------------------


class NotKept(StrEnum):
    """Why the controller does not put a receipt on record."""

    #: this table has no uplink, or its `pit_key` cannot be read
    NO_KEY = "no-key"
    #: it is not signed by the pit server
    SIGNATURE = "signature"
    #: the journal has another record under this number, or none
    CHAIN = "chain"
    #: one that reaches as far or farther is on record
    KNOWN = "known"
    #: one was put on record just now
    TOO_SOON = "too-soon"


class BadReceipt(Exception):
    """A receipt that is not put on record. `why`: a word for programs."""

    def __init__(self, why: NotKept, error: str) -> None:
        super().__init__(error)
        self.why = why


class KeptReceipts:
    """Those of one journal: which is the newest, and which are taken. Used by many threads."""

    def __init__(self, journal: Path, pit_key: Path | None = None) -> None:
        """`pit_key`: the pit server's public key (PEM); it may come while the table runs."""
        self._journal = journal
        self._pit_key = pit_key
        self._lock = threading.Lock()
        self._newest: Receipt | None = None
        self._is_looked_up = False
        self._taken_s = float("-inf")

    def newest(self) -> Receipt | None:
        """The newest one on record; None where there is none. Raises `JournalUnusable`."""
        with self._lock:
            if not self._is_looked_up:
                with closing(VolumeSet(self._journal)) as volume_set:
                    stored = volume_set.newest_with(_WITH_RECEIPT)
                self._newest = None if stored is None else next(in_records([stored]), None)
                self._is_looked_up = True
            return self._newest

    def check(self, receipt: Receipt) -> None:
        """Whether it may be put on record. By which name the pit server knows this table is its own affair: no other
        table has a record with that hash. Raises `BadReceipt`, `JournalUnusable`."""
        if not is_good(self._witness(), receipt):
            raise BadReceipt(NotKept.SIGNATURE, "it is not signed by our pit server (uplink.pit_key)")
        with closing(VolumeSet(self._journal)) as volume_set:
            stored = next(volume_set.records(after=receipt.seq - 1), None)
        if stored is None or stored.seq != receipt.seq or stored.hash.hex() != receipt.hash:
            raise BadReceipt(NotKept.CHAIN, f"record {receipt.seq} of this journal is another one, or there is none")
        newest = self.newest()
        if newest is not None and newest.seq >= receipt.seq:
            raise BadReceipt(NotKept.KNOWN, f"a receipt for record {newest.seq} is on record")
        if time.monotonic() - self._taken_s < LEAST_S:
            raise BadReceipt(NotKept.TOO_SOON, f"one is taken every {LEAST_S:g} s at most")

    def take(self, receipt: Receipt) -> None:
        """It is on record."""
        with self._lock:
            self._newest, self._is_looked_up, self._taken_s = receipt, True, time.monotonic()

    def _witness(self) -> Witness:
        if self._pit_key is None:
            raise BadReceipt(NotKept.NO_KEY, "this table has no pit server; uplink.url names one")
        try:
            return Witness(load_public(self._pit_key))
        except (BadKey, OSError) as wrong:
            raise BadReceipt(NotKept.NO_KEY, f"uplink.pit_key cannot be read: {wrong}") from None


def note_of(receipt: Receipt, at_us: int) -> Receipted:
    """What is put on record."""
    return Receipted(
        at_us=at_us,
        table=receipt.table,
        epoch=receipt.epoch,
        to_seq=receipt.seq,
        to_hash=receipt.hash,
        when=receipt.at,
        signature=receipt.signature,
    )


def in_records(records: Iterable[Stored]) -> Iterator[Receipt]:
    """The receipts that stand in these records, in their order. Raises `UnreadableRecord`."""
    for stored in records:
        if _WITH_RECEIPT in stored.public:
            event = stored.decoded().event
            if isinstance(event, Receipted):
                yield Receipt(
                    table=event.table,
                    epoch=event.epoch,
                    seq=event.to_seq,
                    hash=event.to_hash,
                    at=event.when,
                    signature=event.signature,
                )


class ReceiptsChecked(msgspec.Struct, frozen=True, kw_only=True):
    """The receipts of a journal, held against it. `unseen`: they are about records before the first one that is there.
    `fault`: the first that is not the pit server's, or contradicts the journal; empty where none does."""

    good: int = 0
    unseen: int = 0
    newest: Receipt | None = None
    fault: str = ""


def check_all(witness: Witness, records: Callable[[], Iterable[Stored]]) -> ReceiptsChecked:
    """The receipts in these records against the records that they are about. `records` reads them anew each time."""
    receipts = tuple(in_records(records()))
    about = {receipt.seq for receipt in receipts}
    hashes = {stored.seq: stored.hash.hex() for stored in records() if stored.seq in about}
    checked = ReceiptsChecked()
    for receipt in receipts:
        link = hashes.get(receipt.seq)
        if not is_good(witness, receipt):
            return msgspec.structs.replace(
                checked, fault=f"the receipt for record {receipt.seq} is not signed by this pit server"
            )
        if link is None:
            checked = msgspec.structs.replace(checked, unseen=checked.unseen + 1)
        elif link != receipt.hash:
            return msgspec.structs.replace(
                checked, fault=f"the pit server received another record {receipt.seq} than the journal has"
            )
        else:
            checked = msgspec.structs.replace(checked, good=checked.good + 1, newest=receipt)
    return checked
