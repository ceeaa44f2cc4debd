"""Bytes of the PN532, held against published traces and frames worked out from the manual's rules, not by our codec."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.framing import Garbage, Scanner
from drivers.pn532 import messages
from drivers.pn532.messages import (
    FROM_CHIP,
    TO_CHIP,
    Ack,
    BadAnswer,
    Data,
    Frame,
    Nack,
    SyntaxError_,
    chip_grammar,
    encode,
    host_grammar,
)

#: Calculated: from the manual's rules. Traces: nfc-tools/libnfc, issues 85 and 86 (serial) and its debug output.
GOLDEN_COMMANDS = {
    "firmware (calculated, trace)": ("00 00 FF 02 FE D4 02 2A 00", messages.get_firmware_version()),
    "two cards (calculated)": ("00 00 FF 04 FC D4 4A 02 00 E0 00", messages.list_type_a(2)),
    "one card (trace)": ("00 00 ff 04 fc d4 4a 01 00 e1 00", messages.list_type_a(1)),
    "release (calculated)": ("00 00 FF 03 FD D4 52 00 DA 00", messages.release()),
    "deselect (trace)": ("00 00 ff 03 fd d4 44 00 e8 00", messages.deselect()),
    "no SAM (trace)": ("00 00 ff 03 fd d4 14 01 17 00", messages.sam_configuration()),
    "line test (trace)": ("00 00 ff 09 f7 d4 00 00 6c 69 62 6e 66 63 be 00", Data(0x00, b"\0libnfc")),
    "parameters (trace)": ("00 00 ff 03 fd d4 12 14 06 00", Data(0x12, b"\x14")),
    "jewel (trace)": ("00 00 ff 04 fc d4 4a 01 04 dd 00", Data(0x4A, b"\x01\x04")),
    "FeliCa (trace)": ("00 00 ff 09 f7 d4 4a 01 01 00 ff ff 00 00 e2 00", Data(0x4A, bytes.fromhex("010100ffff0000"))),
    "field off (calculated)": ("00 00 FF 04 FC D4 32 01 00 F9 00", messages.rf_field(on=False)),
    "field on (calculated)": ("00 00 FF 04 FC D4 32 01 01 F8 00", messages.rf_field(on=True)),
    "retries (calculated)": ("00 00 FF 06 FA D4 32 05 FF 01 02 F3 00", messages.max_retries(2)),
    "pins (calculated)": ("00 00 FF 04 FC D4 0E 82 00 9C 00", messages.write_gpio(2)),
    "921600 (calculated)": ("00 00 FF 03 FD D4 10 07 15 00", Data(0x10, b"\x07")),
}
GOLDEN_ANSWERS: dict[str, tuple[str, Frame]] = {
    "ACK (trace)": ("00 00 ff 00 ff 00", Ack()),
    "no card (trace)": ("00 00 ff 03 fd d5 4b 00 e0 00", Data(0x4B, b"\x00")),
    "deselected (trace)": ("00 00 ff 03 fd d5 45 00 e6 00", Data(0x45, b"\x00")),
    "firmware (trace)": ("00 00 ff 06 fa d5 03 32 01 06 07 e8 00", Data(0x03, bytes.fromhex("32010607"))),
    "syntax error (manual)": ("00 00 FF 01 FF 7F 81 00", SyntaxError_()),
    "one card (calculated round a traced list)": (
        "00 00 FF 0C F4 D5 4B 01 01 04 00 08 04 82 AC B9 5D 8A 00",
        Data(0x4B, bytes.fromhex("01 01 04 00 08 04 82 ac b9 5d")),
    ),
}


@pytest.mark.parametrize(("golden", "meant"), GOLDEN_COMMANDS.values(), ids=GOLDEN_COMMANDS)
def test_a_golden_command_is_written_and_read(golden: str, meant: Data) -> None:
    wire = bytes.fromhex(golden)
    assert encode(meant) == wire
    assert Scanner(host_grammar()).feed(wire) == [meant]


@pytest.mark.parametrize(("golden", "meant"), GOLDEN_ANSWERS.values(), ids=GOLDEN_ANSWERS)
def test_a_golden_answer_is_read(golden: str, meant: Frame) -> None:
    wire = bytes.fromhex(golden)
    assert Scanner(chip_grammar()).feed(wire) == [meant]
    assert messages.length_of(meant) == len(wire), "what a stray answer is refused with"
    if isinstance(meant, Data):
        assert encode(meant, tfi=FROM_CHIP) == wire


def test_an_acknowledgement_and_an_answer_in_one_read_are_two_frames() -> None:
    # libnfc, issue 85: both came with one read.
    wire = bytes.fromhex("00 00 ff 00 ff 00 00 00 ff 03 fd d5 4b 00 e0 00")
    assert Scanner(chip_grammar()).feed(wire) == [Ack(), Data(0x4B, b"\x00")]


def test_an_extended_frame_is_read_and_written() -> None:
    # Calculated: FF FF, length 0003, its checksum FD; TFI D5, code 01, data 00, checksum 2A.
    wire = bytes.fromhex("00 00 FF FF FF 00 03 FD D5 01 00 2A 00")
    assert Scanner(chip_grammar()).feed(wire) == [Data(0x01, b"\x00")]
    assert encode(Data(0x01, b"\x00"), tfi=FROM_CHIP, is_extended=True) == wire
    long = Data(0x00, bytes(263))
    assert encode(long)[:8] == bytes.fromhex("00 00 FF FF FF 01 09 F6")
    assert Scanner(host_grammar()).feed(encode(long)) == [long]
    with pytest.raises(ValueError, match="do not fit"):
        encode(Data(0x00, bytes(265)))


def test_a_frame_is_extended_from_256_bytes_on() -> None:
    """LEN is one byte and counts TFI, code and data: FF is the last one that it can say (UM0701-02)."""
    assert encode(Data(0x00, bytes(253)))[:6] == bytes.fromhex("00 00 FF FF 01 D4")
    assert encode(Data(0x00, bytes(254)))[:9] == bytes.fromhex("00 00 FF FF FF 01 00 FF D4")


def test_only_a_host_says_nack_and_only_a_chip_says_syntax_error() -> None:
    assert Scanner(host_grammar()).feed(messages.NACK) == [Nack()]
    assert Nack() not in Scanner(chip_grammar()).feed(messages.NACK)
    assert SyntaxError_() not in Scanner(host_grammar()).feed(messages.SYNTAX_ERROR)


def test_a_frame_in_the_wrong_direction_is_none() -> None:
    [garbage, *_] = Scanner(chip_grammar()).feed(encode(messages.get_firmware_version()))
    assert isinstance(garbage, Garbage)


def test_a_list_of_cards_is_taken_apart() -> None:
    one = Data(0x4B, bytes.fromhex("01 01 04 00 08 04 82 ac b9 5d"))
    [target] = messages.targets_of(one)
    assert (target.number, target.sel_res, target.uid.hex()) == (1, 0x08, "82acb95d")
    assert b"\x01" + messages.encode_target(target) == one.data
    # Calculated: a card with an ATS (length byte counts itself) before one without.
    two = Data(0x4B, bytes.fromhex("02 01 03 44 20 07 04010203040506 03 77 80 02 00 44 00 07 04A1B2C3D4E5F6"))
    assert [(tag.uid.hex(), tag.ats.hex()) for tag in messages.targets_of(two)] == [
        ("04010203040506", "037780"),
        ("04a1b2c3d4e5f6", ""),
    ]
    assert messages.targets_of(Data(0x4B, b"\x00")) == []


@pytest.mark.parametrize(
    "data",
    ["", "03", "01", "01 01 04 00 08 04 82 ac b9", "01 01 04 00 08 05 82 ac b9 5d 00", "00 00", "01 01 04 00 08 04"],
)
def test_a_list_of_another_form_is_none(data: str) -> None:
    with pytest.raises(BadAnswer):
        messages.targets_of(Data(0x4B, bytes.fromhex(data)))


def test_firmware_and_status_are_read() -> None:
    assert messages.firmware_of(Data(0x03, bytes.fromhex("32 01 06 07"))) == "PN532 firmware 1.6"
    assert messages.status_of(Data(0x45, b"\x2b")) == messages.Status.CARD_DISAPPEARED
    for bad in (messages.firmware_of, messages.status_of):
        with pytest.raises(BadAnswer):
            bad(Data(0x03))


def test_a_frame_does_not_print_what_is_in_it() -> None:
    [target] = messages.targets_of(Data(0x4B, bytes.fromhex("01 01 04 00 08 04 82 ac b9 5d")))
    shown = (repr(Data(0x4B, b"\x82\xac\xb9\x5d")) + repr(target)).lower()
    for told in ("82acb95d", "\\x82", "130, 172"):
        assert told not in shown


# -- properties --------------------------------------------------------------------------------------------------------

data_frames = st.builds(Data, st.integers(0, 255), st.binary(max_size=20) | st.binary(min_size=255, max_size=264))
sent_frames = st.one_of(
    data_frames.map(lambda frame: (encode(frame, tfi=FROM_CHIP), frame)),
    st.just((messages.ACK, Ack())),
    st.just((messages.SYNTAX_ERROR, SyntaxError_())),
)


@given(st.lists(sent_frames, max_size=5), st.data())
def test_splitting_the_bytes_anywhere_changes_nothing(sent: list[tuple[bytes, Frame]], data: st.DataObject) -> None:
    wire = b"".join(raw for raw, _ in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    scanner = Scanner(chip_grammar())
    found: list[Frame | Garbage] = []
    for begin, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        found += scanner.feed(wire[begin:end])
    assert found == [frame for _, frame in sent]


#: Noise, pieces of starts, and frames cut so early that their end is not in doubt (see `chip_grammar`).
junk = st.one_of(
    st.binary(max_size=40),
    st.lists(st.sampled_from(b"\x00\xff\x01\x02\xfe\xd4\x55"), max_size=12).map(bytes),
    st.tuples(data_frames, st.integers(0, 6)).map(lambda pair: encode(pair[0], tfi=FROM_CHIP)[: pair[1]]),
)


@given(junk, sent_frames, st.binary(max_size=20))
def test_noise_never_costs_the_whole_frame_after_it(before: bytes, sent: tuple[bytes, Frame], after: bytes) -> None:
    scanner = Scanner(chip_grammar())
    assert sent[1] in [*scanner.feed(before + sent[0] + after), *scanner.forget()]


@given(st.binary(max_size=80), st.sampled_from([FROM_CHIP, TO_CHIP]))
def test_every_byte_ends_up_in_a_frame_or_in_garbage_and_nothing_raises(wire: bytes, tfi: int) -> None:
    scanner = Scanner(chip_grammar() if tfi == FROM_CHIP else host_grammar())
    found = [*scanner.feed(wire), *scanner.forget()]
    if all(isinstance(item, Garbage) for item in found):
        assert sum(item.n_bytes for item in found if isinstance(item, Garbage)) == len(wire)


@given(data_frames, st.integers(0, 300), st.integers(1, 255))
def test_one_corrupted_byte_is_never_taken_for_another_frame(sent: Data, at: int, flipped: int) -> None:
    wire = bytearray(encode(sent, tfi=FROM_CHIP))
    at %= len(wire)
    wire[at] ^= flipped
    scanner = Scanner(chip_grammar())
    found = [item for item in [*scanner.feed(bytes(wire)), *scanner.forget()] if isinstance(item, Data)]
    # The preamble is no part of what is checked.
    assert found == ([sent] if at == 0 else [])


# -- tables, as the manual has them ----------------------------------------------------------------------------------


def test_the_status_bytes_are_those_of_the_manual() -> None:
    assert {status.value: status.name for status in messages.Status} == {
        0x00: "OK",
        0x01: "TIMEOUT",
        0x02: "CRC",
        0x03: "PARITY",
        0x04: "BIT_COUNT",
        0x05: "FRAMING",
        0x06: "COLLISION",
        0x07: "BUFFER_SIZE",
        0x09: "RF_OVERFLOW",
        0x0A: "FIELD_NOT_ON",
        0x0B: "RF_PROTOCOL",
        0x0D: "OVERHEAT",
        0x0E: "INTERNAL_OVERFLOW",
        0x10: "PARAMETER",
        0x13: "FORMAT",
        0x14: "AUTHENTICATION",
        0x23: "UID_CHECK",
        0x25: "INVALID_STATE",
        0x26: "NOT_ALLOWED",
        0x27: "CONTEXT",
        0x29: "RELEASED",
        0x2B: "CARD_DISAPPEARED",
        0x2D: "OVER_CURRENT",
    }


def test_the_speeds_are_those_of_the_manual() -> None:
    assert messages.BAUD_RATES == {
        0: 9600,
        1: 19200,
        2: 38400,
        3: 57600,
        4: 115200,
        5: 230400,
        6: 460800,
        7: 921600,
        8: 1288000,
    }


@pytest.mark.parametrize("piece_bytes", [1, 2, 3, 4, 5, 100])
def test_a_nack_and_the_command_after_it_are_two_frames_however_they_are_cut(piece_bytes: int) -> None:
    """Golden bytes: NACK, then GetFirmwareVersion."""
    wire = bytes.fromhex("00 00 FF FF 00 00 00 00 FF 02 FE D4 02 2A 00")
    scanner = Scanner(host_grammar())
    pieces = [wire[begin : begin + piece_bytes] for begin in range(0, len(wire), piece_bytes)]
    found = [item for piece in pieces for item in scanner.feed(piece) if not isinstance(item, Garbage)]
    assert found == [Nack(), Data(0x02)]


def test_a_nack_without_its_end_is_none_and_a_chip_sends_none() -> None:
    cut = bytes.fromhex("00 00 FF FF 00 55")
    whole = bytes.fromhex("00 00 FF FF 00 00")
    assert not any(isinstance(item, Nack) for item in Scanner(host_grammar()).feed(cut))
    assert not any(isinstance(item, Nack) for item in Scanner(chip_grammar()).feed(whole))


def test_the_commands_are_those_of_the_manual() -> None:
    assert {code.value: code.name for code in messages.Code} == {
        0x00: "DIAGNOSE",
        0x02: "GET_FIRMWARE_VERSION",
        0x04: "GET_GENERAL_STATUS",
        0x06: "READ_REGISTER",
        0x08: "WRITE_REGISTER",
        0x0E: "WRITE_GPIO",
        0x10: "SET_SERIAL_BAUD_RATE",
        0x12: "SET_PARAMETERS",
        0x14: "SAM_CONFIGURATION",
        0x16: "POWER_DOWN",
        0x32: "RF_CONFIGURATION",
        0x40: "IN_DATA_EXCHANGE",
        0x42: "IN_COMMUNICATE_THRU",
        0x44: "IN_DESELECT",
        0x4A: "IN_LIST_PASSIVE_TARGET",
        0x52: "IN_RELEASE",
        0x54: "IN_SELECT",
        0x60: "IN_AUTO_POLL",
    }
