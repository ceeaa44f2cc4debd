"""Bytes of a FEIG reader, held against frames worked out from the manuals' rules, not by our codec."""

from __future__ import annotations

import binascii

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import DeviceFact, Rejected
from drivers.feig import messages
from drivers.feig.driver import Feig, FeigCodec
from drivers.feig.messages import BadAnswer, Control, Frame, Refused, encode, host_grammar, reader_grammar
from drivers.framing import Garbage, Scanner


def to_any(control: int, data: bytes = b"", *, is_advanced: bool = False) -> Frame:
    return Frame(address=255, control=control, data=data, is_advanced=is_advanced)


#: The first two are as FEIG's own programs send them.
GOLDEN_COMMANDS = {
    "software version": ("05 FF 65 E5 CB", to_any(Control.SOFTWARE_VERSION)),
    "inventory": ("07 FF B0 01 00 1C 56", to_any(Control.ISO15693, b"\x01\x00")),
    "RF reset": ("05 FF 69 89 01", to_any(Control.RF_RESET)),
    "CPU reset": ("05 FF 63 D3 AE", to_any(Control.CPU_RESET)),
    "baud rate": ("06 FF 52 00 0F 6E", to_any(Control.DETECT_BAUD, b"\x00")),
    "software version, advanced": ("02 00 07 FF 65 6E 61", to_any(Control.SOFTWARE_VERSION, is_advanced=True)),
}
ONE_TAG = "11 00 B0 00 01 03 00 E0 04 01 50 12 34 56 78 BA 40"
NO_TAG = "06 00 B0 01 5C 63"


@pytest.mark.parametrize(("golden", "meant"), GOLDEN_COMMANDS.values(), ids=GOLDEN_COMMANDS)
def test_a_golden_command_is_written_and_read(golden: str, meant: Frame) -> None:
    wire = bytes.fromhex(golden)
    assert encode(meant) == wire
    assert Scanner(host_grammar()).feed(wire) == [meant]


def test_golden_inventories_are_read_and_written() -> None:
    [one, none] = Scanner(reader_grammar()).feed(bytes.fromhex(ONE_TAG + NO_TAG))
    assert isinstance(one, Frame)
    assert isinstance(none, Frame)
    assert (one.address, one.status, messages.tags_of(one)) == (0, 0, ["E004015012345678"])
    assert (none.status, messages.tags_of(none)) == (1, [])
    assert encode(one) == bytes.fromhex(ONE_TAG)
    assert encode(none) == bytes.fromhex(NO_TAG)
    assert messages.encode_tags(["E004015012345678"]) == one.data


def mirrored(data: bytes) -> bytes:
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)


@given(st.binary(max_size=60))
def test_the_checksum_is_the_mirror_of_the_one_of_the_standard_library(data: bytes) -> None:
    plain = binascii.crc_hqx(mirrored(data), 0xFFFF)
    assert messages.crc(data) == int(f"{plain:016b}"[::-1], 2).to_bytes(2, "little")


def test_other_answers_are_taken_apart() -> None:
    version = Frame(address=0, control=0x65, status=0, data=bytes.fromhex("04 01 00 50 47 00 08"))
    assert messages.version_of(version) == "FEIG reader, software 4.1, hardware type 50, software type 47"
    block = bytearray(14)
    assert not messages.only_new_of(Frame(address=0, control=0x80, status=0, data=bytes(block)))
    block[11] = 1
    assert messages.only_new_of(Frame(address=0, control=0x80, status=0, data=bytes(block)))


@pytest.mark.parametrize("data", [b"", b"\x01", b"\x02" + bytes(10), b"\x01" + bytes(11)])
def test_an_answer_of_another_form_is_none(data: bytes) -> None:
    answer = Frame(address=0, control=0xB0, status=0, data=data)
    for read in (messages.tags_of, messages.version_of, messages.only_new_of):
        with pytest.raises(BadAnswer):
            read(answer)


def test_the_flash_loader_is_refused_and_whatever_changes_the_reader_is_never_sent() -> None:
    with pytest.raises(Refused):
        encode(to_any(Control.FLASH_LOADER))
    for control in set(Control) - messages.HARMLESS:
        with pytest.raises(Refused):
            FeigCodec().say(to_any(control))


