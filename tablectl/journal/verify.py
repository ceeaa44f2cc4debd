"""Is the journal intact? Checked from its public form alone, so whoever holds the masked stream can do the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tablectl.journal.record import commitment
from tablectl.journal.store import GENESIS, Stored, chained


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """The first thing that is wrong: at which record, and what."""

    seq: int
    what: str

    def __str__(self) -> str:
        return f"record {self.seq}: {self.what}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What a verification found."""

    records: int
    hands: int
    reveals: int
    fault: Fault | None


def verify(records: Iterable[Stored]) -> Verdict:
    """From the first record on: the chain, the numbering and every reveal against its commitment."""
    checked, hands, reveals, before = 0, 0, 0, GENESIS
    committed: dict[int, str] = {}
    for stored in records:
        fault = _fault(stored, checked + 1, before, committed)
        if fault is not None:
            return Verdict(records=checked, hands=hands, reveals=reveals, fault=fault)
        checked, before = checked + 1, stored.hash
        public = json.loads(stored.public)
        reveals += len(public.get("reveals", ()))
        hands += stored.closes_hand
        if stored.closes_hand:
            committed = {}
    return Verdict(records=checked, hands=hands, reveals=reveals, fault=None)


def _fault(stored: Stored, seq: int, before: bytes, committed: dict[int, str]) -> Fault | None:
    if stored.seq != seq:
        return Fault(seq=seq, what=f"missing; the next one there is {stored.seq}")
    if chained(before, stored.public) != stored.hash:
        return Fault(
            seq=seq, what="its hash does not follow from the record before: it, or the one before, was changed"
        )
    try:
        return _false_content(stored, json.loads(stored.public), committed)
    except (AttributeError, KeyError, TypeError, ValueError):
        return Fault(seq=seq, what="its public form is none that this program writes")


def _false_content(stored: Stored, public: dict[str, Any], committed: dict[int, str]) -> Fault | None:
    seq = stored.seq
    if public["seq"] != seq or public["hand"] != stored.hand:
        return Fault(seq=seq, what="its number or hand is not the one it was written with")
    closes = any(each["kind"] == "hand-closed" for each in public["decisions"])
    if closes is not stored.closes_hand:
        return Fault(seq=seq, what="its mark for the end of a hand was changed")
    drawn = public["fact"].get("draw")
    if drawn is not None and public["fact"].get("card") is not None:
        committed[drawn] = public["fact"]["card"]
    return next(_false_reveals(seq, public, committed), None)


def _false_reveals(seq: int, public: dict[str, Any], committed: dict[int, str]) -> Iterator[Fault]:
    for each in public.get("reveals", ()):
        draw = int(each["draw"])
        if committed.get(draw) != commitment(each["card"], bytes.fromhex(each["salt"])):
            yield Fault(seq=seq, what=f"the card revealed for draw {draw} is not the one that was committed to")
