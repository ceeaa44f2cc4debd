"""What a record says in public, and what of it is sealed.

A record is one fact with its decisions and the prompt that followed. Its public form is canonical JSON (sorted keys,
no blanks, UTF-8); the chain runs over exactly these bytes. A drawn card stands in it as a commitment only:
`sha256(salt || code)`. The record from which on the rules show the card carries a reveal: code and salt.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache, lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin, get_type_hints

import msgspec

from tablectl.cards import Card, card
from tablectl.engine import decisions as d
from tablectl.engine import facts as f
from tablectl.engine.prompts import Prompt
from tablectl.engine.seats import SEATED
from tablectl.engine.slots import BY_NAME, Face, Slot
from tablectl.engine.table import Carry
from tablectl.engine.words import Action, Declaration, Equipment, Key, Move, Plug, Remedy, Strange, Tracking
from tablectl.journal.notes import NOTES, Note
from tablectl.settlement.pot_rules import Rake, RakeFrom

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SALT_BYTES: Final = 16

_FACTS: Final[Mapping[str, type[Any]]] = {
    "opened": f.Opened,
    "game-chosen": f.GameChosen,
    "drawn": f.Drawn,
    "seen": f.Seen,
    "gone": f.Gone,
    "strange-tag": f.StrangeTag,
    "counted": f.Counted,
    "on-felt": f.OnFelt,
    "shuffled": f.Shuffled,
    "pressed": f.Pressed,
    "bets": f.Bets,
    "removed": f.Removed,
    "standing-bet": f.StandingBet,
    "stands-out": f.StandsOut,
    "acted": f.Acted,
    "put-in": f.PutIn,
    "asks-for": f.AsksFor,
    "moved": f.Moved,
    "stacked": f.Stacked,
    "button-placed": f.ButtonPlaced,
    "declared": f.Declared,
    "ruled": f.Ruled,
    "signed-on": f.SignedOn,
    "signed-off": f.SignedOff,
    "limits-set": f.LimitsSet,
    "shelved": f.Shelved,
    "unshelved": f.Unshelved,
    "acknowledged": f.Acknowledged,
    "named": f.Named,
    "called": f.Called,
    "device-lost": f.DeviceLost,
    "device-back": f.DeviceBack,
    "device-said": f.DeviceSaid,
    "topology-changed": f.TopologyChanged,
    "failed": f.Failed,
}
_DECISIONS: Final[Mapping[type[Any], str]] = {
    d.HandOpened: "hand-opened",
    d.CroupierAtTable: "croupier-at-table",
    d.CroupierWaits: "croupier-waits",
    d.CroupierLeft: "croupier-left",
    d.LimitsWait: "limits-wait",
    d.LimitsInForce: "limits-in-force",
    d.AlarmShelved: "alarm-shelved",
    d.AlarmUnshelved: "alarm-unshelved",
    d.AlarmSeen: "alarm-seen",
    d.PhaseEntered: "phase-entered",
    d.BetTaken: "bet-taken",
    d.BetsReturned: "bets-returned",
    d.Folded: "folded",
    d.Checked: "checked",
    d.LeftToBoxes: "left-to-boxes",
    d.ButtonAt: "button-at",
    d.PlayerNow: "player-now",
    d.WaitsToEnter: "waits-to-enter",
    d.StackNow: "stack-now",
    d.Bought: "bought",
    d.Account: "account",
    d.SeatDrawn: "seat-drawn",
    d.GameWaits: "game-waits",
    d.Spoke: "spoke",
    d.TakenBack: "taken-back",
    d.Stored: "stored",
    d.CutOffered: "cut-offered",
    d.Exchanges: "exchanges",
    d.Discards: "discards",
    d.StubMade: "stub-made",
    d.PotCarried: "pot-carried",
    d.Uncalled: "uncalled",
    d.PotMade: "pot-made",
    d.Mucked: "mucked",
    d.Awarded: "awarded",
    d.Refused: "refused",
    d.CardPlaced: "card-placed",
    d.CardTurned: "card-turned",
    d.IncidentRaised: "incident-raised",
    d.Asked: "asked",
    d.IncidentEscalated: "incident-escalated",
    d.IncidentClosed: "incident-closed",
    d.IncidentSeen: "incident-seen",
    d.SeatVoided: "seat-voided",
    d.SeatWithdrawn: "seat-withdrawn",
    d.SeatExpelled: "seat-expelled",
    d.HandVoided: "hand-voided",
    d.Refund: "refund",
    d.BetReversed: "bet-reversed",
    d.Ranked: "ranked",
    d.BetSettled: "bet-settled",
    d.HandClosed: "hand-closed",
}
_DECISION_OF: Final = {name: kind for kind, name in _DECISIONS.items()}
#: The names of decisions in the stream.
DECISION_KINDS: Final = frozenset(_DECISION_OF)
_KIND_OF_FACT: Final = {kind: name for name, kind in (*_FACTS.items(), *NOTES.items())}
#: Facts with a card that nobody may know.
SEALED_FACTS: Final = (f.Drawn, f.Seen, f.Gone, f.Failed)
SEALED_KINDS: Final = frozenset(name for name, kind in _FACTS.items() if kind in SEALED_FACTS)
#: Behind these, and behind the end of a hand, the table signs.
_SIGNED: Final = frozenset(("opened", "game-chosen", *NOTES))


def _names_and_values(kind: type[Any]) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """What of each is told, and how it is had: every field but the time, which stands beside; a slot by its name."""
    names = tuple(each.name for each in fields(kind) if each.name != "at_us")
    slotted = kind in (d.CardPlaced, d.CardTurned)
    values = [f"{name}.name" if slotted and name == "slot" else name for name in names]
    if not values:
        return names, lambda _value: ()
    get = attrgetter(*values)
    return names, get if len(values) > 1 else lambda value: (get(value),)


_TOLD: Final = {kind: _names_and_values(kind) for kind in (*_FACTS.values(), *NOTES.values(), *_DECISIONS, Prompt)}


class UnreadableRecord(Exception):
    """A public record that no version of this program can have written."""


def canonical(value: object) -> bytes:
    """The one way in which a value becomes bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def encoded(record: Mapping[str, Any]) -> bytes:
    """The same bytes for what `told_fact` and its like make, sixteen times as fast: a card waits for it."""
    return _ENCODER.encode(record)


