"""A public record as a value: what every reader of the stream works with. Nothing here opens a sealed card.

A stream may come from a newer controller. An event of a kind that this program does not know becomes an `Unknown`, so
that a screen goes on showing the rest. A start, a replay and an export must not guess: they ask for `known_decisions`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from tablectl.core.cards import Card
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import Decision
from tablectl.core.engine.facts import DeviceSaid, Fact, Pressed
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.slots import Slot
from tablectl.core.events.codec import (
    DECISIONS,
    FACTS,
    NOTES,
    SEALED_KINDS,
    UnreadableRecord,
    decode_carry,
    decode_decision,
    decode_fact,
    decode_note,
    decode_prompt,
    encode_fact,
    encode_json,
    from_plain,
    to_plain,
)
from tablectl.core.events.notes import MissingHead, Note
from tablectl.core.records import KIND, kind_of, record
from tablectl.core.timestamps import time_text, time_us

_Made = TypeVar("_Made")
_Event = TypeVar("_Event")


@record
class Unknown:
    """An event of a kind that this program does not know, with its members as they came."""

    kind: str
    members: Mapping[str, Any]


Event: TypeAlias = Fact | Note | Unknown


@record
class Reveal:
    """A card that the rules turned up: `salt` (32 hexadecimal digits) and card open its commitment."""

    draw: int
    slot: Slot
    card: Card
    salt: str


@record
class KeysNamed:
    """With each start: the public signing key, a fingerprint of the sealing key, and whether both are a demo's."""

    signing: str
    sealing: str
    demo: bool


@record
class RecordedVersions:
    """Of the rules and the prompts by which a record was made."""

    rules: int
    prompts: int


@record
class PublicRecord:
    """One fact or note with the decisions that followed. `prompt` is what the croupier was told from then on; None
    where the record does not say it, and the one before still holds. `at_us`: microseconds since the epoch, UTC."""

    seq: int
    hand: int
    at_us: int
    event: Event
    #: what stands for a card that nobody may know; None where there is none, and where it could not be read
    commitment: str | None = None
    #: the number of the card in the hand: where this fact brought it or read it first, and where it was known already
    draw: int | None = None
    lies: int | None = None
    #: the device whose key was pressed; None where somebody pressed it on a screen, and in journals of version 0.1.0
    panel: str | None = None
    decisions: tuple[Decision | Unknown, ...] = ()
    prompt: Prompt | None = None
    reveals: tuple[Reveal, ...] = ()
    #: with the end of a hand, and at the beginning of a volume
    carry: Carry | None = None
    #: identity of the program; in the first record of a hand and of a start
    software: str | None = None
    #: beside it: by which rules it was made, and what the amounts are amounts of
    versions: RecordedVersions | None = None
    currency: str | None = None
    currency_exponent: int | None = None
    keys: KeysNamed | None = None
    #: beside what is carried over: which members and notes the journal takes (docs/journal.md)
    format: int | None = None
    #: beside what is carried over: what the table signed and its journal does not have, until somebody accepts it
    missing: MissingHead | None = None
    #: SHA-256 of the sealed part, hexadecimal
    sealed: str | None = None

    @property
    def kind(self) -> str:
        """That of its fact or note."""
        return kind_of_event(self.event)

    @property
    def at(self) -> str:
        """Its time as text, UTC."""
        return time_text(self.at_us)

    @property
    def entry(self) -> str:
        """What was entered: the key that was pressed, otherwise the kind of the fact."""
        return self.event.key if isinstance(self.event, Pressed) else self.kind

    @property
    def is_note(self) -> bool:
        """Whether this is the journal's own life and none of the table's."""
        return isinstance(self.event, _NOTE_CLASSES)


_NOTE_CLASSES: Final = tuple(NOTES.values())


@record
class Conclusion:
    """A decision as it stands in a record: its value, where this program can read it, and the members that it has. An
    older program wrote fewer than there are now."""

    value: Decision | Unknown
    members: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """Of the decision."""
        return kind_of_event(self.value)


@record
class Written:
    """A record for a replay. What followed from the fact has the members that stand in the record: whoever compares it
    with what this program concludes has to see which of them an older program did not write.

    `record` has none of these in it.
    """

    record: PublicRecord
    decisions: tuple[Conclusion, ...]
    prompt: Mapping[str, Any] | None
    carry: Mapping[str, Any] | None


