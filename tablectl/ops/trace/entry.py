"""What a trace is made of: who was listened in to, and everything that happened there, in order."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from tablectl.i18n.languages import DEFAULT


class Kind(Enum):
    """What happened; after it, what `Entry.data` is. The first nine are `drivers.transport.tapped.WireEvent`."""

    OPENED = "opened"  # the wire's identity, UTF-8
    UNAVAILABLE = "unavailable"  # why it cannot be opened, UTF-8
    IN = "in"  # bytes read from the device
    ANSWER = "answer"  # a feature report that was asked for
    OUT = "out"  # one item written to the device
    SET = "set"  # a feature report written
    ASK = "ask"  # a question for a feature report
    LOST = "lost"  # why the wire broke, UTF-8
    CLOSED = "closed"  # nothing: we closed it
    TOLD = "told"  # what the table wanted shown (`tablectl.core.engine.outputs.Outputs`), JSON
    MISSING = "missing"  # how many entries could not be recorded here, decimal
    WAIT = "wait"  # nothing: time passed


#: What went over the wire, and is shown as bytes.
BYTES: Final = frozenset({Kind.IN, Kind.ANSWER, Kind.OUT, Kind.SET, Kind.ASK})
#: Of those, what the controller wrote.
WRITTEN: Final = frozenset({Kind.OUT, Kind.SET, Kind.ASK})
#: Kind (its place in `Kind`), monotonic and wall clock in microseconds, length of what follows.
_ENTRY: Final = struct.Struct(">BQQI")
_KINDS: Final = tuple(Kind)
#: What an entry takes besides its data, in bytes.
OVERHEAD_BYTES: Final = _ENTRY.size


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Entry:
    """One thing that happened. `mono_us` for the time between entries, `wall_us` since the Unix epoch.

    It never prints its data: that may be a card.
    """

    kind: Kind
    mono_us: int
    wall_us: int
    data: bytes = b""


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """Who was listened in to: all that a replay needs to make the same driver. `keys`: of a panel, name to number;
    `language`: of the labels."""

    device: str
    driver: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    keys: Mapping[str, int] = field(default_factory=dict)
    language: str = DEFAULT


class BadEntry(ValueError):
    """Bytes that are no entry."""


def encode(entry: Entry) -> bytes:
    """As it stands in a block."""
    return _ENTRY.pack(_KINDS.index(entry.kind), entry.mono_us, entry.wall_us, len(entry.data)) + entry.data


def decode(block: bytes) -> Iterator[Entry]:
    """The entries of a block, in order. Raises `BadEntry`."""
    at = 0
    while at < len(block):
        if len(block) - at < OVERHEAD_BYTES:
            raise BadEntry("an entry is cut short")
        number, mono_us, wall_us, length = _ENTRY.unpack_from(block, at)
        at += OVERHEAD_BYTES
        if number >= len(_KINDS) or at + length > len(block):
            raise BadEntry("an entry of no kind that is known, or longer than its block")
        yield Entry(kind=_KINDS[number], mono_us=mono_us, wall_us=wall_us, data=block[at : at + length])
        at += length