def _without_a_form(value: object) -> object:
    """What the encoder does not know. A card has no public form, wherever it comes from."""
    match value:
        case Mapping():
            return dict(value)
        case Card():
            return None
        case _:
            raise TypeError(f"a {type(value).__name__} has no public form")


_ENCODER: Final = msgspec.json.Encoder(order="sorted", enc_hook=_without_a_form)


def commitment(code: str, salt: bytes) -> str:
    """What stands in public for a card nobody may know: 64 hexadecimal digits."""
    return hashlib.sha256(salt + code.encode()).hexdigest()


#: Read several times as quickly as by its format, and a hand has hundreds of them.
_WRITTEN_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")


def time_text(at_us: int) -> str:
    """RFC 3339, UTC, microseconds."""
    seconds, us = divmod(at_us, 1_000_000)
    return f"{_second_text(seconds)}.{us:06d}Z"


@lru_cache(maxsize=4)
def _second_text(seconds: int) -> str:
    """Many records fall into one second."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


def time_us(text: str) -> int:
    """The other way round. Raises `ValueError` for what `time_text` does not write."""
    if not _WRITTEN_TIME.fullmatch(text):
        raise ValueError(f"{text!r} is no time of a record")
    moment = datetime.fromisoformat(text)
    return int(moment.replace(microsecond=0).timestamp()) * 1_000_000 + moment.microsecond


def must_sign(kind: str, *, closes_hand: bool) -> bool:
    """Whether a record is signed: by the kind of its fact, and whether a hand ends with it."""
    return closes_hand or kind in _SIGNED


def told_note(note: Note) -> dict[str, Any]:
    """A note, where a record has its fact, for `encoded`."""
    return {"kind": _KIND_OF_FACT[type(note)], **_told(note)}


def is_note(public: Mapping[str, Any]) -> bool:
    """Whether this is the journal's own life and none of the table's."""
    return public.get("kind") in NOTES


def public_fact(fact: f.Fact, sealed: str | None) -> dict[str, Any]:
    """A fact without its card: `sealed` is the commitment, or None where the reader could not read the card.

    A card that a person named lies open on the table, so its code stands there.
    """
    return _plain_values(told_fact(fact, sealed))


def told_fact(fact: f.Fact, sealed: str | None) -> dict[str, Any]:
    """As `public_fact`, for `encoded`."""
    made = {"kind": _KIND_OF_FACT[type(fact)], **_told(fact)}
    if isinstance(fact, SEALED_FACTS):
        made["card"] = sealed
    elif isinstance(fact, f.Named):
        made["card"] = fact.card.code
    return made


def public_decision(decision: d.Decision) -> dict[str, Any]:
    """A decision; there is never a card in one."""
    return _plain_values(told_decision(decision))


def told_decision(decision: d.Decision) -> dict[str, Any]:
    """As `public_decision`, for `encoded`."""
    return {"kind": _DECISIONS[type(decision)], **_told(decision)}


#: Members that records of this format did not have from the beginning. Where one is missing, `bettor` is who sits at
#: the box, an incident is about no `seats` and takes no `two_persons`, and nobody said who the croupier is; what a hand
#: did to the float nobody had worked out.
_SEATED_THEN: Final = frozenset(("bet-taken", "bets-returned", "folded", "refund", "bet-settled"))
_EMPTY_THEN: Final[Mapping[str, Mapping[str, Any]]] = {
    "incident-raised": {"seats": [], "two_persons": []},
    "incident-escalated": {"two_persons": []},
    "hand-opened": {"croupier": ""},
}


def same_decisions(recorded: list[dict[str, Any]], decided: list[dict[str, Any]]) -> bool:
    """Whether a replay concludes what a record says, also one that was written before there was more to say."""
    return recorded == decided or (
        len(recorded) == len(decided) and all(map(_same_decision, map(_completed, recorded), decided))
    )


def _same_decision(recorded: dict[str, Any], decided: dict[str, Any]) -> bool:
    if decided.get("kind") == "hand-closed" and "float_change" not in recorded:
        return recorded == {name: value for name, value in decided.items() if name != "float_change"}
    return recorded == decided


def _completed(recorded: dict[str, Any]) -> dict[str, Any]:
    kind = recorded.get("kind")
    if kind in _SEATED_THEN:
        return {"bettor": SEATED, **recorded}
    return {**_EMPTY_THEN.get(str(kind), {}), **recorded}


def public_prompt(prompt: Prompt) -> dict[str, Any]:
    """What the croupier was told after this record."""
    return _plain_values(told_prompt(prompt))


def told_prompt(prompt: Prompt) -> dict[str, Any]:
    """As `public_prompt`, for `encoded`."""
    return _told(prompt)


def fact_of(public: Mapping[str, Any], at_us: int, opened: Card | None) -> f.Fact:
    """The fact of a record again. `opened` is the card of a drawn one, taken out of its seal (None: unread).

    Raises `UnreadableRecord`.
    """
    kind = _FACTS.get(public.get("kind", ""))
    if kind is None:
        raise UnreadableRecord(f"fact of kind {public.get('kind')!r}")
    values = {name: value for name, value in public.items() if name not in ("kind", "draw", "lies")}
    convert = _CONVERT.get(kind)
    try:
        if convert is not None:
            values = convert(values)
        if kind in SEALED_FACTS:
            values["card"] = opened
        made: f.Fact = kind(at_us=at_us, **values)
    except (KeyError, TypeError, ValueError) as wrong:
        raise UnreadableRecord(f"a {public['kind']!r} fact that this program cannot read ({wrong})") from None
    return made


def _setup(values: dict[str, Any]) -> dict[str, Any]:
    setup = dict(values["setup"])
    setup["tracking"] = Tracking(setup["tracking"])
    setup["equipment"] = Equipment(setup.get("equipment", Equipment.SHOE))
    setup["limits"] = _limits(setup["limits"])
    setup["bands"] = _limits(setup.get("bands", {}))
    fee = setup.get("fee")
    setup["fee"] = None if fee is None else Rake(**{**fee, "taken_from": RakeFrom(fee["taken_from"])})
    return {"setup": f.Setup(**setup)}


def _limits(values: Mapping[str, Any]) -> dict[str, f.Limits]:
    return {bet: f.Limits(**limits) for bet, limits in values.items()}


_CONVERT: Final[Mapping[type[Any], Any]] = {
    f.Opened: _setup,
    f.GameChosen: lambda values: {**_setup(values), "by": values["by"]},
    f.OnFelt: lambda values: {"spots": tuple(values["spots"])},
    f.StrangeTag: lambda values: {**values, "what": Strange(values["what"])},
    f.Pressed: lambda values: {"key": Key(values["key"])},
    f.Acted: lambda values: {**values, "action": Action(values["action"])},
    f.PutIn: lambda values: {**values, "said": None if values["said"] is None else Action(values["said"])},
    f.Moved: lambda values: {**values, "what": Move(values["what"])},
    f.Declared: lambda values: {**values, "what": Declaration(values["what"])},
    f.Ruled: lambda values: {**values, "remedy": Remedy(values["remedy"])},
    f.LimitsSet: lambda values: {**values, "limits": _limits(values["limits"])},
    f.TopologyChanged: lambda values: {**values, "change": Plug(values["change"])},
    f.Named: lambda values: {**values, "card": card(values["card"])},
}


def decision_of(public: Mapping[str, Any]) -> d.Decision:
    """A decision of a record again. Raises `UnreadableRecord`."""
    kind = _DECISION_OF.get(public.get("kind", ""))
    if kind is None:
        raise UnreadableRecord(f"decision of kind {public.get('kind')!r}")
    hints = _hints(public["kind"])
    try:
        made: d.Decision = kind(
            **{name: _typed(hints[name], value) for name, value in public.items() if name != "kind"}
        )
    except (KeyError, TypeError, ValueError) as wrong:
        raise UnreadableRecord(f"a {public['kind']!r} decision that this program cannot read ({wrong})") from None
    return made


@cache
def _hints(kind: str) -> Mapping[str, Any]:
    """The types of a decision's fields, by its kind: looking them up compiles each of them."""
    return get_type_hints(_DECISION_OF[kind])


