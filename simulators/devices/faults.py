"""How a wire misbehaves, as data: which fault, when, and what a message becomes because of it.

A plan is a TOML file:

    [[fault]]
    kind = "unplug-mid-frame"
    at = [7]            # message numbers, from 1; or: probability = 0.01
    offset = 3          # bytes of it that still get out; without it, a place chosen under the seed
    for_s = 2.0

    [[fault]]
    kind = "delay"
    of = "host"         # what the host says to the device; without it, what the device says
    probability = 0.01
    for_s = 5.0         # longer than the host waits: a time-out (errno 110)

    [[tag-fault]]
    kind = "two-tags"   # of the field of a reader, not of its wire
    at = [2]            # cards laid at the antenna, from 1; or: probability = 0.01

Only devices on USB have faults of what the host says, and only readers of tags have faults of tags
(`simulators/devices/tag_faults.py`). A message is one frame put on the wire; a report that is sent three times is three
messages. The same plan, seed and messages always give the same actions.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeAlias


class FaultKind(StrEnum):
    """What can go wrong; in brackets the fields of `Fault` that matter."""

    LOSE = "lose"  # the message does not get out
    REPEAT = "repeat"  # it gets out `count` times more
    CORRUPT = "corrupt"  # one byte of it is another one (offset)
    SPLIT = "split"  # it gets out in two writes, `for_s` apart (offset)
    DELAY = "delay"  # it waits `for_s`
    SILENCE = "silence"  # it and those after it, `count` in all, do not get out
    JUNK = "junk"  # `count` bytes of noise in front of it
    REBOOT = "reboot"  # the device starts anew after it
    UNPLUG_MID_FRAME = "unplug-mid-frame"  # the wire breaks after `offset` bytes and comes back after `for_s`
    WRONG_BAUD = "wrong-baud"  # it and those after it, `count` in all, arrive as noise
    STUCK = (
        "stuck"  # the device hangs from here on, until it has power anew; by itself after `for_s`, where that is given
    )


class TagFaultKind(StrEnum):
    """What can go wrong in a reader's field; in brackets the fields of `TagFault` that matter."""

    QUIET_TAG = "quiet-tag"  # the tag lies there and is not reported until the field is reset or it left
    TWO_TAGS = "two-tags"  # another tag lies there with it, for as long as it does
    CLONE = "clone"  # a tag with the same number lies at another antenna (other_antenna), for as long as it does


class Side(StrEnum):
    """Whose messages a fault strikes at."""

    DEVICE = "device"
    HOST = "host"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """One fault. It strikes at the messages numbered in `at` and, besides, with `probability` at any other."""

    kind: FaultKind
    at: tuple[int, ...] = ()
    probability: float = 0.0
    #: Bytes, from the start of the message; None: under the seed.
    offset: int | None = None
    count: int = 1
    #: Seconds.
    for_s: float = 0.0
    of: Side = Side.DEVICE


@dataclass(frozen=True, kw_only=True, slots=True)
class TagFault:
    """One fault of a field. It strikes at the cards laid at `antenna` that are numbered in `at` and, besides, with
    `probability` at any other. Antennas count from 1."""

    kind: TagFaultKind
    at: tuple[int, ...] = ()
    probability: float = 0.0
    antenna: int = 1
    other_antenna: int = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class FaultPlan:
    """Faults in the order in which they are applied to a message, and those of a reader's field."""

    faults: tuple[Fault, ...] = ()
    tag_faults: tuple[TagFault, ...] = ()


NO_FAULTS: Final = FaultPlan()


class FaultPlanError(ValueError):
    """A plan that cannot be used; the text names file, fault and key."""


