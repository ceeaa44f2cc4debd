"""What an X-keys panel says and is told, byte by byte.

Sources: SuperFlyTV/xkeys, `packages/core/src/xkeys.ts` and its recorded panels
(`packages/node/src/__tests__/recordings`); P.I. Engineering, "X-keys XK-24 Data Report" (`HID-Reports`
in piengineering/X-keys_Linux). Facts only; not verified on hardware.

Input report, without the report id 0 (which the panel does not send: the report is unnumbered): [0] unit id; [1] type:
below 4, bit 0 is the program switch and bit 1 says "you asked for this"; above, a special report; [2…] one byte a
column, bit = row; then four bytes of milliseconds since the panel was plugged in, big endian. Each report carries the
whole state, so a lost one does no lasting harm.

Output report: 36 bytes in both sources, of which the first is report id 0. On the wire it is 35: a host leaves out the
id of an unnumbered report (HID 1.11, 6.2.2.7 and 8.1; hidapi does it in `hid_write`, on whose libusb form the
vendor's own library is built: `SDK-Sample/piehid/hid-libusb.c`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final, TypeAlias

from drivers.xkeys.products import Product

#: Output report without report id.
OUTPUT_BYTES: Final = 35
#: The report id that both sources count as the first byte, and which is not on the wire.
REPORT_ID: Final = 0
#: First type that is no state of the keys (xkeys.ts: "> 3").
FIRST_SPECIAL_TYPE: Final = 4

_PROGRAM_SWITCH: Final = 0x01
_ASKED_FOR: Final = 0x02
_UNIT_AT: Final = 0
_TYPE_AT: Final = 1
_KEYS_AT: Final = 2
_TIMESTAMP_BYTES: Final = 4
_FIRMWARE_AT: Final = 10
_PRODUCT_ID_AT: Final = slice(11, 13)
#: Data report, byte 6 of an output report for one light: sent as 1 by xkeys.ts, a constant to the vendor.
_LIGHT_TAIL: Final = 1


class Say(IntEnum):
    """First byte of an output report. Those that write the panel's EEPROM are left out on purpose."""

    GENERATE_DATA = 0xB1
    DESCRIPTOR = 0xD6
    LIGHT = 0xB5


class Special(IntEnum):
    """Types of input reports that are no state of the keys (data report)."""

    DESCRIPTOR = 0xD6
    CUSTOM_DATA = 0xE0
    DONGLE = 0xC1


class Light(IntEnum):
    """State of one LED."""

    OFF = 0
    ON = 1
    FLASH = 2


class Lamp(Enum):
    """What a key looks like: its blue and its red LED. All that flash do so together, at the panel's own pace."""

    OFF = (Light.OFF, Light.OFF)
    BLUE = (Light.ON, Light.OFF)
    RED = (Light.OFF, Light.ON)
    BOTH = (Light.ON, Light.ON)
    BLUE_BLINK = (Light.FLASH, Light.OFF)
    RED_BLINK = (Light.OFF, Light.FLASH)
    BOTH_BLINK = (Light.FLASH, Light.FLASH)
    BLUE_AND_RED_BLINK = (Light.ON, Light.FLASH)
    RED_AND_BLUE_BLINK = (Light.FLASH, Light.ON)

    @property
    def blue(self) -> Light:
        return self.value[0]

    @property
    def red(self) -> Light:
        return self.value[1]


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyReport:
    """The state of all keys. `down` holds key numbers as in `Product`; `timestamp_ms` wraps after 49 days.

    `is_plugged`: something is in the socket; always False where the product does not say so.
    """

    unit_id: int
    down: frozenset[int]
    timestamp_ms: int
    program_switch: bool = False
    #: The answer to GENERATE_DATA.
    asked_for: bool = False
    is_plugged: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class DescriptorReport:
    """The answer to DESCRIPTOR: who the panel is."""

    unit_id: int
    firmware: int
    product_id: int


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherReport:
    """A special report that nobody here asked for."""

    unit_id: int
    kind: Special


@dataclass(frozen=True, kw_only=True, slots=True)
class BadReport:
    """No report of this product; `reason` says why, without the bytes."""

    reason: str


