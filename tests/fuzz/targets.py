"""What is fuzzed: every parser of bytes that come from a device. A target raises when it finds something wrong.

Three promises are held against every input: nothing raises; every byte is part of a frame or of garbage; and where the
bytes are split makes no difference to the frames.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from drivers.angel_eye import grammar as angel_eye
from drivers.angel_eye.messages import ENQ, ETX, BccStart
from drivers.blink1 import messages as blink1
from drivers.feig import messages as feig
from drivers.framing import Garbage, Grammar, NoFrame, Partial, Scanner, Verdict, Whole
from drivers.lights import Look
from drivers.line_shoe.messages import LineEnd, line_grammar
from drivers.modbus_panel.messages import ReadBits, answer_grammar, request_grammar
from drivers.modbus_panel.settings import Inputs
from drivers.patlite import messages as patlite
from drivers.pepper import messages as pepper
from drivers.pn532 import messages as pn532
from drivers.qlight import messages as qlight
from drivers.registry import DRIVERS
from drivers.shuffler.messages import shuffler_grammar
from drivers.streamdeck import messages as streamdeck
from drivers.streamdeck.products import PRODUCTS as DECKS
from drivers.transport.base import FeatureAnswer, WireLost
from drivers.xkeys import messages as xkeys
from drivers.xkeys.products import PRODUCTS as PANELS
from simulators.devices.usb_socket_format import FormatError, receive_message
from tests.drivers.models import protocol_of


@dataclass(frozen=True, slots=True)
class Target:
    """`seeds` are golden bytes to begin with, from the same published rules as those of the parsers' own tests."""

    run: Callable[[bytes], None]
    seeds: tuple[bytes, ...] = ()


class Broken(AssertionError):
    """A promise was broken. The text says which."""


def _measured(grammar: Grammar[Any]) -> Grammar[int]:
    """A grammar whose frames are their lengths."""

    def judge(buffer: bytes) -> Verdict[int]:
        verdict = grammar(buffer)
        if not isinstance(verdict, Whole):
            return verdict
        if not 0 < verdict.length <= len(buffer):
            raise Broken(f"a frame of {verdict.length} bytes out of {len(buffer)}")
        repr(verdict.frame)
        return Whole(verdict.length, verdict.length)

    return judge


def _read(grammar: Grammar[int], pieces: Iterator[bytes]) -> tuple[list[int], int]:
    """Lengths of the frames, and all bytes that were accounted for."""
    scanner = Scanner(grammar)
    found = [item for piece in pieces for item in scanner.feed(piece)]
    found += scanner.forget()
    frames = [item for item in found if not isinstance(item, Garbage)]
    return frames, sum(frames) + sum(item.n_bytes for item in found if isinstance(item, Garbage))


def _pieces(data: bytes) -> Iterator[bytes]:
    """The data in pieces whose lengths follow from it."""
    begin = 0
    while begin < len(data):
        end = begin + 1 + data[begin] % 16
        yield data[begin:end]
        begin = end


def framed(grammar: Grammar[Any]) -> Callable[[bytes], None]:
    """The three promises, of a grammar."""
    measured = _measured(grammar)

    def run(data: bytes) -> None:
        frames, accounted = _read(measured, iter([data]))
        if accounted != len(data):
            raise Broken(f"{accounted} of {len(data)} bytes are accounted for")
        in_pieces, accounted = _read(measured, _pieces(data))
        if accounted != len(data):
            raise Broken(f"{accounted} of {len(data)} bytes are accounted for, in pieces")
        if in_pieces != frames:
            raise Broken("the same bytes in pieces are other frames")

    return run


def _driven(name: str) -> Callable[[bytes], None]:
    """A whole driver between opening and loss: it may call its wire lost, and nothing else may leave it."""
    driver = DRIVERS[name]

    def run(data: bytes) -> None:
        protocol = protocol_of(driver)
        now_s = 0.0
        protocol.opened(now_s=now_s, at_us=0)
        for piece in _pieces(data):
            protocol.take_outgoing()
            repr(protocol.receive(piece, now_s=now_s, at_us=0))
            repr(protocol.receive(FeatureAnswer(piece), now_s=now_s, at_us=0))
            due_s = protocol.deadline_s()
            if due_s is not None and piece[0] % 2:
                now_s = max(now_s, due_s)
                try:
                    protocol.tick(now_s=now_s, at_us=0)
                except WireLost:
                    break
        protocol.closed(at_us=0, reason="unplugged")

    return run


def _panels(data: bytes) -> None:
    for panel in PANELS.values():
        xkeys.decode_input(panel, data)
    xkeys.decode_output(data)


def _decks(data: bytes) -> None:
    for deck in DECKS.values():
        streamdeck.decode_input(deck, data)
        streamdeck.decode_answer(deck, data)
        streamdeck.decode_output(deck, data)
        streamdeck.decode_feature(deck, data)


def _lights(data: bytes) -> None:
    patlite.decode(data)
    for numbers in qlight.Numbers:
        qlight.decode(data, numbers, qlight.Command(lamps=(Look.OFF, Look.OFF, Look.OFF, Look.OFF, Look.OFF)))
    blink1.decode(data)
    blink1.decode_version(data)


def _usb_socket(data: bytes) -> None:
    device, host = socket.socketpair()
    with device, host:
        device.sendall(data)
        device.shutdown(socket.SHUT_WR)
        try:
            while True:
                receive_message(host)
        except (FormatError, WireLost):
            return