def test_a_long_list_comes_in_an_advanced_frame() -> None:
    tags = [f"E0040150{number:08X}" for number in range(30)]
    long = Frame(address=3, control=0xB0, status=0, data=messages.encode_tags(tags), is_advanced=True)
    assert encode(long)[:3] == bytes([2, 1, 0x35])
    [read] = Scanner(reader_grammar()).feed(encode(long))
    assert isinstance(read, Frame)
    assert messages.tags_of(read) == tags


def test_a_frame_does_not_print_what_is_in_it() -> None:
    [one] = Scanner(reader_grammar()).feed(bytes.fromhex(ONE_TAG))
    assert "12345678" not in repr(one).replace("\\x", "")


# -- properties --------------------------------------------------------------------------------------------------------

answers = st.builds(
    Frame,
    address=st.integers(0, 254),
    control=st.sampled_from(sorted(set(Control) - {Control.FLASH_LOADER})),
    status=st.integers(0, 255),
    data=st.binary(max_size=40),
    is_advanced=st.booleans(),
)


@given(st.lists(answers, max_size=5), st.data())
def test_splitting_the_bytes_anywhere_changes_nothing(sent: list[Frame], data: st.DataObject) -> None:
    wire = b"".join(map(encode, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    scanner = Scanner(reader_grammar())
    found: list[Frame | Garbage] = []
    for begin, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        found += scanner.feed(wire[begin:end])
    assert found == sent


junk = st.binary(max_size=40) | st.tuples(answers, st.integers(0, 9)).map(lambda pair: encode(pair[0])[: -1 - pair[1]])


@given(junk, answers, junk)
def test_noise_never_costs_the_whole_frame_after_it(before: bytes, sent: Frame, after: bytes) -> None:
    scanner = Scanner(reader_grammar())
    found = [*scanner.feed(before + encode(sent) + after), *scanner.forget()]
    assert sent in found
    n_bytes = sum(item.n_bytes if isinstance(item, Garbage) else messages.length_of(item) for item in found)
    assert n_bytes == len(before + encode(sent) + after)


@given(answers, st.integers(0, 60), st.integers(1, 255))
def test_one_corrupted_byte_is_never_taken_for_another_frame(sent: Frame, at: int, flipped: int) -> None:
    wire = bytearray(encode(sent))
    wire[at % len(wire)] ^= flipped
    scanner = Scanner(reader_grammar())
    found = [*scanner.feed(bytes(wire)), *scanner.forget()]
    assert all(isinstance(item, Garbage) for item in found)


@given(st.lists(st.binary(max_size=30), max_size=6))
def test_nothing_on_the_wire_raises(pieces: list[bytes]) -> None:
    reader = Feig("antennas")
    facts: list[DeviceFact] = [*reader.opened(now_s=0.0, at_us=0)]
    for piece in pieces:
        facts += reader.receive(piece, now_s=0.0, at_us=0)
    facts += reader.tick(now_s=0.1, at_us=0)
    facts += reader.closed(at_us=0, reason="unplugged")
    assert facts


@pytest.mark.parametrize(("stray", "n_bytes"), [(NO_TAG, 6), (ONE_TAG, 17)])
def test_an_answer_to_no_command_is_rejected_with_its_length(stray: str, n_bytes: int) -> None:
    reader = Feig("antennas")
    reader.opened(now_s=0.0, at_us=0)
    assert list(reader.receive(bytes.fromhex(stray), now_s=0.0, at_us=1)) == [
        Rejected(device="antennas", at_us=1, reason="answer to no command", n_bytes=n_bytes)
    ]


# -- tables, as the manuals have them ---------------------------------------------------------------------------------


def test_the_status_bytes_are_those_of_the_manuals() -> None:
    assert {status.value: status.name for status in messages.Status} == {
        0x00: "OK",
        0x01: "NO_TRANSPONDER",
        0x02: "DATA_FALSE",
        0x03: "WRITE_ERROR",
        0x04: "ADDRESS_ERROR",
        0x05: "WRONG_TYPE",
        0x11: "PARAMETER_RANGE",
        0x15: "RESERVED_CONFIGURATION",
        0x80: "UNKNOWN_COMMAND",
        0x81: "LENGTH",
        0x82: "NOT_AVAILABLE",
        0x83: "RF_COMMUNICATION",
        0x84: "RF_WARNING",
        0x92: "NO_VALID_DATA",
        0x93: "BUFFER_OVERFLOW",
        0x94: "MORE_DATA",
        0x95: "ISO15693_ERROR",
    }
