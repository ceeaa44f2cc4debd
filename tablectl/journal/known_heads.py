"""What whoever follows a table remembers of it: the newest record that the table signed, in a file of its own.

A journal that was put back to an older state together with its copy agrees with itself. It does not agree with this: at
each connection the controller is asked whether it has that record (`{"head": …}`). Where it has not, the head is kept
as missing until two persons have accepted that.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from tablectl.core.events.notes import RollbackAccepted
from tablectl.core.events.stream import event_if
from tablectl.core.timestamps import time_text
from tablectl.core.unreadable import UNREADABLE
from tablectl.journal.clock import now_us
from tablectl.journal.rollback import HeadRefusal
from tablectl.journal.signed_head import SignedHead, head_of
from tablectl.journal.whole_file import write_whole

#: More heads than one that are missing are of several rollbacks that nobody accepted.
MOST_MISSING: Final = 8
_MODE: Final = 0o600


class LostHead(msgspec.Struct, frozen=True, kw_only=True):
    """A head that the journal does not have. `at`: when that was found (RFC 3339, UTC); `records`: how many records
    the journal had then, 0 where the controller did not say: the head has another key than its journal."""

    head: SignedHead
    at: str
    records: int


class _Remembered(msgspec.Struct, frozen=True, kw_only=True):
    head: SignedHead | None = None
    missing: tuple[LostHead, ...] = ()
    #: when the newest acceptance was recorded, or when the controller told of it
    accepted: str = ""
    #: hashes of those that were missing and are accepted: of a head of other keys its controller never says so
    settled: tuple[str, ...] = ()


def place_beside(path: Path) -> Path:
    """Where a follower whose own file is this one keeps them."""
    return path.with_name(f"{path.name}.heads")


class KnownHeads:
    """Of one table. Used by several threads: what is seen is kept in memory, and `keep` writes it down."""

    def __init__(self, path: Path | None) -> None:
        """Without a path nothing is kept longer than this process lives."""
        self._path = path
        self._lock = threading.Lock()
        self._remembered = _read(path)
        self._written = self._remembered
        self._shown: dict[str, SignedHead] = {}
        self._key = ""

    @property
    def head(self) -> SignedHead | None:
        """The newest record that the table signed, of those that its journal had when somebody last asked."""
        with self._lock:
            return self._remembered.head

    @property
    def missing(self) -> tuple[LostHead, ...]:
        """Those that the journal does not have, and that nobody accepted; the newest last."""
        with self._lock:
            return self._remembered.missing

    @property
    def accepted(self) -> str:
        """When it was last accepted that a head is missing, or when that was heard (RFC 3339, UTC); empty where it
        never was."""
        with self._lock:
            return self._remembered.accepted

    @property
    def is_shown(self) -> bool:
        """Whether the controller is still to be asked about heads that were shown."""
        with self._lock:
            return bool(self._shown)

    def show(self, heads: Iterable[SignedHead]) -> None:
        """Somebody else kept these: the controller is asked about them too, until it said whether it has them."""
        with self._lock:
            settled = self._remembered.settled
            self._shown = {head.hash: head for head in heads if head.hash not in settled}

    def questions(self) -> Mapping[str, Mapping[str, Any]]:
        """As `Heads.questions`: about those that are missing, the newest one, and those that were shown."""
        with self._lock:
            return {head.hash: head.question for head in self._asked_about()}

    def answered(self, digest: str, answer: Mapping[str, Any]) -> None:
        """As `Heads.answered`. An answer that says nothing about it changes nothing."""
        is_ours = answer.get("why") != HeadRefusal.SIGNATURE
        if is_ours and answer.get("has") is not False:
            if "has" in answer:
                with self._lock:
                    self._shown.pop(digest, None)
            return
        records = answer.get("records", 0) if is_ours else 0
        with self._lock:
            known = self._remembered
            head = next((head for head in self._asked_about() if head.hash == digest), None)
            self._shown.pop(digest, None)
            if head is None or (answer.get("accepted") is True and head not in _known(known)):
                return
            accepted = known.accepted
            if answer.get("accepted") is True:
                missing = tuple(lost for lost in known.missing if lost.head != head)
                accepted = time_text(now_us())
            elif head in (lost.head for lost in known.missing):
                return
            else:
                found = LostHead(head=head, at=time_text(now_us()), records=records if type(records) is int else 0)
                missing = (*known.missing, found)[-MOST_MISSING:]
            rest = None if known.head == head else known.head
            self._remembered = msgspec.structs.replace(known, head=rest, missing=missing, accepted=accepted)

    def greeted(self, key: str) -> None:
        """The table whose records come now signs with this key."""
        with self._lock:
            self._key = key

    def saw(self, record: Mapping[str, Any]) -> None:
        """A record came, as a line of the stream has it."""
        with self._lock:
            accepted = event_if(record, RollbackAccepted)
            if accepted is not None:
                self._take_acceptance(record, accepted)
            known = self._remembered.head
            head = head_of(record, self._key) if known is None or record["seq"] > known.seq else None
            if head is not None and head.is_good:
                self._remembered = msgspec.structs.replace(self._remembered, head=head)

    def keep(self) -> None:
        """Write down what is new. Raises `OSError`."""
        with self._lock:
            known = self._remembered
            if self._path is None or known == self._written:
                return
        write_whole(self._path, msgspec.json.encode(known), mode=_MODE)
        with self._lock:
            self._written = known

    def _asked_about(self) -> tuple[SignedHead, ...]:
        return (*_known(self._remembered), *self._shown.values())

    def _take_acceptance(self, record: Mapping[str, Any], accepted: RollbackAccepted) -> None:
        """It ends what was found before it. A stream that is read again has older ones, about older findings."""
        known = self._remembered
        missing = tuple(lost for lost in known.missing if not _ends(accepted, record["seq"], lost))
        if missing != known.missing:
            ended = (lost.head.hash for lost in known.missing if lost not in missing)
            settled = (*known.settled, *ended)[-MOST_MISSING:]
            self._remembered = msgspec.structs.replace(
                known, missing=missing, accepted=str(record["at"]), settled=settled
            )


def _known(remembered: _Remembered) -> tuple[SignedHead, ...]:
    head = remembered.head
    return (*(lost.head for lost in remembered.missing), *(() if head is None else (head,)))


def _ends(accepted: RollbackAccepted, seq: int, lost: LostHead) -> bool:
    """Whether this acceptance is of that head, or of one that is at least as new and was found in the same journal."""
    if seq <= lost.records:
        return False
    return accepted.to_hash == lost.head.hash or (lost.records > 0 and accepted.to_seq >= lost.head.seq)


def _read(path: Path | None) -> _Remembered:
    """Nothing where there is no file, or what stands there is none of it: then it begins anew."""
    try:
        found = _Remembered() if path is None else msgspec.json.decode(path.read_bytes(), type=_Remembered)
    except (OSError, *UNREADABLE):
        return _Remembered()
    return found if found.head is None or found.head.is_good else msgspec.structs.replace(found, head=None)
