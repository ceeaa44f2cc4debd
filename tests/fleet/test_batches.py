"""A batch is taken as it was sent, or refused whole with the record that is wrong in it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
import zstandard

from tablectl.fleet import batches
from tablectl.fleet.batches import BadBatch, Batch, Flaw, SentRecord
from tablectl.fleet.epochs import Epoch, parse
from tablectl.journal.receipts import is_good, signed
from tablectl.journal.signing import Witness
from tests.fleet.chains import Chain


def chain_of(count: int) -> Chain:
    chain = Chain()
    chain.add(count)
    return chain


def changed(body: bytes, change: Callable[[Batch], Batch]) -> bytes:
    batch = change(batches.unpacked(body))
    return zstandard.ZstdCompressor().compress(msgspec.msgpack.encode(batch))


def with_record(number: int, change: Callable[[SentRecord], SentRecord]) -> Callable[[Batch], Batch]:
    def made(batch: Batch) -> Batch:
        records = list(batch.records)
        records[number] = change(records[number])
        return msgspec.structs.replace(batch, records=tuple(records))

    return made


def test_a_batch_arrives_as_it_was_sent() -> None:
    chain = chain_of(30)
    batch = chain.batch(5, 25)
    assert [record.seq for record in batch.records] == list(range(5, 26))
    for record, stored in zip(batch.records, chain.records[4:25], strict=True):
        assert (record.sent.public, record.hash, record.hand) == (stored.public, stored.hash, stored.hand)
        assert record.sent.signature == (stored.signature or b"")
    assert batch.epoch == chain.epoch
    assert batch.before == (4, chain.records[3].hash)


def told(sent: SentRecord, before: bytes, after: bytes) -> SentRecord:
    """A record that says something else."""
    assert before in sent.public
    return msgspec.structs.replace(sent, public=sent.public.replace(before, after, 1))


@pytest.mark.parametrize(
    ("change", "flaw", "seq"),
    [
        (
            with_record(3, lambda sent: msgspec.structs.replace(sent, public=sent.public[:-1] + b" }")),
            Flaw.SIGNATURE,
            10,
        ),
        (with_record(3, lambda sent: msgspec.structs.replace(sent, public=b"{}")), Flaw.RECORD, 8),
        (with_record(3, lambda sent: msgspec.structs.replace(sent, public=b"\0")), Flaw.RECORD, 8),
        (with_record(5, lambda sent: msgspec.structs.replace(sent, signature=b"\1" * 64)), Flaw.SIGNATURE, 10),
        (with_record(3, lambda sent: msgspec.structs.replace(sent, signature=b"\1")), Flaw.SIGNATURE, 8),
        (with_record(3, lambda sent: told(sent, b'"hand":1', b'"hand":9007199254740993')), Flaw.RECORD, 8),
        (with_record(3, lambda sent: told(sent, b'"hand":1', b'"hand":-1')), Flaw.RECORD, 8),
        (with_record(3, lambda sent: told(sent, b'"kind":"pressed"', b'"kind":"\\u0000"')), Flaw.RECORD, 8),
        (with_record(3, lambda sent: told(sent, b"T10:", b"\\u0000T10:")), Flaw.RECORD, 8),
        (with_record(3, lambda sent: told(sent, b"T10:", b"\\ud800T10:")), Flaw.RECORD, 8),
        (with_record(3, lambda sent: told(sent, b"T10:", b"\xff")), Flaw.RECORD, 8),
        (with_record(3, lambda sent: msgspec.structs.replace(sent, length=2**53 + 1)), Flaw.SHAPE, 0),
        (lambda batch: msgspec.structs.replace(batch, first=6), Flaw.RECORD, 6),
        (lambda batch: msgspec.structs.replace(batch, before=bytes(32)), Flaw.SIGNATURE, 10),
        (lambda batch: msgspec.structs.replace(batch, last=bytes(32)), Flaw.CHAIN, 20),
        (lambda batch: msgspec.structs.replace(batch, epoch="x"), Flaw.SHAPE, 0),
        (lambda batch: msgspec.structs.replace(batch, records=()), Flaw.SHAPE, 0),
    ],
)
def test_what_was_changed_on_the_way_is_refused_and_named(
    change: Callable[[Batch], Batch], flaw: Flaw, seq: int
) -> None:
    chain = chain_of(30)
    with pytest.raises(BadBatch) as refused:
        batches.checked(batches.unpacked(changed(chain.body(5, 20), change)), chain.witness)
    assert (refused.value.flaw, refused.value.seq) == (flaw, seq)


def test_another_tables_signature_is_refused() -> None:
    chain = chain_of(30)
    with pytest.raises(BadBatch) as refused:
        batches.checked(batches.unpacked(chain.body(5, 20)), chain_of(1).witness)
    assert (refused.value.flaw, refused.value.seq) == (Flaw.SIGNATURE, 10)


def test_what_unpacks_to_more_than_a_batch_may_have_is_unpacked_no_further() -> None:
    bomb = zstandard.ZstdCompressor().compress(bytes(200_000_000))
    assert len(bomb) < batches.BODY_BYTES_MOST
    with pytest.raises(BadBatch, match="at most when it is unpacked"):
        batches.unpacked(bomb)
    with pytest.raises(BadBatch, match="Zstandard"):
        batches.unpacked(b"nothing")
    with pytest.raises(BadBatch, match="at most"):
        batches.unpacked(bytes(batches.BODY_BYTES_MOST + 1))


def test_a_record_that_is_too_long_is_named_and_the_chain_goes_on() -> None:
    chain = chain_of(3)
    chain.add(text="y" * batches.RECORD_BYTES_MOST)
    chain.add(6)
    batch = chain.batch(1, 10)
    withheld = batch.records[3]
    assert (withheld.kind, withheld.sent.public, withheld.hash) == (batches.WITHHELD, b"", chain.records[3].hash)
    assert withheld.sent.length == len(chain.records[3].public)
    assert batch.last == chain.newest


def test_a_full_batch_of_long_records_can_be_sent() -> None:
    chain = Chain()
    chain.add(batches.BYTES_MOST // 60_000, text="z" * 59_000)
    assert len(chain.batch(1, len(chain.records)).records) == 8


def test_an_epoch_as_text() -> None:
    for epoch in (Epoch(), Epoch(origin="ab" * 32, restores=3)):
        assert parse(str(epoch)) == epoch
    for wrong in ("", "1", "ab.1", "-.x", "-.-1"):
        with pytest.raises(ValueError, match=r"epoch|non-hexadecimal"):
            parse(wrong)


def test_a_receipt_is_good_as_it_was_signed_and_in_no_other_way() -> None:
    pit = chain_of(1).signer
    receipt = signed(pit, table="mesa-1", epoch=str(Epoch()), seq=7, link=bytes(32), at="2026-11-28T10:00:00.000000Z")
    witness = chain_of(1).witness
    assert not is_good(witness, receipt)
    ours = Witness(pit.public)
    assert is_good(ours, receipt)
    for change in ({"seq": 8}, {"table": "mesa-2"}, {"epoch": "-.1"}, {"hash": "00"}, {"at": ""}, {"signature": "zz"}):
        assert not is_good(ours, msgspec.structs.replace(receipt, **change))


def test_of_many_records_the_last_signature_vouches_for_all_and_is_looked_at() -> None:
    chain = chain_of(batches.EACH_SIGNED_MOST + 50)
    body = chain.body(1, len(chain.records))

    def forged(seq: int) -> bytes:
        return changed(body, with_record(seq - 1, lambda sent: msgspec.structs.replace(sent, signature=b"\1" * 64)))

    batches.checked(batches.unpacked(forged(20)), chain.witness)
    with pytest.raises(BadBatch, match="record 150: it is not signed"):
        batches.checked(batches.unpacked(forged(150)), chain.witness)


def test_of_many_records_the_one_that_was_changed_is_named_by_the_first_signature_after_it() -> None:
    chain = chain_of(batches.EACH_SIGNED_MOST + 50)
    change = with_record(33, lambda sent: msgspec.structs.replace(sent, public=sent.public[:-1] + b" }"))
    with pytest.raises(BadBatch, match="record 40: it is not signed"):
        batches.checked(batches.unpacked(changed(chain.body(1, 150), change)), chain.witness)
