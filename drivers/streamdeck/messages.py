"""What a Stream Deck says and is told, byte by byte, in both dialects.

Sources: abcminiuser/python-elgato-streamdeck, `Devices/StreamDeckOriginalV2.py`, `StreamDeckMini.py` and
`StreamDeckPedal.py`; Elgato's "Stream Deck HID, General Reference" (input report). Facts only; not verified on
hardware.

The first byte of every report is its id, and it is on the wire.

V2. Input report 1: command 0, how many keys (2 bytes, little endian), one byte a key. Output report 2, 1024 bytes, one
page of a picture: 7, key, 1 on the last page, bytes of picture in this page, page from 0 (2 bytes each, little endian).
Feature reports, 32 bytes: 3 with 2 resets it to its maker's picture, 3 with 8 sets the brightness in percent; 5 is the
firmware as a text from byte 6, 6 the serial number from byte 2.

Mini. Input report 1: one byte a key. Output report 2, 1024 bytes: 1, page from 0, 0, 1 on the last page, key from 1,
ten zeros. Feature reports, 17 bytes: 0B 63 resets, 05 55 AA D1 01 sets the brightness; 4 is the firmware, 3 the serial
number, both from byte 5.

A page whose picture was never ended would be put in front of the next one. An output report of zeros ends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from drivers.streamdeck.products import Dialect, Product
from drivers.transport.base import AskFeature, SetFeature

PAGE_BYTES: Final = 1024
INPUT_ID: Final = 1
OUTPUT_ID: Final = 2
PERCENT_MAX: Final = 100

_V2_HEADER: Final = 8
_MINI_HEADER: Final = 16
_V2_KEYS_AT: Final = 4
_MINI_KEYS_AT: Final = 1
_FEATURE_BYTES: Final = {Dialect.V2: 32, Dialect.MINI: 17}
#: Feature report of the firmware and of the serial number, and where their texts begin.
_FIRMWARE: Final = {Dialect.V2: (5, 6), Dialect.MINI: (4, 5)}
_SERIAL: Final = {Dialect.V2: (6, 2), Dialect.MINI: (3, 5)}
_RESET: Final = {Dialect.V2: bytes((0x03, 0x02)), Dialect.MINI: bytes((0x0B, 0x63))}
_BRIGHTNESS: Final = {Dialect.V2: bytes((0x03, 0x08)), Dialect.MINI: bytes((0x05, 0x55, 0xAA, 0xD1, 0x01))}


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys that are down: the state of all of them."""

    down: frozenset[int]


@dataclass(frozen=True, slots=True)
class Firmware:
    """What it calls its firmware."""

    text: str


@dataclass(frozen=True, slots=True)
class SerialNumber:
    """Its serial number."""

    text: str


@dataclass(frozen=True, slots=True)
class BadReport:
    """No report of this product; `reason` says why, without the bytes."""

    reason: str


Report: TypeAlias = Keys | Firmware | SerialNumber | BadReport


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A page of the picture of a key."""

    key: int
    page: int
    is_last: bool
    data: bytes


@dataclass(frozen=True, slots=True)
class EndOfPages:
    """What was begun is forgotten."""


@dataclass(frozen=True, slots=True)
class Reset:
    """Every key shows a part of the maker's picture."""


@dataclass(frozen=True, slots=True)
class Brightness:
    """In percent."""

    percent: int


Command: TypeAlias = Page | EndOfPages | Reset | Brightness


# -- what the host says ----------------------------------------------------------------------------------------------


def pages(product: Product, key: int, picture: bytes) -> Iterator[bytes]:
    """The output reports that give a key its picture."""
    header_bytes = _V2_HEADER if product.dialect is Dialect.V2 else _MINI_HEADER
    room = PAGE_BYTES - header_bytes
    for page, begin in enumerate(range(0, len(picture), room)):
        data = picture[begin : begin + room]
        is_last = int(begin + room >= len(picture))
        if product.dialect is Dialect.V2:
            counts = len(data).to_bytes(2, "little") + page.to_bytes(2, "little")
            header = bytes((OUTPUT_ID, 7, key, is_last)) + counts
        else:
            header = bytes((OUTPUT_ID, 1, page, 0, is_last, key + 1)).ljust(header_bytes, b"\0")
        yield (header + data).ljust(PAGE_BYTES, b"\0")


def end_of_pages() -> bytes:
    """Forget the picture that was begun, if any."""
    return bytes((OUTPUT_ID,)).ljust(PAGE_BYTES, b"\0")