def decode_written(public: bytes) -> Written:
    """A record out of its bytes, whatever it says of decisions, prompt and carry. Raises `UnreadableRecord`."""
    try:
        told = json.loads(public)
        return Written(
            record=decode_record({**told, "decisions": (), "prompt": None, "carry": None}),
            decisions=tuple(map(_conclusion, told["decisions"])),
            prompt=told.get("prompt"),
            carry=told.get("carry"),
        )
    except UnreadableRecord:
        raise
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as wrong:
        raise UnreadableRecord(f"no record of this program ({wrong!r})") from None


def concluded(decision: Decision) -> Conclusion:
    """A decision with its members as this program writes them."""
    return Conclusion(value=decision, members=to_plain(decision))


def _conclusion(public: Mapping[str, Any]) -> Conclusion:
    try:
        return Conclusion(value=_decision(public), members=public)
    except UnreadableRecord:
        return Conclusion(value=Unknown(kind=public[KIND], members=public), members=public)


def decode_bytes(public: bytes, seq: int) -> PublicRecord:
    """As `decode_record`, out of the bytes of record `seq`. Raises `UnreadableRecord`."""
    try:
        told = json.loads(public)
    except (RecursionError, ValueError) as wrong:
        raise UnreadableRecord(f"record {seq}: no JSON ({wrong})") from None
    if not isinstance(told, dict):
        raise UnreadableRecord(f"record {seq}: no record of this program")
    return decode_record(told)


def decode_record(public: Mapping[str, Any]) -> PublicRecord:
    """A record of the stream, out of the JSON values of its line. Raises `UnreadableRecord`."""
    try:
        return _decoded(public)
    except UnreadableRecord as wrong:
        raise UnreadableRecord(f"record {public.get('seq')}: {wrong}") from None
    except (KeyError, TypeError, ValueError) as wrong:
        raise UnreadableRecord(f"record {public.get('seq')}: no record of this program ({wrong!r})") from None


def event_if(public: Mapping[str, Any], kind: type[_Event]) -> _Event | None:
    """The event of a record, where it is of this kind; nothing else of the record is decoded. Raises
    `UnreadableRecord`."""
    fact = public.get("fact")
    if not isinstance(fact, Mapping) or fact.get(KIND) != kind_of(kind):
        return None
    try:
        event = _event(fact, time_us(public["at"]))
    except (KeyError, TypeError, ValueError) as wrong:
        raise UnreadableRecord(f"record {public.get('seq')}: no record of this program ({wrong!r})") from None
    return event if isinstance(event, kind) else None


def _decoded(public: Mapping[str, Any]) -> PublicRecord:
    fact, at_us = public["fact"], time_us(public["at"])
    return PublicRecord(
        seq=public["seq"],
        hand=public["hand"],
        at_us=at_us,
        event=_event(fact, at_us),
        commitment=_commitment(fact),
        draw=fact.get("draw"),
        lies=fact.get("lies"),
        panel=fact.get("panel"),
        decisions=tuple(_decision(decision) for decision in public["decisions"]),
        prompt=_where_told(public, "prompt", decode_prompt),
        reveals=tuple(from_plain(reveal, Reveal, "a card turned up") for reveal in public.get("reveals", ())),
        carry=_where_told(public, "carry", decode_carry),
        software=public.get("software"),
        versions=_where_told(public, "versions", lambda versions: from_plain(versions, RecordedVersions, "versions")),
        currency=public.get("currency"),
        currency_exponent=public.get("currency_exponent"),
        keys=_where_told(public, "keys", lambda keys: from_plain(keys, KeysNamed, "keys")),
        format=public.get("format"),
        missing=_where_told(public, "missing", lambda head: from_plain(head, MissingHead, "a missing head")),
        sealed=public.get("sealed"),
    )


def _commitment(fact: Mapping[str, Any]) -> str | None:
    if fact[KIND] not in SEALED_KINDS:
        return None
    committed: str | None = fact.get("card") if fact[KIND] == kind_of(DeviceSaid) else fact["card"]
    return committed


def _where_told(public: Mapping[str, Any], member: str, decode: Callable[[Any], _Made]) -> _Made | None:
    value = public.get(member)
    return None if value is None else decode(value)


