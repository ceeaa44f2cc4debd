"""Bytes of an X-keys panel, held against a panel that others recorded and the vendor's own document.

Recorded: SuperFlyTV/xkeys, `packages/node/src/__tests__/recordings/1029_XK-24.json` (unit 10, firmware 38). Document:
P.I. Engineering, "X-keys XK-24 Data Report" (`HID-Reports` in piengineering/X-keys_Linux).
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.xkeys.messages import (
    OUTPUT_BYTES,
    BadReport,
    DescriptorReport,
    KeyReport,
    Lamp,
    Light,
    OtherReport,
    Say,
    SetLight,
    Special,
    ask_descriptor,
    decode_input,
    decode_output,
    encode_descriptor,
    encode_keys,
    generate_data,
    set_light,
)
from drivers.xkeys.products import XK24

REPORT_BYTES = 32

#: Each key pressed once, in order: the report up to its time stamp (zeros follow), row, column, milliseconds.
RECORDED_PRESSES = (
    ("0a00010000000001c5eb", 1, 1, 116203),
    ("0a00020000000001dcc7", 2, 1, 122055),
    ("0a00040000000001f2e9", 3, 1, 127721),
    ("0a0008000000000206be", 4, 1, 132798),
    ("0a00100000000002137f", 5, 1, 136063),
    ("0a00200000000002241d", 6, 1, 140317),
    ("0a0000010000000233f1", 1, 2, 144369),
    ("0a000002000000024087", 2, 2, 147591),
    ("0a000004000000024e79", 3, 2, 151161),
    ("0a000008000000025fc8", 4, 2, 155592),
    ("0a000010000000026e39", 5, 2, 159289),
    ("0a000020000000027bd8", 6, 2, 162776),
    ("0a0000000100000289a7", 1, 3, 166311),
    ("0a000000020000029561", 2, 3, 169313),
    ("0a00000004000002a550", 3, 3, 173392),
    ("0a00000008000002b285", 4, 3, 176773),
    ("0a00000010000002c1f0", 5, 3, 180720),
    ("0a00000020000002cf97", 6, 3, 184215),
    ("0a00000000010002daed", 1, 4, 187117),
    ("0a00000000020002e7c6", 2, 4, 190406),
    ("0a00000000040002f3d4", 3, 4, 193492),
    ("0a000000000800030590", 4, 4, 198032),
    ("0a0000000010000314cc", 5, 4, 201932),
    ("0a00000000200003213f", 6, 4, 205119),
)
RECORDED_SWITCH = "0a010000000000032f53"

#: The 36 bytes that were sent to the recorded panel begin so; zeros follow. The first is report id 0, not on the wire.
RECORDED_LIGHTS = (
    ("00b5000101", 0, Light.ON),
    ("00b5000201", 0, Light.FLASH),
    ("00b5000001", 0, Light.OFF),
    ("00b5200001", 32, Light.OFF),
)

#: "Descriptor Data": unit, 214, mode, 64, 128, EEPROM size (2), columns, rows, LEDs, version, product id (low, high).
DESCRIPTOR = bytes((10, 214, 0, 64, 128, 0, 2, 4, 6, 0, 38, 0x05, 0x04)).ljust(REPORT_BYTES, b"\0")


def recorded(start: str) -> bytes:
    return bytes.fromhex(start).ljust(REPORT_BYTES, b"\0")


@pytest.mark.parametrize(("start", "row", "column", "timestamp_ms"), RECORDED_PRESSES)
def test_a_recorded_press_is_the_key_of_its_column_and_row(
    start: str, row: int, column: int, timestamp_ms: int
) -> None:
    key = (column - 1) * 6 + row - 1
    meant = KeyReport(unit_id=10, down=frozenset({key}), timestamp_ms=timestamp_ms)
    assert decode_input(XK24, recorded(start)) == meant
    assert encode_keys(XK24, meant) == recorded(start)


def test_the_program_switch_is_no_key() -> None:
    meant = KeyReport(unit_id=10, down=frozenset(), timestamp_ms=208723, program_switch=True)
    assert decode_input(XK24, recorded(RECORDED_SWITCH)) == meant
    assert encode_keys(XK24, meant) == recorded(RECORDED_SWITCH)


def test_bit_1_of_the_type_says_that_the_state_was_asked_for() -> None:
    asked = bytes((0, 2)).ljust(REPORT_BYTES, b"\0")
    meant = KeyReport(unit_id=0, down=frozenset(), timestamp_ms=0, asked_for=True)
    assert decode_input(XK24, asked) == meant
    assert encode_keys(XK24, meant) == asked


def test_the_descriptor_tells_unit_firmware_and_product() -> None:
    meant = DescriptorReport(unit_id=10, firmware=38, product_id=0x0405)
    assert decode_input(XK24, DESCRIPTOR) == meant
    assert decode_input(XK24, encode_descriptor(XK24, meant)) == meant


@pytest.mark.parametrize(("kind", "special"), [(0xE0, Special.CUSTOM_DATA), (0xC1, Special.DONGLE)])
def test_other_special_reports_are_no_keys(kind: int, special: Special) -> None:
    data = bytes((0, kind, 0xFF, 0xFF)).ljust(REPORT_BYTES, b"\0")
    assert decode_input(XK24, data) == OtherReport(unit_id=0, kind=special)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "a report of 0 bytes, not 32"),
        (bytes(33), "a report of 33 bytes, not 32"),
        (bytes((0, 4)) + bytes(30), "a special report of unknown type"),
        (bytes((0, 0, 0x40)) + bytes(29), "a key that the panel does not have"),
    ],
)
def test_what_is_no_report_says_why(data: bytes, reason: str) -> None:
    assert decode_input(XK24, data) == BadReport(reason=reason)


@pytest.mark.parametrize(("start", "led", "light"), RECORDED_LIGHTS)
def test_a_light_is_set_as_the_recorded_panel_was_told(start: str, led: int, light: Light) -> None:
    on_the_wire = bytes.fromhex(start).ljust(36, b"\0")[1:]
    assert set_light(led, light) == on_the_wire
    assert decode_output(on_the_wire) == SetLight(led=led, light=light)


@pytest.mark.parametrize(
    ("question", "golden", "said"),
    [(generate_data(), "00b1", Say.GENERATE_DATA), (ask_descriptor(), "00d6", Say.DESCRIPTOR)],
)
def test_both_questions_are_as_xkeys_ts_asks_them(question: bytes, golden: str, said: Say) -> None:
    assert question == bytes.fromhex(golden).ljust(36, b"\0")[1:]
    assert decode_output(question) is said


@pytest.mark.parametrize(
    "data", [b"", b"\xb1", bytes((0xBD, 7)).ljust(OUTPUT_BYTES, b"\0"), b"\xb5\x00\x07" + bytes(32)]
)
def test_what_this_program_never_sends_is_not_understood(data: bytes) -> None:
    assert decode_output(data) is None


@pytest.mark.parametrize(
    ("key", "blue", "red"),
    # "To control the lower left key bank 1 index=5, the corresponding bank 2 is index=37" (document, report 11).
    [(0, 0, 32), (5, 5, 37), (6, 8, 40), (23, 29, 61)],
)
def test_leds_of_a_column_start_at_a_multiple_of_eight(key: int, blue: int, red: int) -> None:
    assert (XK24.blue_led(key), XK24.red_led(key)) == (blue, red)


def test_each_lamp_is_its_own_pair_of_lights() -> None:
    assert {(lamp.blue, lamp.red) for lamp in Lamp} == {(blue, red) for blue in Light for red in Light}
    assert (Lamp.RED_BLINK.blue, Lamp.RED_BLINK.red) == (Light.OFF, Light.FLASH)


@given(
    st.builds(
        KeyReport,
        unit_id=st.integers(0, 255),
        down=st.frozensets(st.integers(0, XK24.n_keys - 1)),
        timestamp_ms=st.integers(0, 2**32 - 1),
        program_switch=st.booleans(),
        asked_for=st.booleans(),
    )
)
def test_what_is_written_is_read(report: KeyReport) -> None:
    assert decode_input(XK24, encode_keys(XK24, report)) == report


@given(st.binary(max_size=64) | st.binary(min_size=REPORT_BYTES, max_size=REPORT_BYTES))
def test_junk_never_raises_and_never_names_a_key_that_is_none(data: bytes) -> None:
    report = decode_input(XK24, data)
    if isinstance(report, KeyReport):
        assert report.down <= set(range(XK24.n_keys))