Report: TypeAlias = KeyReport | DescriptorReport | OtherReport | BadReport


@dataclass(frozen=True, kw_only=True, slots=True)
class SetLight:
    """One LED, by its number as in `Product`."""

    led: int
    light: Light


def generate_data() -> bytes:
    """Ask for the state of all keys."""
    return _output(Say.GENERATE_DATA)


def ask_descriptor() -> bytes:
    """Ask who the panel is."""
    return _output(Say.DESCRIPTOR)


def set_light(led: int, light: Light) -> bytes:
    """Make one LED look so."""
    return _output(Say.LIGHT, led, light, _LIGHT_TAIL)


def _output(*data: int) -> bytes:
    return bytes(data).ljust(OUTPUT_BYTES, b"\0")


def decode_output(data: bytes) -> Say | SetLight | None:
    """What an output report asks of the panel; None when it is none that this program sends."""
    if len(data) != OUTPUT_BYTES:
        return None
    try:
        said = Say(data[0])
        return SetLight(led=data[1], light=Light(data[2])) if said is Say.LIGHT else said
    except ValueError:
        return None


def encode_keys(product: Product, report: KeyReport) -> bytes:
    """An input report, as the panel sends it."""
    data = bytearray(product.input_bytes)
    data[_UNIT_AT] = report.unit_id
    data[_TYPE_AT] = report.program_switch * _PROGRAM_SWITCH | report.asked_for * _ASKED_FOR
    bits = {product.key_bits[key] for key in report.down}
    if report.is_plugged and product.plug_bit is not None:
        bits.add(product.plug_bit)
    for bit in bits:
        data[_KEYS_AT + bit // 8] |= 1 << bit % 8
    stamp = report.timestamp_ms.to_bytes(_TIMESTAMP_BYTES, "big")
    data[product.timestamp_at : product.timestamp_at + _TIMESTAMP_BYTES] = stamp
    return bytes(data)


def encode_descriptor(product: Product, report: DescriptorReport) -> bytes:
    """The answer to DESCRIPTOR, with what this program reads of it; the rest is 0."""
    data = bytearray(product.input_bytes)
    data[_UNIT_AT] = report.unit_id
    data[_TYPE_AT] = Special.DESCRIPTOR
    data[_FIRMWARE_AT] = report.firmware
    data[_PRODUCT_ID_AT] = report.product_id.to_bytes(2, "little")
    return bytes(data)


def decode_input(product: Product, data: bytes) -> Report:
    """What an input report says. Never raises."""
    if len(data) != product.input_bytes:
        return BadReport(reason=f"a report of {len(data)} bytes, not {product.input_bytes}")
    kind = data[_TYPE_AT]
    if kind >= FIRST_SPECIAL_TYPE:
        return _decode_special(data)
    level = int.from_bytes(data[_KEYS_AT : _KEYS_AT + product.key_bytes], "little")
    bits = {bit for bit in range(8 * product.key_bytes) if level >> bit & 1}
    if not bits <= product.known_bits:
        return BadReport(reason="a key that the panel does not have")
    return KeyReport(
        unit_id=data[_UNIT_AT],
        down=frozenset(key for key, bit in enumerate(product.key_bits) if bit in bits),
        timestamp_ms=int.from_bytes(data[product.timestamp_at : product.timestamp_at + _TIMESTAMP_BYTES], "big"),
        program_switch=bool(kind & _PROGRAM_SWITCH),
        asked_for=bool(kind & _ASKED_FOR),
        is_plugged=product.plug_bit in bits,
    )


def _decode_special(data: bytes) -> Report:
    try:
        kind = Special(data[_TYPE_AT])
    except ValueError:
        return BadReport(reason="a special report of unknown type")
    if kind is not Special.DESCRIPTOR:
        return OtherReport(unit_id=data[_UNIT_AT], kind=kind)
    return DescriptorReport(
        unit_id=data[_UNIT_AT],
        firmware=data[_FIRMWARE_AT],
        product_id=int.from_bytes(data[_PRODUCT_ID_AT], "little"),
    )
