"""A record for an auditor: a sentence in each language, and what lies in the file, byte by byte. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tablectl.core.codec import UnreadableRecord
from tablectl.core.notes import Access
from tablectl.core.stream import PublicRecord, decode_record
from tablectl.i18n.spoken.story import conclusions, decision_told, fact_told
from tablectl.journal.search import Hit
from tablectl.web.screens.speech import Speech


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldHit:
    """`happened` and each of `followed` in the languages of the page, the first one first. `raw` is the public form as
    it lies in the journal. `is_readable` is False where somebody put something else there."""

    seq: int
    hand: int
    at: str
    kind: str
    by: str
    happened: tuple[str, ...]
    followed: tuple[tuple[tuple[str, ...], str | None], ...]
    raw: str
    hash: str
    signature: str
    is_readable: bool


def told(hit: Hit, speeches: tuple[Speech, ...]) -> ToldHit:
    """What this record says, whatever stands in it."""
    public = hit.told()
    fact = public.get("fact")
    said: Mapping[str, Any] = fact if isinstance(fact, dict) else {}
    record = _record(public)
    kind = str(said.get("kind", "?"))
    return ToldHit(
        seq=hit.seq,
        hand=hit.hand,
        at=str(public.get("at", "")),
        kind=str(said.get("kind", "")),
        by=next((str(said[name]) for name in ("by", "who", "croupier") if said.get(name)), ""),
        happened=tuple(t.say("fact", "other", kind=kind) if record is None else _happened(t, record) for t in speeches),
        followed=() if record is None else tuple(_followed(record, speeches)),
        raw=hit.public.decode(errors="backslashreplace"),
        hash=hit.hash.hex(),
        signature="" if hit.signature is None else hit.signature.hex(),
        is_readable=record is not None,
    )


def _record(public: Mapping[str, Any]) -> PublicRecord | None:
    """None for one that somebody spoiled: an auditor may look at it all the same."""
    try:
        return decode_record(public)
    except UnreadableRecord:
        return None


def _happened(t: Speech, record: PublicRecord) -> str:
    note = record.event
    if not isinstance(note, Access):
        return fact_told(t, record)
    return t.say(
        "auditor",
        "accessed" if note.granted else "access-refused",
        who=note.who,
        what=t.word("auditor-access", note.what),
        about=f" ({note.about})" if note.about else "",
    )


def _followed(record: PublicRecord, speeches: tuple[Speech, ...]) -> Iterator[tuple[tuple[str, ...], str | None]]:
    for said in conclusions(record):
        told = tuple(decision_told(t, said, entry=record.entry) for t in speeches)
        yield told, getattr(said, "clause", None)
