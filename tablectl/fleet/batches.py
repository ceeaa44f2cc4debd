"""Records on their way to the pit server: consecutive public records of one table, packed.

A batch is MessagePack (msgpack.org) of `Batch`, compressed by Zstandard (RFC 8878). It has the verbatim bytes over
which the chain of the journal runs, and the hash of the last record alone: whoever receives it computes the others.
Nothing sealed is in it, since nothing sealed is in the public stream.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Final

import msgspec
import zstandard
from msgspec import Meta

from tablectl.core.unreadable import UNREADABLE
from tablectl.fleet.epochs import HASH_BYTES, Epoch
from tablectl.fleet.epochs import parse as parse_epoch
from tablectl.journal.signing import SIGNATURE_BYTES, Witness
from tablectl.journal.store import Position, Stored, chained

#: Most records of a batch, and most bytes of one before it is compressed.
RECORDS_MOST: Final = 500
BYTES_MOST: Final = 512_000
#: Of so many records each signature is looked at when they come.
EACH_SIGNED_MOST: Final = 100
#: A longer record is named, and not sent.
RECORD_BYTES_MOST: Final = 64_000
#: Most bytes of what carries a batch: compression makes hardly anything longer.
BODY_BYTES_MOST: Final = BYTES_MOST + 16_000
#: No record, hand or length has a greater number: what keeps them has to have room for it.
NUMBER_MOST: Final = 2**53
#: The level at which a batch of 500 takes 85 bytes a record (docs/fleet.md).
_LEVEL: Final = 3
#: What a record takes beside its own bytes.
_BESIDE: Final = SIGNATURE_BYTES + 16
_KIND: Final = re.compile(r"[a-z][a-z0-9-]{0,63}")

_Hash = Annotated[bytes, Meta(min_length=HASH_BYTES, max_length=HASH_BYTES)]


class Flaw(StrEnum):
    """Why a batch is not what a table's uplink sends. Nothing of it is taken."""

    #: its bytes are no batch, or it is longer than one may be
    SHAPE = "shape"
    #: a record is no record of a journal, or has another number than its place says
    RECORD = "record"
    #: the hashes of its records do not lead to the one that it ends with
    CHAIN = "chain"
    #: a signature is not that of the table
    SIGNATURE = "signature"


class BadBatch(ValueError):
    """A batch with a flaw. `seq`: the record that it is in, 0 where it is in none."""

    def __init__(self, flaw: Flaw, what: str, *, seq: int = 0) -> None:
        super().__init__(f"record {seq}: {what}" if seq else what)
        self.flaw = flaw
        self.seq = seq


class SentRecord(msgspec.Struct, frozen=True, array_like=True):
    """One record. `signature` is empty where it has none. A record that is too long has `withheld`, its hash, and
    `length`, its bytes, instead of `public`."""

    public: bytes = b""
    signature: bytes = b""
    withheld: bytes = b""
    length: Annotated[int, Meta(ge=0, le=NUMBER_MOST)] = 0


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """`first`: the number of its first record. `before` and `last`: the hashes of the record before it and of its last
    one."""

    epoch: str
    first: Annotated[int, Meta(ge=1, le=NUMBER_MOST)]
    before: _Hash
    last: _Hash
    records: Annotated[tuple[SentRecord, ...], Meta(min_length=1, max_length=RECORDS_MOST)]


class CheckedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record whose place in the chain of its batch is known. `kind` and `at` (RFC 3339, UTC) are what it says of
    itself; `kind` is `withheld` where it was too long to be sent."""

    seq: int
    hand: int
    kind: str
    at: str
    hash: bytes
    sent: SentRecord


class CheckedBatch(msgspec.Struct, frozen=True, kw_only=True):
    """A batch of a table that is right in itself; whether it follows what is known is another question."""

    epoch: Epoch
    before: Position
    records: tuple[CheckedRecord, ...]

    @property
    def first(self) -> int:
        """The number of its first record."""
        return self.records[0].seq

    @property
    def last(self) -> Position:
        """Its last record."""
        return Position(self.records[-1].seq, self.records[-1].hash)


#: What stands for a record that was too long to be sent.
WITHHELD: Final = "withheld"


class _Kind(msgspec.Struct):
    kind: str


class _Public(msgspec.Struct):
    """The parts of a public form that are looked at."""

    seq: int
    hand: int
    at: str
    fact: _Kind


class _Zstd(threading.local):
    """Of each thread: to make one takes longer than a small batch does."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=_LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


_ZSTD: Final = _Zstd()
_RECORD: Final = msgspec.json.Decoder(_Public)
_BATCH: Final = msgspec.msgpack.Decoder(Batch)


# --- at the table ---------------------------------------------------------------------------------------------------


def room_of(public: bytes) -> int:
    """How many bytes of a batch a record takes."""
    return _BESIDE + (len(public) if len(public) <= RECORD_BYTES_MOST else HASH_BYTES)


def kind_in(public: bytes) -> str:
    """What kind of record its verbatim bytes are. Raises `BadBatch` for what is none."""
    try:
        return _RECORD.decode(public).fact.kind
    except UNREADABLE as wrong:
        raise BadBatch(Flaw.RECORD, f"no record of a journal: {wrong}") from None


