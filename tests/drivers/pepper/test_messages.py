"""Bytes of a Pepper C1, held against frames worked out from the maker's rules, not by our codec."""

from __future__ import annotations

import binascii

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import Rejected
from drivers.framing import Garbage, Scanner
from drivers.pepper import messages
from drivers.pepper.driver import Pepper, PepperCodec, PepperSettings
from drivers.pepper.messages import (
    BadAnswer,
    Command,
    Event,
    Frame,
    Opcode,
    Refusal,
    Reply,
    encode,
    encode_command,
    host_grammar,
    payload_of,
    reader_grammar,
)

#: The first two in full; the checksums of the others come from the standard library's `binascii.crc_hqx`.
GOLDEN_COMMANDS = {
    "dummy": ("F5 03 00 FC FF 01 D1 F1", Command(Opcode.DUMMY)),
    "count": ("F5 03 00 FC FF 02 B2 C1", Command(Opcode.TAG_COUNT)),
    "number of the second tag": ("F5 04 00 FB FF 03 01 {crc}", Command(Opcode.TAG_UID, b"\x01")),
    "activate the first tag": ("F5 04 00 FB FF 04 00 {crc}", Command(Opcode.ACTIVATE, b"\x00")),
    "first antenna": ("F5 04 00 FB FF 0F 01 10 1D", Command(Opcode.ANTENNA, b"\x01")),
    "eighth antenna": ("F5 04 00 FB FF 0F 08 39 8C", Command(Opcode.ANTENNA, b"\x08")),
    "halt": ("F5 03 00 FC FF 05 {crc}", Command(Opcode.HALT)),
    "version": ("F5 03 00 FC FF 0B {crc}", Command(Opcode.VERSION)),
    "first and next tag": ("F5 03 00 FC FF 90 {crc}", Command(Opcode.ICODE_FIRST)),
    "that again": ("F5 03 00 FC FF FF {crc}", Command(messages.REFUSAL)),
}
GOLDEN_ANSWERS: dict[str, tuple[str, Frame]] = {
    "two tags": ("F5 05 00 FA FF 00 02 02 BC 8A", Reply(Opcode.TAG_COUNT, b"\x02")),
    "a number": (
        "F5 0D 00 F2 FF 00 03 01 00 04 A1 B2 C3 D4 E5 F6 {crc}",
        Reply(Opcode.TAG_UID, bytes.fromhex("01 00 04 A1 B2 C3 D4 E5 F6")),
    ),
    "a refusal": ("F5 06 00 F9 FF FF 02 15 01 {crc}", Refusal(Opcode.TAG_COUNT, 0x15, 0x01)),
    "an event": ("F5 05 00 FA FF FE 01 02 {crc}", Event(b"\x01\x02")),
}


def wire_of(golden: str) -> bytes:
    """A golden frame, where it has to be with the checksum of the standard library."""
    bare = bytes.fromhex(golden.replace("{crc}", ""))
    return bare + binascii.crc_hqx(bare[5:], 0xFFFF).to_bytes(2, "little") if "{crc}" in golden else bare


@pytest.mark.parametrize(("golden", "meant"), GOLDEN_COMMANDS.values(), ids=GOLDEN_COMMANDS)
def test_a_golden_command_is_written_and_read(golden: str, meant: Command) -> None:
    assert encode_command(meant) == wire_of(golden)
    assert Scanner(host_grammar()).feed(wire_of(golden)) == [meant]


@pytest.mark.parametrize(("golden", "meant"), GOLDEN_ANSWERS.values(), ids=GOLDEN_ANSWERS)
def test_a_golden_answer_is_read_and_written(golden: str, meant: Frame) -> None:
    assert Scanner(reader_grammar()).feed(wire_of(golden)) == [meant]
    assert encode(payload_of(meant)) == wire_of(golden)


def test_answers_are_taken_apart() -> None:
    assert messages.count_of(Reply(2, b"\x05")) == 5
    assert messages.uid_of(Reply(3, bytes.fromhex("02 00 E0 04 01 50 12 34 56 78"))) == "E004015012345678"
    assert messages.version_of(Reply(11, b" C1 1.5\x00\xff")) == "C1 1.5\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize("data", [b"", b"\x01\x00", b"\x01\x00\x04\x05\x06"])
def test_an_answer_of_another_form_is_none(data: bytes) -> None:
    for read in (messages.count_of, messages.uid_of):
        with pytest.raises(BadAnswer):
            read(Reply(2, data))


def test_whatever_outlives_the_conversation_is_never_sent() -> None:
    for opcode in set(Opcode) - messages.HARMLESS:
        with pytest.raises(PermissionError):
            PepperCodec().say(Command(opcode))
    with pytest.raises(PermissionError):
        PepperCodec().say(Command(0xF0))


