"""A journal that does not have what its table signed: it was put back to an older state, or its past written anew.

The journal cannot see that of itself, nor can the copy beside it that was put back with it. Whoever follows the table
remembers the newest record that the table signed (`tablectl.journal.known_heads`), and shows it to the controller,
which believes its own signature and nothing else: then a note is on record until two persons have accepted it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from tablectl.core.events.notes import HeadMissing, MissingHead, RollbackAccepted
from tablectl.core.records import kind_in_public
from tablectl.journal.signed_head import SignedHead
from tablectl.journal.store import Stored
from tablectl.journal.volumes import VolumeSet

#: So many notes are taken in a minute: whoever can read the stream does not fill the disk with heads of a past that
#: somebody put back.
MOST: Final = 10
WITHIN_S: Final = 60.0
#: How these notes are found.
_KINDS: Final = tuple(map(kind_in_public, (HeadMissing, RollbackAccepted)))


def missing_at_end(newest_first: Iterable[Stored]) -> MissingHead | None:
    """What the table signed and the journal does not have, as long as nobody accepted that: by its newest note of that
    kind, or by the newest record that carries the table over. Raises `UnreadableRecord`."""
    for stored in newest_first:
        record = stored.decoded()
        if isinstance(record.event, HeadMissing):
            return record.event.head
        if isinstance(record.event, RollbackAccepted):
            return None
        if stored.boundary:
            return record.missing
    return None


@dataclass(frozen=True, kw_only=True, slots=True)
class Rollback:
    """That a head is missing, as record `seq` says it; or that somebody accepted it without such a record: `accepted`
    and its record, where there is one."""

    seq: int
    to_seq: int
    at: str
    accepted: RollbackAccepted | None = None
    accepted_seq: int = 0


def rollbacks_in(records: Iterable[Stored]) -> tuple[Rollback, ...]:
    """What these records say of heads that the journal does not have, in their order. Raises `UnreadableRecord`."""
    found: list[Rollback] = []
    for stored in records:
        if not any(kind in stored.public for kind in _KINDS):
            continue
        record = stored.decoded()
        match record.event:
            case HeadMissing(to_seq=to_seq):
                found.append(Rollback(seq=stored.seq, to_seq=to_seq, at=record.at))
            case RollbackAccepted(to_seq=to_seq) as accepted:
                waiting = [rollback for rollback in found if rollback.accepted is None]
                done = waiting or [Rollback(seq=stored.seq, to_seq=to_seq, at=record.at)]
                rest = [rollback for rollback in found if rollback.accepted is not None]
                found = rest + [replace(rollback, accepted=accepted, accepted_seq=stored.seq) for rollback in done]
    return tuple(found)


class HeadRefusal(StrEnum):
    """Why the controller does not look into a head, or does not take that it was accepted."""

    #: this table did not sign it
    SIGNATURE = "signature"
    #: so many were put on record just now
    TOO_SOON = "too-soon"
    #: the journal has that record
    PRESENT = "present"
    #: another one is missing by now
    ANOTHER = "another"


class BadHead(Exception):
    """A head that is not taken. `why`: a word for programs."""

    def __init__(self, why: HeadRefusal, error: str) -> None:
        super().__init__(error)
        self.why = why


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a journal has of a head. `is_there`: None where the volume with that record is not here; `is_accepted`:
    somebody accepted that it is not there; `is_noted`: it is on record that it is not."""

    is_there: bool | None
    is_accepted: bool = False
    is_noted: bool = False


class Rollbacks:
    """Heads held against one journal. Used by many threads."""

    def __init__(self, journal: Path, key: bytes | None) -> None:
        """`key`: the table's public key; without one no head is believed."""
        self._journal = journal
        self.key = "" if key is None else key.hex()
        self._taken_s = deque[float](maxlen=MOST)

    def check(self, head: SignedHead) -> Found:
        """What the journal has of it. Raises `BadHead` for one that this table did not sign; `JournalUnusable`."""
        if head.key != self.key or not head.is_good:
            raise BadHead(HeadRefusal.SIGNATURE, "this table did not sign it")
        return self.look_up(head.seq, head.hash)

    def look_up(self, seq: int, digest: str) -> Found:
        """The same of a record by its number and hash, whoever signed it. Raises `JournalUnusable`."""
        with closing(VolumeSet(self._journal)) as volume_set:
            stored = next(volume_set.records(after=seq - 1), None)
            if stored is not None and stored.seq > seq:
                return Found(is_there=None)
            if stored is not None and stored.hash.hex() == digest:
                return Found(is_there=True)
            told = volume_set.newest_with(f'"to_hash":"{digest}"'.encode())
        event = None if told is None else told.decoded().event
        return Found(
            is_there=False,
            is_accepted=isinstance(event, RollbackAccepted),
            is_noted=isinstance(event, HeadMissing),
        )

    def admit(self) -> None:
        """One more note. Raises `BadHead` where there were many just now."""
        now_s = time.monotonic()
        if len(self._taken_s) == MOST and now_s - self._taken_s[0] < WITHIN_S:
            raise BadHead(HeadRefusal.TOO_SOON, f"{MOST} are taken in {WITHIN_S:g} s at most")
        self._taken_s.append(now_s)