def reset(product: Product) -> SetFeature:
    """Show the maker's picture."""
    return _feature(product, _RESET[product.dialect])


def brightness(product: Product, percent: int) -> SetFeature:
    """How bright all keys are, 0 to 100."""
    return _feature(product, _BRIGHTNESS[product.dialect] + bytes((percent,)))


def ask_firmware(product: Product) -> AskFeature:
    """Which firmware it has."""
    return AskFeature(_feature(product, bytes((_FIRMWARE[product.dialect][0],))))


def ask_serial_number(product: Product) -> AskFeature:
    """Its serial number."""
    return AskFeature(_feature(product, bytes((_SERIAL[product.dialect][0],))))


def _feature(product: Product, data: bytes) -> SetFeature:
    return SetFeature(data.ljust(_FEATURE_BYTES[product.dialect], b"\0"))


def decode_output(product: Product, data: bytes) -> Page | EndOfPages | None:
    """What an output report asks of the deck; None when it is none that this program sends."""
    if len(data) != PAGE_BYTES or data[0] != OUTPUT_ID:
        return None
    if not any(data[1:]):
        return EndOfPages()
    if product.dialect is Dialect.MINI:
        key = data[5] - 1
        if data[1] != 1 or not 0 <= key < product.n_keys or data[4] > 1:
            return None
        return Page(key=key, page=data[2], is_last=bool(data[4]), data=data[_MINI_HEADER:])
    length, page = int.from_bytes(data[4:6], "little"), int.from_bytes(data[6:8], "little")
    if data[1] != 7 or data[2] >= product.n_keys or data[3] > 1 or length > PAGE_BYTES - _V2_HEADER:
        return None
    return Page(key=data[2], page=page, is_last=bool(data[3]), data=data[_V2_HEADER : _V2_HEADER + length])


def decode_feature(product: Product, data: bytes) -> Reset | Brightness | None:
    """What a feature report asks of the deck; None when it is none that this program sends."""
    if len(data) != _FEATURE_BYTES[product.dialect]:
        return None
    if data.startswith(_RESET[product.dialect]):
        return Reset()
    start = _BRIGHTNESS[product.dialect]
    if data.startswith(start) and data[len(start)] <= PERCENT_MAX:
        return Brightness(data[len(start)])
    return None


# -- what the deck says ----------------------------------------------------------------------------------------------


def encode_keys(product: Product, down: frozenset[int]) -> bytes:
    """An input report, as the deck sends it."""
    states = bytes(int(key in down) for key in range(product.n_keys))
    if product.dialect is Dialect.MINI:
        return bytes((INPUT_ID,)) + states
    return bytes((INPUT_ID, 0)) + product.n_keys.to_bytes(2, "little") + states


def encode_text(product: Product, report: Firmware | SerialNumber) -> bytes:
    """The answer to a question."""
    report_id, at = (_FIRMWARE if isinstance(report, Firmware) else _SERIAL)[product.dialect]
    head = bytes((report_id,)).ljust(at, b"\0")
    return (head + report.text.encode("ascii")).ljust(_FEATURE_BYTES[product.dialect], b"\0")


def decode_input(product: Product, data: bytes) -> Keys | BadReport:
    """What an input report says. Never raises."""
    keys_at = _V2_KEYS_AT if product.dialect is Dialect.V2 else _MINI_KEYS_AT
    states = data[keys_at : keys_at + product.n_keys]
    if len(states) < product.n_keys or data[0] != INPUT_ID:
        return BadReport("no report of keys")
    if product.dialect is Dialect.V2 and (data[1] != 0 or int.from_bytes(data[2:4], "little") != product.n_keys):
        return BadReport("no report of keys of this model")
    if any(state > 1 for state in states):
        return BadReport("a key that is neither up nor down")
    return Keys(frozenset(key for key, state in enumerate(states) if state))


def decode_answer(product: Product, data: bytes) -> Firmware | SerialNumber | BadReport:
    """What a feature report says that was asked for. Never raises."""
    firmware_id, firmware_at = _FIRMWARE[product.dialect]
    serial_id, serial_at = _SERIAL[product.dialect]
    match data[:1]:
        case start if start == bytes((firmware_id,)):
            return Firmware(_text(data[firmware_at:]))
        case start if start == bytes((serial_id,)):
            return SerialNumber(_text(data[serial_at:]))
        case _:
            return BadReport("an answer to nothing that was asked")


def _text(data: bytes) -> str:
    """Up to the first zero, what can be printed of it."""
    return "".join(text for text in data.partition(b"\0")[0].decode("ascii", "replace") if text.isprintable()).strip()
