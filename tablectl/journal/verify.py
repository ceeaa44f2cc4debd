"""Is the journal intact? Checked from its public form alone, so whoever holds the masked stream can do the same.

The chain, the numbering, every signature, every reveal against its commitment, every sealed part against its digest.
A second copy, where there is one, tells what no journal can tell of itself: that its end was cut off, or that it was
written anew from some record on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Any, Final, TypeAlias

import msgspec

from tablectl.journal.format import NEWEST
from tablectl.journal.record import commitment, must_sign
from tablectl.journal.signing import Witness
from tablectl.journal.store import BEGINNING, Position, Stored, chained

#: A record as a bare row, in the order of the fields of `Stored`.
Row: TypeAlias = tuple[Any, ...]


class Wrong(StrEnum):
    """What can be wrong with a record."""

    CHANGED = "changed"
    MISSING = "missing"
    REORDERED = "reordered"
    TRUNCATED = "truncated"
    FORKED = "forked"
    OTHER_KEY = "signed by another key"
    UNSIGNED = "not signed"
    FALSE_REVEAL = "false reveal"
    DAMAGED = "damaged"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """The first thing that is wrong: at which record, and what."""

    seq: int
    wrong: Wrong
    what: str

    def __str__(self) -> str:
        return f"record {self.seq}: {self.wrong.value}: {self.what}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What a verification found. `public_key` signed all of it; after `signed_to` nothing is signed yet."""

    records: int
    hands: int
    reveals: int
    signatures: int
    signed_to: int
    end: Position
    public_key: bytes | None
    is_demo: bool
    fault: Fault | None


class _Fact(msgspec.Struct):
    kind: str
    card: str | None = None
    draw: int | None = None


class _Decision(msgspec.Struct):
    kind: str


class _Reveal(msgspec.Struct):
    draw: int
    card: str
    salt: str


class _Keys(msgspec.Struct):
    signing: str
    demo: bool


class _Public(msgspec.Struct):
    """The parts of a public form that are checked."""

    seq: int
    hand: int
    fact: _Fact
    decisions: list[_Decision]
    reveals: list[_Reveal] = []
    sealed: str | None = None
    keys: _Keys | None = None
    carry: msgspec.Raw = msgspec.Raw()
    format: int = 0


_sha256: Final = hashlib.sha256
_DECODER: Final = msgspec.json.Decoder(_Public)