def _event(public: Mapping[str, Any], at_us: int) -> Event:
    kind = public[KIND]
    if kind in FACTS:
        return decode_fact(public, at_us)
    if kind in NOTES:
        return decode_note(public, at_us)
    return Unknown(kind=kind, members=public)


def _decision(public: Mapping[str, Any]) -> Decision | Unknown:
    kind = public[KIND]
    return decode_decision(public) if kind in DECISIONS else Unknown(kind=kind, members=public)


def encode_record(made: PublicRecord) -> dict[str, Any]:
    """The public form of a record: what `decode_record` was given, with every member that this program writes."""
    return to_plain(_members(made))


def record_bytes(made: PublicRecord) -> bytes:
    """The public form as it is chained."""
    return encode_json(_members(made))


def _members(made: PublicRecord) -> dict[str, Any]:
    reveals = None
    if made.reveals:  # hardly any record has one
        reveals = [
            {"draw": reveal.draw, "slot": reveal.slot, "card": reveal.card.code, "salt": reveal.salt}
            for reveal in made.reveals
        ]
    members = {
        "seq": made.seq,
        "hand": made.hand,
        "at": time_text(made.at_us),
        "fact": encode_event(made),
        "decisions": [decision.members if isinstance(decision, Unknown) else decision for decision in made.decisions],
        "prompt": made.prompt,
        "reveals": reveals,
        "carry": None if made.carry is None else to_plain(made.carry),
        "software": made.software,
        "versions": made.versions,
        "currency": made.currency,
        "currency_exponent": made.currency_exponent,
        "keys": made.keys,
        "format": made.format,
        "missing": made.missing,
        "sealed": made.sealed,
    }
    return {name: value for name, value in members.items() if value is not None or name == "prompt"}


def encode_event(made: PublicRecord) -> Mapping[str, Any]:
    """The public form of a record's fact or note, with what the journal adds to it."""
    if isinstance(made.event, Unknown):
        return made.event.members
    public = encode_fact(made.event, made.commitment)
    if made.draw is not None:
        public["draw"] = made.draw
    if made.lies is not None:
        public["lies"] = made.lies
    if made.panel is not None:
        public["panel"] = made.panel
    return public


def encode_decision(decision: Decision | Unknown) -> Mapping[str, Any]:
    """The public form of a decision."""
    return decision.members if isinstance(decision, Unknown) else to_plain(decision)


def kind_of_event(said: Event | Decision) -> str:
    """The kind of an event or a decision, also of one that this program does not know."""
    return said.kind if isinstance(said, Unknown) else kind_of(type(said))


def member_of(said: Event | Decision, name: str) -> object:
    """The member of this name; None where it has none."""
    return said.members.get(name) if isinstance(said, Unknown) else getattr(said, name, None)


def known_decisions(made: PublicRecord) -> tuple[Decision, ...]:
    """The decisions of a record. Raises `UnreadableRecord` for one with an event of a kind that this program does not
    know."""
    for said in (made.event, *made.decisions):
        if isinstance(said, Unknown):
            raise UnreadableRecord(f"record {made.seq}: an event of kind {said.kind!r}; a newer program wrote it")
    return tuple(decision for decision in made.decisions if not isinstance(decision, Unknown))


def later_members(public: object, encoded: object, path: str = "") -> Iterator[str]:
    """The paths of the members that `encoded` has and an older record, `public`, does not: no program knew them when it
    was written. Raises `ValueError` where the two differ in anything else."""
    if isinstance(public, Mapping) and isinstance(encoded, Mapping):
        if public.keys() - encoded.keys():
            raise ValueError(f"{path}: {sorted(public.keys() - encoded.keys())} got lost")
        for name in sorted(encoded):
            if name in public:
                yield from later_members(public[name], encoded[name], f"{path}.{name}")
            else:
                yield f"{path}.{name}"
    elif isinstance(public, list) and isinstance(encoded, list) and len(public) == len(encoded):
        for one, other in zip(public, encoded, strict=True):
            yield from later_members(one, other, f"{path}[]")
    elif public != encoded or type(public) is not type(encoded):
        raise ValueError(f"{path}: {public!r} is not {encoded!r}")
