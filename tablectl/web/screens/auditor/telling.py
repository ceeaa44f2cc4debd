"""A record for an auditor: a sentence in each language, and what lies in the file, byte by byte. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tablectl.core.events.notes import Access
from tablectl.core.events.stream import PublicRecord, member_of
from tablectl.i18n.describe import conclusions, describe_decision, describe_fact
from tablectl.journal.search import Hit
from tablectl.web.screens.screen_texts import ScreenTexts


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldHit:
    """`happened` and each of `followed` in the languages of the page, the first one first. `raw` is the public form as
    it lies in the journal. `is_readable` is False where somebody put something else there. `access` is what somebody
    read, `granted` whether he was let, None where the record says no such thing."""

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
    role: str
    access: Access | None
    granted: bool | None


def told(hit: Hit, screen_texts: tuple[ScreenTexts, ...]) -> ToldHit:
    """What this record says, whatever stands in it."""
    record = hit.record
    event = None if record is None else record.event
    granted = None if event is None else member_of(event, "granted")
    return ToldHit(
        seq=hit.seq,
        hand=hit.hand,
        at=hit.at,
        kind="" if record is None else record.kind,
        by=_member(record, "by", "who", "croupier"),
        happened=tuple(
            t.say("fact", "other", kind="?") if record is None else _happened(t, record) for t in screen_texts
        ),
        followed=() if record is None else tuple(_followed(record, screen_texts)),
        raw=hit.public.decode(errors="backslashreplace"),
        hash=hit.hash.hex(),
        signature="" if hit.signature is None else hit.signature.hex(),
        is_readable=record is not None,
        role=_member(record, "role"),
        access=event if isinstance(event, Access) else None,
        granted=granted if isinstance(granted, bool) else None,
    )


def _member(record: PublicRecord | None, *names: str) -> str:
    """The first of these members of the record's fact that is not empty."""
    said = () if record is None else (member_of(record.event, name) for name in names)
    return next((str(item) for item in said if item), "")


def _happened(t: ScreenTexts, record: PublicRecord) -> str:
    note = record.event
    if not isinstance(note, Access):
        return describe_fact(t, record)
    return t.say(
        "auditor",
        "accessed" if note.granted else "access-refused",
        who=note.who,
        what=t.word("auditor-access", note.what),
        about=f" ({note.about})" if note.about else "",
    )


def _followed(
    record: PublicRecord, screen_texts: tuple[ScreenTexts, ...]
) -> Iterator[tuple[tuple[str, ...], str | None]]:
    for said in conclusions(record):
        told = tuple(describe_decision(t, said, entry=record.entry) for t in screen_texts)
        yield told, getattr(said, "clause", None)
