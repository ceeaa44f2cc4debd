"""What a device can tell us. `tablectl/table/devices/translator.py` alone decides what each of these means at a table.

Every fact names the device by its name in the configuration, but for `UsbChanged`: what is plugged in need not be in
any. `at_us` is the wall clock (microseconds since the
Unix epoch, UTC) at which the last byte that made up the fact was read; the engine never asks a clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from drivers.sealed import Sealed
from drivers.topology.identity import UsbIdentity


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """The device answers (first time, or again after a loss). `identity` is what it was recognised by."""

    device: str
    at_us: int
    identity: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Lost:
    """The device is gone: unplugged, port error, no such file. `reason` is for a technician."""

    device: str
    at_us: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CardOut:
    """One physical card left a shoe. `card` is two characters (`As`, `Td`); None where it could not be read."""

    device: str
    at_us: int
    card: Sealed[str] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ShoeNote:
    """Something a shoe said that is no card: started, stand-by, cut card, error, error cancelled, lock, result.

    `kind` is one of the driver's documented words, `code` the device's own number where there is one.
    """

    device: str
    at_us: int
    kind: str
    code: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DoubtedCard(ShoeNote):
    """A note that a shoe is not sure of the last card it reported. `card`: another one that it said; None where what it
    said else was no card."""

    card: Sealed[str] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyDown:
    """A key of a panel went down. `key` is the panel's own number, from 0."""

    device: str
    at_us: int
    key: int


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyUp:
    """A key of a panel came up again."""

    device: str
    at_us: int
    key: int


@dataclass(frozen=True, kw_only=True, slots=True)
class TagIn:
    """A tag came to an antenna and stayed. `tag` is its unique id in upper-case hexadecimal; which card it is, if it is
    one, only the deck register knows. `antenna` counts from 1 within the device. A tag that two antennas go on seeing
    has come to both."""

    device: str
    at_us: int
    tag: Sealed[str]
    antenna: int


@dataclass(frozen=True, kw_only=True, slots=True)
class TagOut:
    """A tag has left an antenna."""

    device: str
    at_us: int
    tag: Sealed[str]
    antenna: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ReaderNote:
    """Something a reader of tags said that is no tag: an error of one scan, an antenna that is off. `kind` is one of
    the driver's documented words, `code` the device's own number where there is one."""

    device: str
    at_us: int
    kind: str
    antenna: int | None = None
    code: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ShufflerNote:
    """Something a shuffler said. `kind`: `started`, `complete`, `card-missing`, `card-extra`, `jam`, `door-open`,
    `door-closed`, `restarted`, `lines-missing`; `cards`: how many it counted, where it says so. Its count is never
    trusted alone."""

    device: str
    at_us: int
    kind: str
    cards: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejected:
    """Bytes that were no valid message. Counted by the port, logged once a reason; never a card."""

    device: str
    at_us: int
    reason: str
    n_bytes: int


class UsbChange(Enum):
    """`PRESENT`: it was there when the controller began to look."""

    PRESENT = "present"
    PLUGGED = "plugged"
    UNPLUGGED = "unplugged"


@dataclass(frozen=True, kw_only=True, slots=True)
class UsbChanged:
    """A USB device of this machine came or went, whoever it belongs to."""

    at_us: int
    change: UsbChange
    identity: UsbIdentity


#: What one of the table's own devices tells.
FactOfADevice: TypeAlias = (
    Found
    | Lost
    | CardOut
    | ShoeNote
    | DoubtedCard
    | KeyDown
    | KeyUp
    | TagIn
    | TagOut
    | ReaderNote
    | ShufflerNote
    | Rejected
)
DeviceFact: TypeAlias = FactOfADevice | UsbChanged