def test_antennas_are_selected_by_one_byte_from_one() -> None:
    """As the maker's own client counts them, `pepper_c1` 0.2.0."""
    driver = Pepper("seats", PepperSettings(antennas=8))
    driver.opened(now_s=0.0, at_us=0)
    selected: list[bytes] = []
    for _ in range(100):
        [sent] = driver.take_outgoing() or [b""]
        if sent[5:6] == b"\x0f":
            selected.append(sent[:7])
        if sent:
            data = b"\0" if sent[5] == Opcode.TAG_COUNT else b""
            driver.receive(encode(payload_of(Reply(sent[5], data))), now_s=0.0, at_us=0)
        else:
            driver.tick(now_s=driver.deadline_s() or 0.0, at_us=0)
    assert selected[:9] == [bytes.fromhex(f"F5 04 00 FB FF 0F {number:02X}") for number in (1, 2, 3, 4, 5, 6, 7, 8, 1)]


def test_a_frame_does_not_print_what_is_in_it() -> None:
    shown = repr([Command(3, b"B2C3"), Reply(3, b"B2C3"), Event(b"B2C3")])
    assert "B2C3" not in shown


# -- properties --------------------------------------------------------------------------------------------------------

frames: st.SearchStrategy[Frame] = st.one_of(
    st.builds(Reply, st.integers(0, 255), st.binary(max_size=40)),
    st.builds(Refusal, st.integers(0, 255), st.integers(0, 255), st.integers(0, 255)),
    st.builds(Event, st.binary(max_size=20)),
)


def sent_as(frame: Frame) -> bytes:
    return encode(payload_of(frame))


@given(st.binary(max_size=60))
def test_the_checksum_is_the_one_of_the_standard_library(data: bytes) -> None:
    assert messages.crc(data) == binascii.crc_hqx(data, 0xFFFF).to_bytes(2, "little")


@given(st.lists(frames, max_size=5), st.data())
def test_splitting_the_bytes_anywhere_changes_nothing(sent: list[Frame], data: st.DataObject) -> None:
    wire = b"".join(map(sent_as, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    scanner = Scanner(reader_grammar())
    found: list[Frame | Garbage] = []
    for begin, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        found += scanner.feed(wire[begin:end])
    assert found == sent


junk = st.one_of(
    st.binary(max_size=40),
    st.lists(st.sampled_from(b"\xf5\x00\x03\xfc\xff\x05\xfa"), max_size=12).map(bytes),
    st.tuples(frames, st.integers(0, 20)).map(lambda pair: sent_as(pair[0])[: -1 - pair[1]]),
)


@given(junk, frames, junk)
def test_noise_never_costs_the_whole_frame_after_it(before: bytes, sent: Frame, after: bytes) -> None:
    scanner = Scanner(reader_grammar())
    found = [*scanner.feed(before + sent_as(sent) + after), *scanner.forget()]
    assert sent in found
    n_bytes = sum(item.n_bytes if isinstance(item, Garbage) else len(sent_as(item)) for item in found)
    assert n_bytes == len(before + sent_as(sent) + after)


@given(frames, st.integers(0, 60), st.integers(1, 255))
def test_one_corrupted_byte_is_never_taken_for_another_frame(sent: Frame, at: int, flipped: int) -> None:
    wire = bytearray(sent_as(sent))
    wire[at % len(wire)] ^= flipped
    scanner = Scanner(reader_grammar())
    assert all(isinstance(item, Garbage) for item in [*scanner.feed(bytes(wire)), *scanner.forget()])


def test_an_answer_to_no_command_is_rejected_with_its_length() -> None:
    reader = Pepper("antennas")
    reader.opened(now_s=0.0, at_us=0)
    two_tags, _ = GOLDEN_ANSWERS["two tags"]
    assert list(reader.receive(wire_of(two_tags), now_s=0.0, at_us=1)) == [
        Rejected(device="antennas", at_us=1, reason="answer to no command", n_bytes=10)
    ]


def test_the_commands_and_errors_are_those_of_the_maker() -> None:
    assert {opcode.value: opcode.name for opcode in Opcode} == {
        0x01: "DUMMY",
        0x02: "TAG_COUNT",
        0x03: "TAG_UID",
        0x04: "ACTIVATE",
        0x05: "HALT",
        0x06: "SET_POLLING",
        0x0A: "REBOOT",
        0x0B: "VERSION",
        0x0D: "SLEEP",
        0x0E: "GPIO",
        0x0F: "ANTENNA",
        0x11: "FACTORY_RESET",
        0x12: "PROTOCOL_AUTH",
        0x14: "LED",
        0x90: "ICODE_FIRST",
        0x91: "ICODE_NEXT",
        0x93: "ICODE_READ",
    }
    assert {code.value: code.name for code in messages.ErrorCode} == {
        0x01: "NO_REPLY",
        0x02: "CRC",
        0x03: "COLLISION",
        0x05: "FRAMING",
        0x06: "PROTOCOL",
        0x09: "OVERHEAT",
        0x24: "UNSUPPORTED",
        0xF0: "AUTHENTICATION",
    }