def packed(epoch: Epoch, before: bytes, records: Sequence[Stored]) -> bytes:
    """The batch of these records, the first of which follows the record with the hash `before`."""
    return _packed(epoch, Position(records[0].seq - 1, before), records[-1].hash, tuple(map(_sent, records)))


def repacked(epoch: Epoch, before: bytes, records: Sequence[CheckedRecord]) -> bytes:
    """The batch of these records, which came in others."""
    sent = tuple(record.sent for record in records)
    return _packed(epoch, Position(records[0].seq - 1, before), records[-1].hash, sent)


def _packed(epoch: Epoch, before: Position, last: bytes, records: tuple[SentRecord, ...]) -> bytes:
    batch = Batch(epoch=str(epoch), first=before.seq + 1, before=before.hash, last=last, records=records)
    return compressed(batch)


def compressed(batch: Batch) -> bytes:
    """What carries a batch, whatever is in it."""
    return _ZSTD.compressor.compress(msgspec.msgpack.encode(batch))


def _sent(stored: Stored) -> SentRecord:
    signature = stored.signature or b""
    if len(stored.public) <= RECORD_BYTES_MOST:
        return SentRecord(public=stored.public, signature=signature)
    return SentRecord(signature=signature, withheld=stored.hash, length=len(stored.public))


# --- at the pit server ----------------------------------------------------------------------------------------------


def unpacked(body: bytes) -> Batch:
    """What came. It is unpacked no further than a batch may be long. Raises `BadBatch`."""
    if len(body) > BODY_BYTES_MOST:
        raise BadBatch(Flaw.SHAPE, f"{len(body)} bytes; a batch has {BODY_BYTES_MOST} at most")
    most = BYTES_MOST + RECORDS_MOST * _BESIDE
    try:
        # What it says of its length is what it is unpacked to, or an error.
        length = zstandard.frame_content_size(body)
        if not 0 <= length <= most:
            says = "does not say how long it is" if length < 0 else f"has {length} bytes"
            raise BadBatch(Flaw.SHAPE, f"it {says}; {most} at most when it is unpacked")
        plain = _ZSTD.decompressor.decompress(body, allow_extra_data=False)
    except zstandard.ZstdError as wrong:
        raise BadBatch(Flaw.SHAPE, f"not compressed by Zstandard: {wrong}") from None
    try:
        return _BATCH.decode(plain)
    except UNREADABLE as wrong:
        raise BadBatch(Flaw.SHAPE, f"no batch: {wrong}") from None


def checked(batch: Batch, witness: Witness) -> CheckedBatch:
    """The batch, with the hash of each record, where all of it is right. `witness` knows the table's key. Of many
    records only the last signature is looked at, which vouches for every hash before it: to look at each takes seven
    times as long, and `verification.verify` does. Raises `BadBatch`."""
    try:
        epoch = parse_epoch(batch.epoch)
    except ValueError as wrong:
        raise BadBatch(Flaw.SHAPE, str(wrong)) from None
    link, records = batch.before, []
    for seq, sent in enumerate(batch.records, start=batch.first):
        made = _checked(seq, sent, link)
        link = made.hash
        records.append(made)
    signed = [record for record in records if record.sent.signature]
    is_each_looked_at = len(records) <= EACH_SIGNED_MOST or link != batch.last
    for record in signed if is_each_looked_at else signed[-1:]:
        if not _is_signed(witness, record):
            raise BadBatch(Flaw.SIGNATURE, "it is not signed by this table", seq=record.seq)
    if link != batch.last:
        raise BadBatch(Flaw.CHAIN, "its hash is another one than the batch says", seq=records[-1].seq)
    return CheckedBatch(epoch=epoch, before=Position(batch.first - 1, batch.before), records=tuple(records))


def _checked(seq: int, sent: SentRecord, before: bytes) -> CheckedRecord:
    if sent.withheld:
        if len(sent.withheld) != HASH_BYTES or sent.public:
            raise BadBatch(Flaw.RECORD, "withheld without its hash, or with its bytes", seq=seq)
        return CheckedRecord(seq=seq, hand=0, kind=WITHHELD, at="", hash=sent.withheld, sent=sent)
    if len(sent.public) > RECORD_BYTES_MOST:
        raise BadBatch(Flaw.RECORD, f"{len(sent.public)} bytes; {RECORD_BYTES_MOST} at most", seq=seq)
    try:
        told = _RECORD.decode(sent.public)
    except UNREADABLE as wrong:
        raise BadBatch(Flaw.RECORD, f"no record of a journal: {wrong}", seq=seq) from None
    if told.seq != seq:
        raise BadBatch(Flaw.RECORD, f"it says that it is record {told.seq}", seq=seq)
    if (
        not _KIND.fullmatch(told.fact.kind)
        or not told.at.isprintable()
        or len(told.at) > 40
        or not 0 <= told.hand <= NUMBER_MOST
    ):
        raise BadBatch(Flaw.RECORD, "its kind, time or hand is none", seq=seq)
    return CheckedRecord(
        seq=seq,
        hand=told.hand,
        kind=told.fact.kind,
        at=told.at,
        hash=chained(before, sent.public),
        sent=sent,
    )


def _is_signed(witness: Witness, record: CheckedRecord) -> bool:
    signature = record.sent.signature
    return len(signature) == SIGNATURE_BYTES and witness.confirms(record.seq, record.hash, signature)
