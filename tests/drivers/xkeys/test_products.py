"""Every model of X-keys, held against panels that others recorded.

`recorded.txt`: model, input report, row, column and milliseconds of each key as it went down for the first time, from
SuperFlyTV/xkeys, `packages/node/src/__tests__/recordings` (MIT). Row and column 0 are a switch that is no key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp
from drivers.registry import DRIVERS
from drivers.xkeys.driver import XKeys, XKeysSettings
from drivers.xkeys.messages import (
    BadReport,
    DescriptorReport,
    KeyReport,
    Lamp,
    Light,
    SetLight,
    decode_input,
    decode_output,
    encode_descriptor,
    encode_keys,
    set_light,
)
from drivers.xkeys.products import (
    PRODUCTS,
    XK3_PEDAL,
    XK3_SWITCHES,
    XK12_JOG,
    XK12_SWITCHES,
    XK16,
    XK24,
    XK60,
    XK80,
    Lamps,
    Product,
)


@dataclass(frozen=True, kw_only=True)
class Recorded:
    product: Product
    report: bytes
    row: int
    column: int
    timestamp_ms: int

    @property
    def is_key(self) -> bool:
        return self.row > 0 and self.column > 0


def _read(line: str) -> Recorded:
    model, report, row, column, timestamp_ms = line.split()
    return Recorded(
        product=PRODUCTS[model],
        report=bytes.fromhex(report),
        row=int(row),
        column=int(column),
        timestamp_ms=int(timestamp_ms),
    )


RECORDED = tuple(map(_read, (Path(__file__).parent / "recorded.txt").read_text().splitlines()))
ALL = pytest.mark.parametrize("product", PRODUCTS.values(), ids=PRODUCTS)


def presses(product: Product) -> list[Recorded]:
    """By column, then by row: the order in which keys are numbered."""
    keys = [recorded for recorded in RECORDED if recorded.product is product and recorded.is_key]
    return sorted(keys, key=lambda recorded: (recorded.column, recorded.row))


@pytest.mark.parametrize(
    "product", [product for product in PRODUCTS.values() if product is not XK24], ids=lambda product: product.id
)
def test_a_panel_has_the_keys_that_were_recorded_numbered_by_column_then_row(product: Product) -> None:
    found = [decode_input(product, press.report) for press in presses(product)]
    assert len(found) == product.n_keys
    for key, (report, recorded) in enumerate(zip(found, presses(product), strict=True)):
        assert isinstance(report, KeyReport)
        assert report.down == {key}
        assert report.timestamp_ms == recorded.timestamp_ms


@pytest.mark.parametrize(
    "recorded", RECORDED, ids=lambda recorded: f"{recorded.product.id} {recorded.row}/{recorded.column}"
)
def test_what_is_encoded_is_what_was_recorded_up_to_the_bits_that_are_no_keys(recorded: Recorded) -> None:
    product = recorded.product
    report = decode_input(product, recorded.report)
    assert isinstance(report, KeyReport)
    encoded = encode_keys(product, report)
    assert len(encoded) == len(recorded.report)
    kept = sum(1 << bit for bit in product.known_bits - product.other_bits).to_bytes(product.key_bytes, "little")
    end = 2 + product.key_bytes
    assert encoded[:2] == recorded.report[:2]
    assert encoded[2:end] == bytes(a & b for a, b in zip(recorded.report[2:end], kept, strict=True))
    stamp = slice(product.timestamp_at, product.timestamp_at + 4)
    assert encoded[stamp] == recorded.report[stamp]


def test_a_switch_that_is_no_key_is_none() -> None:
    others = [recorded for recorded in RECORDED if not recorded.is_key]
    assert {other.product for other in others} == {XK16, XK60, XK3_PEDAL, XK3_SWITCHES}
    for other in others:
        report = decode_input(other.product, other.report)
        assert isinstance(report, KeyReport)
        assert report.down == frozenset()


#: The lights that were sent to the recorded panels for their first key; the report id 0 in front is not on the wire.
RECORDED_LIGHTS = (
    (XK16, "b5000101", 0, Lamp.BLUE),
    (XK16, "b5000201", 0, Lamp.BLUE_BLINK),
    (XK80, "b5000201", 0, Lamp.BLUE_BLINK),
    (XK60, "b5000201", 0, Lamp.BLUE_BLINK),
    (XK12_JOG, "b5000201", 0, Lamp.BLUE_BLINK),
)


@pytest.mark.parametrize(("product", "start", "key", "lamp"), RECORDED_LIGHTS)
def test_a_light_is_sent_as_it_was_to_the_recorded_panels(product: Product, start: str, key: int, lamp: Lamp) -> None:
    panel = found(product)
    panel.show({key: lamp})
    assert bytes.fromhex(start).ljust(35, b"\0") in panel.take_outgoing()


@pytest.mark.parametrize(("product", "start"), [(XK80, "b550000100"), (XK60, "b550000100"), (XK12_JOG, "b520000100")])
def test_the_red_bank_begins_where_it_did_on_the_recorded_panels(product: Product, start: str) -> None:
    assert set_light(product.red_led(0), Light.OFF) == bytes.fromhex(start).ljust(35, b"\0")


def test_the_lamps_of_the_stick_leave_two_numbers_out_after_every_sixth() -> None:
    assert XK16.leds == (0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19)


@ALL
def test_a_model_is_in_the_registry_with_its_keys_and_ids(product: Product) -> None:
    driver = DRIVERS[product.id]
    assert driver.n_keys == product.n_keys
    assert driver.usb_ids == tuple((0x05F3, product_id) for product_id in product.product_ids)


def test_no_two_models_share_an_id() -> None:
    ids = [product_id for product in PRODUCTS.values() for product_id in product.product_ids]
    assert len(ids) == len(set(ids))


@ALL
@given(data=st.data())
def test_any_keys_survive_the_way_there_and_back(product: Product, data: st.DataObject) -> None:
    down = data.draw(st.frozensets(st.sampled_from(range(product.n_keys))))
    meant = KeyReport(unit_id=7, down=down, timestamp_ms=5, is_plugged=product.plug_bit is not None)
    assert decode_input(product, encode_keys(product, meant)) == meant


@ALL
@given(junk=st.binary(max_size=80))
def test_junk_is_never_more_than_a_report(product: Product, junk: bytes) -> None:
    decode_input(product, junk)
    decode_input(product, junk[: product.input_bytes].ljust(product.input_bytes, b"\0"))


def test_a_key_in_a_gap_of_the_panel_is_no_key() -> None:
    data = bytearray(encode_keys(XK60, KeyReport(unit_id=0, down=frozenset(), timestamp_ms=0)))
    data[2] = 1 << 2
    assert decode_input(XK60, bytes(data)) == BadReport(reason="a key that the panel does not have")


# -- the driver ------------------------------------------------------------------------------------------------------


def level(product: Product, *keys: int, is_plugged: bool = False, asked_for: bool = False) -> bytes:
    down = frozenset(keys)
    return encode_keys(
        product, KeyReport(unit_id=0, down=down, timestamp_ms=1, is_plugged=is_plugged, asked_for=asked_for)
    )


def hear(panel: XKeys, *reports: bytes, now_s: float = 0.0) -> list[DeviceFact]:
    return [fact for data in reports for fact in panel.receive(data, now_s=now_s, at_us=2)]


def found(product: Product, *keys: int, is_plugged: bool = False) -> XKeys:
    panel = XKeys("panel", product=product)
    panel.opened(now_s=0.0, at_us=1)
    who = DescriptorReport(unit_id=0, firmware=1, product_id=product.product_ids[0])
    facts = hear(panel, encode_descriptor(product, who), level(product, *keys, is_plugged=is_plugged, asked_for=True))
    assert isinstance(facts[0], Found)
    panel.take_outgoing()
    return panel


def moves(facts: Sequence[DeviceFact]) -> list[tuple[type[DeviceFact], int]]:
    return [(type(fact), fact.key) for fact in facts if isinstance(fact, KeyDown | KeyUp)]


@ALL
def test_every_key_of_every_model_goes_down_and_comes_up(product: Product) -> None:
    plugged = product.plug_bit is not None
    panel = found(product, is_plugged=plugged)
    for key in range(product.n_keys):
        facts = hear(panel, level(product, key, is_plugged=plugged), level(product, is_plugged=plugged))
        assert moves(facts) == [(KeyDown, key), (KeyUp, key)]


@pytest.mark.parametrize("product", [product for product in PRODUCTS.values() if product.lamps is Lamps.NONE])
def test_a_panel_without_lamps_is_told_nothing(product: Product) -> None:
    panel = found(product)
    panel.show({0: Lamp.BLUE, product.n_keys - 1: Lamp.RED_BLINK})
    assert list(panel.take_outgoing()) == []
    with pytest.raises(ValueError, match="no lamps"):
        product.blue_led(0)
    with pytest.raises(ValueError, match="no red lamps"):
        product.red_led(0)


def test_a_stick_shows_a_refused_key_with_the_one_colour_it_has() -> None:
    panel = found(XK16)
    panel.show({6: Lamp.RED_BLINK, 7: Lamp.BLUE})
    assert [decode_output(data) for data in panel.take_outgoing()] == [
        SetLight(led=8, light=Light.FLASH),
        SetLight(led=9, light=Light.ON),
    ]


def test_a_contact_that_a_mono_plug_holds_closed_is_no_key_that_is_down() -> None:
    panel = found(XK12_SWITCHES, 1)
    assert hear(panel, level(XK12_SWITCHES, 1)) == []
    assert moves(hear(panel, level(XK12_SWITCHES, 1, 0), level(XK12_SWITCHES, 1))) == [(KeyDown, 0), (KeyUp, 0)]


def test_a_contact_that_was_open_once_is_a_key() -> None:
    panel = found(XK12_SWITCHES, 1)
    assert moves(hear(panel, level(XK12_SWITCHES), level(XK12_SWITCHES, 1))) == [(KeyDown, 1)]


def test_what_a_plug_closes_on_its_way_in_is_no_key() -> None:
    panel = found(XK3_SWITCHES)
    settles_s = XKeysSettings().plug_settles_s
    assert hear(panel, level(XK3_SWITCHES, 0, 1, is_plugged=True), now_s=1.0) == []
    assert hear(panel, level(XK3_SWITCHES, 1, 2, is_plugged=True), now_s=1.0 + settles_s / 2) == []
    assert hear(panel, level(XK3_SWITCHES, 2, is_plugged=True), now_s=1.0 + settles_s) == []
    facts = hear(panel, level(XK3_SWITCHES, 1, 2, is_plugged=True), now_s=2.0)
    assert moves(facts) == [(KeyDown, 1)]


def test_pulling_the_plug_lets_every_key_come_up() -> None:
    panel = found(XK3_SWITCHES, is_plugged=True)
    assert moves(hear(panel, level(XK3_SWITCHES, 1, is_plugged=True))) == [(KeyDown, 1)]
    assert moves(hear(panel, level(XK3_SWITCHES, 0))) == [(KeyUp, 1)]


def test_the_firmware_of_the_60_is_that_of_the_80_so_its_product_id_tells() -> None:
    panel = XKeys("panel", product=XK60)
    panel.opened(now_s=0.0, at_us=1)
    who = DescriptorReport(unit_id=0, firmware=1, product_id=XK80.product_ids[0])
    assert not any(isinstance(fact, Found) for fact in hear(panel, encode_descriptor(XK60, who), level(XK60)))
    facts = hear(
        panel,
        encode_descriptor(XK60, replace(who, product_id=XK60.product_ids[0])),
        level(XK60, asked_for=True),
    )
    assert [type(fact) for fact in facts] == [Found]