def _planted(buffer: bytes) -> Verdict[bytes]:
    """A parser with a usual mistake: it believes that every report of a card has two bytes of payload."""
    if buffer[0] != ENQ:
        return NoFrame("between frames")
    end = buffer.find(ETX)
    if end < 0:
        return Partial() if len(buffer) < 16 else NoFrame("too long")
    if end > 2 and buffer[2] == ord("D"):
        return Whole(bytes([buffer[3:end][1]]), end + 1)
    return Whole(buffer[:end], end + 1)


def _bytes(*golden: str) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(text) for text in golden)


_SHOE: Final = _bytes(
    "05 31 53 03 36 31",
    "05 33 44 81 B8 03 34 44",
    "05 34 44 A1 91 03 34 33",
    "05 35 45 C1 03 42 32",
    "05 31 4D B0 B1 B0 B0 B0 B5 03 37 42",
    "15 21 06",
)
_SHOE_HOST: Final = _bytes("02 4F 50 4C 4B 30 32 03 31 42", "02 4F 50 45 43 30 31 03 31 39", "06")
_LINES: Final = (b"As\r\n", b"10s\r\n", b"NO READ\r\n")
_SHUFFLER: Final = (b"$SHF,003,complete,52*45\r\n", b"$SHF,006,jam*73\r\n")
_PN532: Final = _bytes(
    "00 00 FF 02 FE D4 02 2A 00",
    "00 00 FF 04 FC D4 4A 02 00 E0 00",
    "00 00 FF 03 FD D4 52 00 DA 00",
    "00 00 FF 00 FF 00",
    "00 00 FF FF 00 00",
    "00 00 FF 01 FF 7F 81 00",
    "00 00 FF FF FF 00 02 FE D4 02 2A 00",
)
_FEIG: Final = _bytes(
    "05 FF 65 E5 CB",
    "07 FF B0 01 00 1C 56",
    "02 00 07 FF 65 6E 61",
    "11 00 B0 00 01 03 00 E0 04 01 50 12 34 56 78 BA 40",
    "06 00 B0 01 5C 63",
)
_PEPPER: Final = _bytes("F5 03 00 FC FF 01 D1 F1", "F5 03 00 FC FF 02 B2 C1", "F5 05 00 FA FF 00 02 02 BC 8A")
_MODBUS: Final = _bytes("01 02 00 00 00 10 79 C6", "01 02 02 01 00 B8 28", "01 82 02 C1 61")
_USB: Final = (b"\x00\x00\x00\x02\x00\x00\x00\x01{}x", b"\x00\x00\x00\x08\x00\x00\x00\x00" + b'{"a": 1}')
_QUESTION: Final = ReadBits(inputs=Inputs.DISCRETE, first=0, count=16)

#: Seeds of the whole drivers; those that are not here begin from nothing.
_DRIVER_SEEDS: Final[Mapping[str, tuple[bytes, ...]]] = {
    "angel-eye": _SHOE,
    "line-shoe": _LINES,
    "shuffler": _SHUFFLER,
    "pn532": _PN532,
    "rfid-shoe-pn532": _PN532,
    "feig": _FEIG,
    "rfid-shoe-feig": _FEIG,
    "pepper": _PEPPER,
    "modbus-panel": _MODBUS,
}

#: One model of each kind of protocol, and those with seeds: the others differ in tables, and `xkeys` and `streamdeck`
#: below go through all of those.
_FAMILIES: Final = dict.fromkeys(
    (*_DRIVER_SEEDS, *{type(protocol_of(driver)): driver.id for driver in reversed([*DRIVERS.values()])}.values())
)

TARGETS: Final[Mapping[str, Target]] = {
    "angel-eye-shoe": Target(
        framed(angel_eye.shoe_grammar(report_start=BccStart.CONTENT, answer_start=BccStart.FRAME)), _SHOE
    ),
    "angel-eye-host": Target(framed(angel_eye.host_grammar(BccStart.FRAME)), _SHOE_HOST),
    **{f"line-shoe-{end.value}": Target(framed(line_grammar(end)), _LINES) for end in LineEnd},
    "shuffler": Target(framed(shuffler_grammar()), _SHUFFLER),
    "pn532-chip": Target(framed(pn532.chip_grammar()), _PN532),
    "pn532-host": Target(framed(pn532.host_grammar()), _PN532),
    "feig-reader": Target(framed(feig.reader_grammar()), _FEIG),
    "feig-host": Target(framed(feig.host_grammar()), _FEIG),
    "pepper-reader": Target(framed(pepper.reader_grammar()), _PEPPER),
    "pepper-host": Target(framed(pepper.host_grammar()), _PEPPER),
    "modbus-answer": Target(framed(answer_grammar(1, _QUESTION)), _MODBUS),
    "modbus-request": Target(framed(request_grammar(1)), _MODBUS),
    "xkeys": Target(_panels),
    "streamdeck": Target(_decks),
    "lights": Target(_lights),
    "usb-socket": Target(_usb_socket, _USB),
    **{f"driver-{name}": Target(_driven(name), _DRIVER_SEEDS.get(name, ())) for name in _FAMILIES},
}

#: Not among the targets: it is wrong on purpose.
PLANTED: Final = Target(framed(_planted), _SHOE)