def _typed(wanted: object, value: object) -> object:
    """A JSON value as the type that a decision's field has."""
    if isinstance(value, list):
        inner = get_args(wanted)
        inner = next((get_args(each) for each in inner if get_origin(each) is tuple), inner)
        return tuple(_typed(inner[0], each) for each in value)
    if isinstance(value, dict):
        return _limits(value)  # no decision has another mapping
    if wanted is Slot:
        return BY_NAME[str(value)]
    if isinstance(wanted, type) and issubclass(wanted, StrEnum):
        return wanted(str(value))
    return value


def public_carry(carry: Carry) -> dict[str, Any]:
    """What goes over to the next hand; no card is in it."""
    return _plain_fields(carry)


def carry_of(public: Mapping[str, Any]) -> Carry:
    """The other way round."""
    chosen = public.get("next_setup")
    values = {
        **public,
        **_setup(dict(public)),
        "next_setup": None if chosen is None else _setup({"setup": chosen})["setup"],
        "previous": {int(seat): bets for seat, bets in public["previous"].items()},
        "unseen": tuple(public["unseen"]),
        "lost": tuple(public.get("lost", ())),
        "unseen_devices": tuple(public.get("unseen_devices", ())),
        "kept": {int(seat): bets for seat, bets in public.get("kept", {}).items()},
        "players": tuple(public.get("players", ())),
        "stacks": {int(seat): chips for seat, chips in public.get("stacks", {}).items()},
        "bought": {int(seat): chips for seat, chips in public.get("bought", {}).items()},
        "limits_set": {
            game: f.SetLimits(file=_limits(each["file"]), limits=_limits(each["limits"]))
            for game, each in public.get("limits_set", {}).items()
        },
        "shelved": {alarm: f.OnShelf(**each) for alarm, each in public.get("shelved", {}).items()},
    }
    return Carry(**values)


def faces_up(decisions: tuple[d.Decision, ...]) -> list[tuple[int, Slot]]:
    """The draws (with their slots) that lie face up from these decisions on."""
    return [
        (each.draw, each.slot)
        for each in decisions
        if isinstance(each, d.CardTurned) or (isinstance(each, d.CardPlaced) and each.slot.face is Face.UP)
    ]


def _told(value: DataclassInstance) -> dict[str, Any]:
    """The fields, a slot by its name; what is inside them is left as it is."""
    names, values = _TOLD[type(value)]
    return dict(zip(names, values(value), strict=True))


def _plain_values(told: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in told.items()}


def _plain_fields(value: DataclassInstance) -> dict[str, Any]:
    return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}


def _plain(value: object) -> object:
    match value:
        case None | bool() | int():
            return value
        case StrEnum():
            return value.value
        case str():
            return value
        case Slot():
            return value.name
        case Card():
            return None
        case Mapping():
            return {str(name): _plain(each) for name, each in value.items()}
        case tuple() | list():
            return [_plain(each) for each in value]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return _plain_fields(value)
        case _:
            raise TypeError(f"a {type(value).__name__} has no public form")
