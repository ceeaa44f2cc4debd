"""How a batch meets what the pit server has of a table: the four cases, and a journal that was restored. Pure."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import msgspec

from tablectl.fleet.batches import CheckedBatch
from tablectl.fleet.epochs import RESTORED_KIND, Epoch
from tablectl.journal.store import BEGINNING, Position


class Case(StrEnum):
    """What becomes of a batch."""

    #: it follows the head, and is appended
    APPENDED = "appended"
    #: all of it is known
    DUPLICATE = "duplicate"
    #: records before it are missing: the table goes back to the head
    GAP = "gap"
    #: it contradicts what is known: nothing of it is taken, nothing is acknowledged
    FORK = "fork"


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The newest record of a table that is durable here, and its epoch."""

    epoch: Epoch = Epoch()
    position: Position = BEGINNING


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of a batch. `new_from`: from which record on it is appended. `why`: a sentence about a fork, and
    `seq` the record that it is about."""

    case: Case
    new_from: int = 0
    why: str = ""
    seq: int = 0


def judged(head: Head, batch: CheckedBatch, hash_of: Callable[[int], bytes | None]) -> Judgement:
    """What becomes of a batch where the head is this one. `hash_of`: the hash of an earlier record in this table's
    newest epochs, None where there is none. A batch of which a part is known is appended from the head on."""
    seq = head.position.seq
    if batch.epoch != head.epoch:
        return _of_another_epoch(head, batch, hash_of)
    if batch.first > seq + 1:
        return Judgement(case=Case.GAP)
    return _meets(batch, hash_of, known_to=seq)


def _meets(batch: CheckedBatch, hash_of: Callable[[int], bytes | None], *, known_to: int) -> Judgement:
    """Where what is known is the same. A hash has all records before it in it: where the last one that is known is the
    same one, so are they."""
    last = next((record for record in reversed(batch.records) if record.seq <= known_to), None)
    same_to = Position(last.seq, last.hash) if last is not None else batch.before
    if hash_of(same_to.seq) != same_to.hash:
        return _fork(_first_other(batch, hash_of), "another record is known under this number")
    if batch.last.seq <= known_to:
        return Judgement(case=Case.DUPLICATE)
    return Judgement(case=Case.APPENDED, new_from=max(batch.first, known_to + 1))


def _first_other(batch: CheckedBatch, hash_of: Callable[[int], bytes | None]) -> int:
    """The first record that is not the one that is known."""
    if hash_of(batch.before.seq) != batch.before.hash:
        return batch.before.seq
    return next((record.seq for record in batch.records if hash_of(record.seq) != record.hash), batch.first)


def _of_another_epoch(head: Head, batch: CheckedBatch, hash_of: Callable[[int], bytes | None]) -> Judgement:
    begins = batch.records[0]
    if head.position == BEGINNING:
        if batch.epoch.restores or batch.first != 1:
            return Judgement(case=Case.GAP)
        if batch.epoch.origin != begins.hash.hex():
            return _fork(1, "its epoch is that of another record 1")
        return _meets(batch, hash_of, known_to=0)
    if batch.epoch.origin != head.epoch.origin:
        return _fork(begins.seq, "it is of a journal that began with another record")
    if batch.epoch.restores < head.epoch.restores:
        return _fork(begins.seq, "it is of a time before the table was restored")
    if batch.first > head.position.seq + 1:
        return Judgement(case=Case.GAP)
    is_told = any(record.kind == RESTORED_KIND for record in batch.records)
    if batch.epoch != head.epoch.after_restore() or not is_told:
        return _fork(begins.seq, "no record says that the table was restored")
    return _meets(batch, hash_of, known_to=batch.first - 1)


def _fork(seq: int, why: str) -> Judgement:
    return Judgement(case=Case.FORK, why=why, seq=seq)