@dataclass(frozen=True, slots=True)
class Send:
    """Write these bytes."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Wait:
    """Write nothing for so long."""

    for_s: float


@dataclass(frozen=True, slots=True)
class Unplug:
    """Break the wire; what is queued after is lost. It comes back after `for_s`."""

    for_s: float


@dataclass(frozen=True, slots=True)
class Restart:
    """The device starts anew."""


Action: TypeAlias = Send | Wait | Unplug | Restart


class FaultInjector:
    """Turns messages into actions. One for each device; not thread-safe."""

    def __init__(self, plan: FaultPlan = NO_FAULTS, *, seed: int = 0, side: Side = Side.DEVICE) -> None:
        self._plan = FaultPlan(faults=tuple(fault for fault in plan.faults if fault.of is side))
        self._random = random.Random(seed)
        self._number = 0
        self._left: dict[FaultKind, int] = {}
        #: The device hangs: it says nothing and does nothing with what it is told.
        self.is_stuck = False

    def power_on(self) -> None:
        """The device has power anew, and hangs no more."""
        self.is_stuck = False

    def apply(self, message: bytes) -> Sequence[Action]:
        """What is done instead of simply sending `message`."""
        self._number += 1
        was_stuck = self.is_stuck
        actions: list[Action] = [Send(message)]
        for fault in self._plan.faults:
            if self._strikes(fault):
                actions = self._changed(actions, fault)
        return () if was_stuck else actions

    def _strikes(self, fault: Fault) -> bool:
        # The die is cast for each message and fault alike, so that one fault never changes when another strikes.
        by_chance = self._random.random() < fault.probability
        left = self._left.get(fault.kind, 0)
        if left:
            self._left[fault.kind] = left - 1
            return True
        strikes = by_chance or self._number in fault.at
        if strikes and fault.kind in (FaultKind.SILENCE, FaultKind.WRONG_BAUD):
            self._left[fault.kind] = fault.count - 1
        return strikes

    def _changed(self, actions: Sequence[Action], fault: Fault) -> list[Action]:
        match fault.kind:
            case FaultKind.LOSE | FaultKind.SILENCE:
                return [action for action in actions if not isinstance(action, Send)]
            case FaultKind.REPEAT:
                return [*actions, *[action for action in actions if isinstance(action, Send)] * fault.count]
            case FaultKind.DELAY:
                return [Wait(fault.for_s), *actions]
            case FaultKind.STUCK:
                self.is_stuck = True
                return [Wait(fault.for_s), Restart()] if fault.for_s else []
            case FaultKind.JUNK:
                return [Send(self._random.randbytes(fault.count)), *actions]
            case FaultKind.REBOOT:
                return [*actions, Restart()]
            case _:
                return [changed for action in actions for changed in self._changed_bytes(action, fault)]

    def _changed_bytes(self, action: Action, fault: Fault) -> list[Action]:
        if not isinstance(action, Send) or not action.data:
            return [action]
        data = action.data
        at = self._random.randrange(len(data)) if fault.offset is None else min(fault.offset, len(data))
        match fault.kind:
            case FaultKind.CORRUPT:
                at = min(at, len(data) - 1)
                return [Send(data[:at] + bytes([data[at] ^ self._random.randrange(1, 256)]) + data[at + 1 :])]
            case FaultKind.SPLIT:
                return [Send(data[:at]), Wait(fault.for_s), Send(data[at:])]
            case FaultKind.UNPLUG_MID_FRAME:
                return [Send(data[:at]), Unplug(fault.for_s)]
            case _:
                return [Send(self._random.randbytes(len(data)))]


def load_faults(path: Path) -> FaultPlan:
    """Read a plan. Raises `FaultPlanError`."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as why:
        raise FaultPlanError(f"{path}: {why}") from why
    entries, of_tags = table.pop("fault", []), table.pop("tag-fault", [])
    if table or not isinstance(entries, list) or not isinstance(of_tags, list):
        known = "only [[fault]] and [[tag-fault]] tables are known here"
        raise FaultPlanError(f"{path}: {known}, not {', '.join(table) or 'one fault'}")
    return FaultPlan(
        faults=tuple(_fault(entry, f"{path}: fault {n}") for n, entry in enumerate(entries, start=1)),
        tag_faults=tuple(_tag_fault(entry, f"{path}: tag-fault {n}") for n, entry in enumerate(of_tags, start=1)),
    )


def _tag_fault(raw: object, where: str) -> TagFault:
    entry = _table(raw, where, TagFault)
    try:
        kind = TagFaultKind(str(entry.get("kind", "")))
    except ValueError as why:
        raise FaultPlanError(f"{where}: kind: one of {', '.join(TagFaultKind)}") from why
    at, probability = _when(entry, where, "cards")
    antenna = _whole(entry, "antenna", where, least=1) or 1
    other = _whole(entry, "other_antenna", where, least=1) or (2 if antenna == 1 else 1)
    if kind is TagFaultKind.CLONE and other == antenna:
        raise FaultPlanError(f"{where}: other_antenna: another one than {antenna}")
    return TagFault(kind=kind, at=at, probability=probability, antenna=antenna, other_antenna=other)


def _table(entry: object, where: str, kind: type[Fault] | type[TagFault]) -> Mapping[str, object]:
    if not isinstance(entry, Mapping):
        raise FaultPlanError(f"{where}: a table is expected")
    unknown = sorted(set(entry) - {field.name for field in fields(kind)})
    if unknown:
        raise FaultPlanError(f"{where}: unknown key {unknown[0]!r}")
    return entry


def _when(entry: Mapping[str, object], where: str, what: str) -> tuple[tuple[int, ...], float]:
    at = entry.get("at", [])
    if not isinstance(at, list) or not all(type(number) is int and number > 0 for number in at):
        raise FaultPlanError(f"{where}: at: a list of numbers of {what}, from 1")
    probability = _number(entry, "probability", where)
    if probability > 1:
        raise FaultPlanError(f"{where}: probability: between 0 and 1")
    if not at and not probability:
        raise FaultPlanError(f"{where}: never strikes: give at or probability")
    return tuple(at), probability


def _fault(raw: object, where: str) -> Fault:
    entry = _table(raw, where, Fault)
    try:
        kind = FaultKind(str(entry.get("kind", "")))
    except ValueError as why:
        raise FaultPlanError(f"{where}: kind: one of {', '.join(FaultKind)}") from why
    try:
        side = Side(str(entry.get("of", Side.DEVICE)))
    except ValueError as why:
        raise FaultPlanError(f"{where}: of: one of {', '.join(Side)}") from why
    at, probability = _when(entry, where, "messages")
    return Fault(
        kind=kind,
        at=at,
        probability=probability,
        offset=_whole(entry, "offset", where, least=0),
        count=_whole(entry, "count", where, least=1) or 1,
        for_s=_number(entry, "for_s", where),
        of=side,
    )


def _number(entry: Mapping[str, object], key: str, where: str) -> float:
    value = entry.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise FaultPlanError(f"{where}: {key}: a number, not negative")
    return float(value)


def _whole(entry: Mapping[str, object], key: str, where: str, *, least: int) -> int | None:
    value = entry.get(key)
    if value is None:
        return None
    if type(value) is not int or value < least:
        raise FaultPlanError(f"{where}: {key}: a whole number, at least {least}")
    return value
