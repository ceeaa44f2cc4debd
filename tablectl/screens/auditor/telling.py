"""A record for an auditor: a sentence in each language, and what lies in the file, byte by byte. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tablectl.journal.search import Hit
from tablectl.screens.speech import Speech
from tablectl.spoken.story import conclusions, decision_told, fact_told


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
    is_readable = isinstance(fact, dict) and isinstance(public.get("at"), str) and "kind" in fact
    said: Mapping[str, Any] = fact if isinstance(fact, dict) else {}
    return ToldHit(
        seq=hit.seq,
        hand=hit.hand,
        at=str(public.get("at", "")),
        kind=str(said.get("kind", "")),
        by=next((str(said[name]) for name in ("by", "who", "croupier") if said.get(name)), ""),
        happened=tuple(_happened(t, said) for t in speeches),
        followed=_followed(public, said, speeches) if is_readable else (),
        raw=hit.public.decode(errors="backslashreplace"),
        hash=hit.hash.hex(),
        signature="" if hit.signature is None else hit.signature.hex(),
        is_readable=is_readable,
    )


def _happened(t: Speech, fact: Mapping[str, Any]) -> str:
    kind = str(fact.get("kind", "?"))
    if kind == "access":
        return _accessed(t, fact)
    return _or(lambda: fact_told(t, fact), t.say("fact", "other", kind=kind))


def _accessed(t: Speech, fact: Mapping[str, Any]) -> str:
    what = str(fact.get("what", "?"))
    return t.say(
        "auditor",
        "accessed" if fact.get("granted") is True else "access-refused",
        who=str(fact.get("who", "?")),
        what=t.word("auditor-access", what),
        about=f" ({fact['about']})" if fact.get("about") else "",
    )


def _followed(
    public: Mapping[str, Any], fact: Mapping[str, Any], speeches: tuple[Speech, ...]
) -> tuple[tuple[tuple[str, ...], str | None], ...]:
    try:
        said = conclusions(public)
    except (AttributeError, LookupError, TypeError):
        return ()
    return tuple(
        (tuple(_concluded(t, each, fact) for t in speeches), _clause(each)) for each in said if isinstance(each, dict)
    )


def _concluded(t: Speech, said: Mapping[str, Any], fact: Mapping[str, Any]) -> str:
    return _or(lambda: decision_told(t, said, fact), t.say("decision", "other", kind=str(said.get("kind", "?"))))


def _clause(said: Mapping[str, Any]) -> str | None:
    clause = said.get("clause")
    return clause if isinstance(clause, str) else None


def _or(sentence: Callable[[], str], otherwise: str) -> str:
    """The words of the table expect records that it wrote; an auditor may look at one that somebody spoiled."""
    try:
        return sentence()
    except (AttributeError, LookupError, TypeError, ValueError):
        return otherwise
