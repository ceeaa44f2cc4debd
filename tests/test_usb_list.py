"""Which USB devices are the table's own, which are allowed, and which are foreign."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from drivers.facts import UsbChange, UsbChanged
from drivers.topology.identity import UsbIdentity
from tablectl.config.usb import UsbMatch
from tablectl.core.engine.facts import TopologyChanged
from tablectl.table.devices.translator import NoTags, Translator
from tablectl.table.usb_list import CAME_MOST, UsbList

PANEL = UsbIdentity(vendor_id=0x05F3, product_id=0x0405, port_path="1-2.3", serial="P1")
KEYBOARD = UsbIdentity(vendor_id=0x046D, product_id=0xC31C, port_path="1-4", serial="K1")
BY_ID = "/dev/serial/by-id/usb-FTDI_A10K3X7Q-if00-port0"
ADAPTER = UsbIdentity(vendor_id=0x0403, product_id=0x6001, port_path="1-1", nodes=("/dev/ttyUSB7", BY_ID))
KEYBOARDS = UsbMatch(vendor_id=0x046D, product_id=0xC31C)


@pytest.mark.parametrize(
    ("match", "fits"),
    [
        (KEYBOARDS, True),
        (replace(KEYBOARDS, serial="K1", port_path="1-4"), True),
        (replace(KEYBOARDS, serial="K2"), False),
        (replace(KEYBOARDS, port_path="1-4.1"), False),
        (replace(KEYBOARDS, product_id=0xC31D), False),
        (replace(KEYBOARDS, vendor_id=0x046E), False),
    ],
)
def test_all_that_an_entry_says_must_be_so(match: UsbMatch, *, fits: bool) -> None:
    assert match.fits(KEYBOARD) is fits
    assert UsbList((match,), {}).is_allowed(KEYBOARD) is fits


def test_a_device_of_the_table_is_allowed_without_being_listed_and_has_its_name() -> None:
    known = UsbList((), {"mando": ("xkeys-xk24", {})})
    assert known.owner(PANEL) == "mando"
    assert known.is_allowed(PANEL)
    assert not known.is_allowed(KEYBOARD)
    assert not UsbList((), {"light": ("patlite-lr6", {})}).is_allowed(PANEL)


@pytest.mark.parametrize("settings", [{"serial": "P2"}, {"port_path": "1-2.4"}])
def test_another_one_of_the_same_model_is_foreign_where_the_table_says_which_it_has(settings: dict[str, str]) -> None:
    assert not UsbList((), {"panel": ("xkeys-xk24", settings)}).is_allowed(PANEL)


def test_the_adapter_of_a_serial_device_is_the_one_that_has_its_port_whatever_the_port_is_called_today() -> None:
    known = UsbList((), {"sabot": ("angel-eye", {"port": BY_ID})})
    assert known.owner(ADAPTER) == "sabot"
    assert known.owner(replace(ADAPTER, nodes=("/dev/ttyUSB3", BY_ID))) == "sabot"
    assert not known.is_allowed(replace(ADAPTER, nodes=("/dev/ttyUSB7",)))


def test_a_link_of_the_houses_own_leads_to_the_port(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    link.symlink_to("/dev/ttyUSB7")
    assert UsbList((), {"sabot": ("angel-eye", {"port": str(link)})}).owner(ADAPTER) == "sabot"


MINUTE_US = 60_000_000


def plugged(number: int, change: UsbChange = UsbChange.PLUGGED, *, at_us: int = 0) -> UsbChanged:
    """A device that says another serial number each time."""
    return UsbChanged(at_us=at_us, change=change, identity=replace(KEYBOARD, serial=f"K{number}"))


def test_a_device_that_feigns_to_be_ten_thousand_is_ten_facts_and_a_count() -> None:
    flood: list[str] = []
    translator = Translator((), on_usb_flood=flood.append)
    facts = [
        fact
        for number in range(10_000)
        for change in (UsbChange.PLUGGED, UsbChange.UNPLUGGED)
        for fact in translator.table_facts(plugged(number, change), NoTags())
    ]
    assert len(facts) == 2 * CAME_MOST
    assert len(flood) == 10_000 - CAME_MOST
    assert "K9999" in flood[-1]


def test_what_was_told_of_is_told_of_when_it_goes_also_in_a_flood() -> None:
    translator = Translator(())
    for number in range(CAME_MOST + 5):
        list(translator.table_facts(plugged(number), NoTags()))
    gone = [
        fact
        for number in range(CAME_MOST + 5)
        for fact in translator.table_facts(plugged(number, UsbChange.UNPLUGGED), NoTags())
    ]
    assert len(gone) == CAME_MOST


def test_devices_that_somebody_plugs_over_a_day_are_all_told_of() -> None:
    translator = Translator(())
    for number in range(100):
        (fact,) = translator.table_facts(plugged(number, at_us=number * 2 * MINUTE_US), NoTags())
        assert isinstance(fact, TopologyChanged)