class Verification:
    """Goes through records in order, page by page, and remembers what it needs of those before.

    `key` is the public key that has to have signed; without one, that of the first record. `with_boxes`: the sealed
    parts are there, and have to be those that the public forms name. `start` is where the first record has to follow.
    `confirms` says whether a signature is good: whoever checks them elsewhere says yes and looks later.
    `signs_between`: the journal had its `format` note before that start, so each record between two hands is signed.
    """

    def __init__(
        self,
        *,
        key: bytes | None = None,
        start: Position = BEGINNING,
        with_boxes: bool = True,
        confirms: Callable[[Witness, int, bytes, bytes], bool] = Witness.confirms,
        signs_between: bool = False,
    ) -> None:
        self._expected = key
        self._with_boxes = with_boxes
        self._confirms = confirms
        self._seq, self._link = start.seq, start.hash
        self._records = self._hands = self._reveals = self._signatures = self._signed_to = 0
        self._committed: dict[int, str] = {}
        self._witness: Witness | None = Witness(key) if key is not None else None
        self._is_demo = False
        self._is_closed = False
        self._is_in_hand = False
        self._signs_between = signs_between
        self._fault: Fault | None = None

    def take(self, rows: Iterable[Row]) -> bool:
        """The next ones, in order; False once something is wrong."""
        following = iter(rows)
        for row in following:
            try:
                self._fault = self._wrong(row, following)
            except TypeError:
                if is_sound(row):
                    raise
                what = "its columns hold other things than this program writes"
                self._fault = Fault(seq=row[0], wrong=Wrong.CHANGED, what=what)
            if self._fault is not None:
                return False
        return True

    def damaged(self, what: str) -> None:
        """The record after the last good one, and all after it, cannot be read."""
        self._fault = Fault(seq=self._seq + 1, wrong=Wrong.DAMAGED, what=what)

    def verdict(self) -> Verdict:
        """So far."""
        return Verdict(
            records=self._records,
            hands=self._hands,
            reveals=self._reveals,
            signatures=self._signatures,
            signed_to=self._signed_to,
            end=self.end,
            public_key=self._witness.public if self._witness is not None else None,
            is_demo=self._is_demo,
            fault=self._fault,
        )

    @property
    def end(self) -> Position:
        """The last good record."""
        return Position(self._seq, self._link)

    def _wrong(self, row: Row, following: Iterator[Row]) -> Fault | None:
        # The one function that every record of millions goes through: what is plain is checked on the spot.
        seq, hand, boundary, public, link, signature, box = row
        if seq != self._seq + 1:
            return self._out_of_place(row, following)
        try:
            told = _DECODER.decode(public)
        except (msgspec.DecodeError, RecursionError, TypeError, ValueError):  # TypeError: not even bytes
            return Fault(seq=seq, wrong=Wrong.CHANGED, what="its public form is none that this program writes")
        if told.seq != seq and chained(self._link, _numbered(public, told.seq, seq)) != link:
            return Fault(seq=seq, wrong=Wrong.REORDERED, what=f"what stands there is record {told.seq}")
        if _sha256(self._link + public).digest() != link:
            return Fault(seq=seq, wrong=Wrong.CHANGED, what="its hash does not follow from it and the record before")
        if hand != told.hand or boundary != bool(told.carry):
            return Fault(seq=seq, wrong=Wrong.CHANGED, what="its hand or its mark is not the one it was written with")
        if (seq == 1 and told.fact.kind != "opened") or (self._is_closed and told.fact.kind != "volume-opened"):
            return Fault(seq=seq, wrong=Wrong.CHANGED, what="a journal or a volume does not begin with it")
        concluded = [decision.kind for decision in told.decisions]
        closes_hand = "hand-closed" in concluded
        is_in_hand = (self._is_in_hand or "hand-opened" in concluded) and not closes_hand
        is_between = self._signs_between and not is_in_hand
        is_due = must_sign(told.fact.kind, closes_hand=closes_hand, is_between=is_between) or bool(told.carry)
        fault = None
        if is_due or signature is not None or told.keys is not None:
            fault = self._false_signature(row, told, is_due=is_due)
        if fault is None and (box is not None or told.sealed is not None):
            fault = self._false_box(seq, told, box)
        if fault is None and (told.reveals or told.fact.draw is not None):
            fault = self._false_reveal(seq, told)
        if fault is not None:
            return fault
        if closes_hand:
            self._hands += 1
            self._committed.clear()
        self._records += 1
        self._is_in_hand = is_in_hand
        self._signs_between = self._signs_between or told.fact.kind == "format" or told.format >= NEWEST
        self._is_closed = told.fact.kind == "volume-closed"
        self._seq, self._link = seq, link
        return None

    def _out_of_place(self, row: Row, following: Iterator[Row]) -> Fault:
        due, seq, public, link = self._seq + 1, row[0], row[3], row[4]
        if chained(self._link, public) == link:
            return Fault(seq=due, wrong=Wrong.CHANGED, what=f"it stands there as record {seq}")
        return _misplaced(due, seq, (pair[0] for pair in following))

    def _false_signature(self, row: Row, told: _Public, *, is_due: bool) -> Fault | None:
        seq, link, signature = row[0], row[4], row[5]
        if told.keys is not None and (fault := self._false_key(seq, told.keys)) is not None:
            return fault
        if signature is None:
            return Fault(seq=seq, wrong=Wrong.UNSIGNED, what="its signature was taken away") if is_due else None
        if not is_due:
            return Fault(seq=seq, wrong=Wrong.CHANGED, what="a signature was put where the table gives none")
        if not isinstance(signature, bytes):
            return Fault(seq=seq, wrong=Wrong.CHANGED, what="its signature is none")
        if self._witness is None:
            return Fault(seq=seq, wrong=Wrong.OTHER_KEY, what="signed before any record names the table's key")
        if not self._confirms(self._witness, seq, link, signature):
            return Fault(seq=seq, wrong=Wrong.OTHER_KEY, what="its signature is not that of the table's key")
        self._signatures += 1
        self._signed_to = seq
        return None

    def _false_key(self, seq: int, keys: _Keys) -> Fault | None:
        try:
            named = bytes.fromhex(keys.signing)
            witness = self._witness if self._witness is not None else Witness(named)
        except ValueError:
            return Fault(seq=seq, wrong=Wrong.CHANGED, what="the key it names is none")
        if named != witness.public:
            whose = "the key that was given" if self._expected is not None else "the key of the records before"
            return Fault(seq=seq, wrong=Wrong.OTHER_KEY, what=f"it names another key than {whose}")
        self._witness = witness
        self._is_demo |= keys.demo
        return None

    def _false_box(self, seq: int, told: _Public, box: bytes | None) -> Fault | None:
        if not self._with_boxes:
            return None
        digest = hashlib.sha256(box).hexdigest() if box is not None else None
        if digest == told.sealed:
            return None
        return Fault(seq=seq, wrong=Wrong.CHANGED, what="its sealed part is not the one that was put there")

    def _false_reveal(self, seq: int, told: _Public) -> Fault | None:
        if told.fact.draw is not None and told.fact.card is not None:
            self._committed[told.fact.draw] = told.fact.card
        for reveal in told.reveals:
            self._reveals += 1
            if self._committed.get(reveal.draw) != commitment(reveal.card, _salt(reveal.salt)):
                what = f"the card revealed for draw {reveal.draw} is not the one that was committed to"
                return Fault(seq=seq, wrong=Wrong.FALSE_REVEAL, what=what)
        return None


