"""Events as JSON and back: the one codec of facts, notes, decisions, prompts and what is carried to the next hand.

The public form of an event has its `kind` beside its fields; its time stands in the record. A slot stands there by its
name. A card has no public form: the journal puts a commitment where it was, and only a card that a person named, which
lies open on the table, stands there by its code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar, get_args

import msgspec

from tablectl.core.cards import Card, card
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.slots import BY_NAME, Slot
from tablectl.core.events.notes import Note
from tablectl.core.records import KIND, kind_of

_Made = TypeVar("_Made")


def _by_kind(union: object) -> Mapping[str, type[Any]]:
    return {kind_of(event): event for event in get_args(union)}


#: The classes of events by their kind.
FACTS: Final = _by_kind(f.Fact)
NOTES: Final = _by_kind(Note)
DECISIONS: Final = _by_kind(d.Decision)
#: Facts with a card that nobody may know.
SEALED_FACTS: Final = (f.Drawn, f.Seen, f.Gone, f.Failed, f.DeviceSaid)
SEALED_KINDS: Final = frozenset(map(kind_of, SEALED_FACTS))
#: What the journal adds to a fact: the number that the engine gave to its card, and the panel whose key was pressed.
_ADDED: Final = frozenset({"draw", "lies", "panel"})
_TIME: Final = "at_us"


class UnreadableRecord(ValueError):
    """A public record that no version of this program can have written."""


def _public_form(value: object) -> object:
    """What msgspec does not know by itself."""
    match value:
        case Slot():
            return value.name
        case Card():
            return None
        case Mapping():
            return dict(value)
        case _:
            raise TypeError(f"a {type(value).__name__} has no public form")


_ENCODER: Final = msgspec.json.Encoder(order="sorted", enc_hook=_public_form)
#: Seats are numbers among the keys of what is carried: these can be sorted as text only.
_UNSORTED: Final = msgspec.json.Encoder(enc_hook=_public_form)


def encode_json(value: object) -> bytes:
    """The one way in which a value becomes bytes: sorted keys, no blanks, UTF-8."""
    return _ENCODER.encode(value)


def to_plain(value: object) -> dict[str, Any]:
    """A decision, a prompt or a carry as the JSON values that stand for it."""
    made: dict[str, Any] = msgspec.json.decode(_UNSORTED.encode(value))
    return made


#: Where these are not said they are not written: version 0.1.0 knows of neither.
_NEW_IN_DECLARED: Final = frozenset({"drawn", "entry"})


def encode_fact(event: f.Fact | Note, commitment: str | None = None) -> dict[str, Any]:
    """The public form of a fact or note. `commitment` stands for the card of a fact whose card is sealed, or None where
    the reader could not read it."""
    made = to_plain(event)
    del made[_TIME]
    if isinstance(event, f.DeviceSaid) and commitment is None:
        del made["card"]  # hardly any has one, and version 0.1.0 knows of none
    elif isinstance(event, f.Declared):
        made = {name: value for name, value in made.items() if value is not None or name not in _NEW_IN_DECLARED}
    elif isinstance(event, SEALED_FACTS):
        made["card"] = commitment
    elif isinstance(event, f.Named):
        made["card"] = event.card.code
    elif isinstance(event, f.Corrected):
        made["card"] = None if event.card is None else event.card.code
        made["instead"] = None if event.instead is None else encode_fact(event.instead)
    return made


def _from_plain(wanted: type[Any], value: object) -> object:
    if wanted is Slot and isinstance(value, str) and value in BY_NAME:
        return BY_NAME[value]
    if wanted is Card and isinstance(value, str):
        return card(value)
    raise ValueError(f"{value!r} is no {wanted.__name__}")


def from_plain(public: Mapping[str, Any], wanted: type[_Made], what: str) -> _Made:
    """What `to_plain` made, as a value again; `what` names it where it is none. Raises `UnreadableRecord`."""
    try:
        return msgspec.convert(public, wanted, str_keys=True, dec_hook=_from_plain)
    except (msgspec.ValidationError, TypeError, ValueError) as wrong:
        raise UnreadableRecord(f"{what} that this program cannot read ({wrong})") from None


def decode_fact(public: Mapping[str, Any], at_us: int) -> f.Fact:
    """The fact of a record; the card of a sealed one is None, as for everybody. Raises `UnreadableRecord`."""
    made: f.Fact = _event(FACTS, "fact", public, at_us)
    return made


def with_card(fact: f.Fact, opened: Card | None) -> f.Fact:
    """The fact with its sealed card, for a reader who has the key; None where no card was read."""
    return replace(fact, card=opened) if opened is not None and isinstance(fact, SEALED_FACTS) else fact


def decode_note(public: Mapping[str, Any], at_us: int) -> Note:
    """The note of a record. Raises `UnreadableRecord`."""
    made: Note = _event(NOTES, "note", public, at_us)
    return made


def decode_decision(public: Mapping[str, Any]) -> d.Decision:
    """A decision of a record. Raises `UnreadableRecord`."""
    made: d.Decision = _event(DECISIONS, "decision", public, None)
    return made


def decode_decisions(public: Mapping[str, Any]) -> tuple[d.Decision, ...]:
    """What a record decided, or what an answer says would be decided. Raises `UnreadableRecord`."""
    return tuple([decode_decision(decision) for decision in public["decisions"]])


def decode_prompt(public: Mapping[str, Any]) -> Prompt:
    """What the croupier was told after a record. Raises `UnreadableRecord`."""
    return from_plain(public, Prompt, "a prompt")


def decode_carry(public: Mapping[str, Any]) -> Carry:
    """What goes over to the next hand. Raises `UnreadableRecord`."""
    return from_plain(public, Carry, "the end of a hand")


def _event(kinds: Mapping[str, type[_Made]], sort: str, public: Mapping[str, Any], at_us: int | None) -> _Made:
    kind = public.get(KIND)
    wanted = kinds.get(kind) if isinstance(kind, str) else None
    if wanted is None:
        raise UnreadableRecord(f"{sort} of kind {kind!r}")
    members = dict(public)
    if at_us is not None:
        members = {name: value for name, value in public.items() if name not in _ADDED} | {_TIME: at_us}
    if wanted in SEALED_FACTS:
        members["card"] = None
    if wanted is f.Corrected and isinstance(members.get("instead"), Mapping):
        members["instead"] = {**members["instead"], _TIME: at_us}
    return from_plain(members, wanted, f"a {kind!r} {sort}")


def _learn() -> None:
    """`msgspec` (0.22) learns a type when it is first decoded. Where two threads ask for that at once, the process is
    gone: a segmentation fault. So it learns all of them here, before there is a second thread."""
    for wanted in (*FACTS.values(), *NOTES.values(), *DECISIONS.values(), Prompt, Carry):
        msgspec.json.Decoder(wanted, dec_hook=_from_plain)


_learn()