def _numbered(public: bytes, instead_of: int, seq: int) -> bytes:
    """A public form with its number put right: only the number was changed, where the chain then fits."""
    before, number, after = public.rpartition(f'"seq":{instead_of}'.encode())
    return before + f'"seq":{seq}'.encode() + after.lstrip() if number else public


def _misplaced(due: int, came: int, following: Iterable[int], where: str = "there") -> Fault:
    """Another record than the one that is due: it was taken away, or it stands in another place."""
    if came < due:
        return Fault(seq=due, wrong=Wrong.REORDERED, what=f"what stands {where} is record {came} once more")
    if due in following:
        return Fault(seq=due, wrong=Wrong.REORDERED, what=f"what stands {where} is record {came}, it comes later")
    return Fault(seq=due, wrong=Wrong.MISSING, what=f"the next one {where} is {came}")


def _salt(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""  # no salt: the commitment cannot fit


def verify(
    records: Iterable[Stored], *, key: bytes | None = None, start: Position = BEGINNING, with_boxes: bool = True
) -> Verdict:
    """From the first record to the last one."""
    verification = Verification(key=key, start=start, with_boxes=with_boxes)
    verification.take(row(record) for record in records)
    return verification.verdict()


def row(stored: Stored) -> Row:
    """A record as a bare row."""
    return (
        stored.seq,
        stored.hand,
        stored.boundary,
        stored.public,
        stored.hash,
        stored.signature,
        stored.sealed,
    )


def is_sound(row: Row) -> bool:
    """Whether the columns hold what they should: in a damaged file they may hold anything."""
    seq, _, _, public, link, signature, box = row
    blobs = (public, link, b"" if signature is None else signature, b"" if box is None else box)
    return isinstance(seq, int) and all(isinstance(blob, bytes) for blob in blobs)


def compare(journal: Iterable[Stored], copy: Iterable[Stored], *, start: Position = BEGINNING) -> Fault | None:
    """An intact journal and what its copy says, in order. A copy that ends earlier is only behind.

    `start` is what the first record of both has to follow.
    """
    end, copied = start, iter(copy)
    for ours, theirs in zip_longest(journal, copied):
        if theirs is None:
            return None
        if ours != theirs:
            return _parted(end, ours, theirs, copied)
        end = Position(theirs.seq, theirs.hash)
    return None


def _parted(end: Position, ours: Stored | None, theirs: Stored, following: Iterable[Stored]) -> Fault:
    """What became of the copy's record after the last one that is the same in both."""
    due = end.seq + 1
    if theirs.seq != due and (ours is None or ours.hash != theirs.hash):
        return _misplaced(due, theirs.seq, (stored.seq for stored in following), "in the copy")
    if ours is None:
        what = "the copy has it, the journal ends before: its end was cut off"
        return Fault(seq=due, wrong=Wrong.TRUNCATED, what=what)
    if ours.hash != theirs.hash and chained(end.hash, theirs.public) == theirs.hash:
        what = "journal and copy go on differently from here, each with a chain of its own"
        return Fault(seq=due, wrong=Wrong.FORKED, what=what)
    return Fault(seq=due, wrong=Wrong.CHANGED, what="in the copy it is not what the journal says")
