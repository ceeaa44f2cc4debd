"""The readers of tags in the registry: their settings are those of the drivers, flattened, with mistakes named."""

from __future__ import annotations

import sys
from typing import Final

import pytest

from drivers.feig.driver import Feig
from drivers.pepper.driver import Pepper
from drivers.pn532.driver import Pn532
from drivers.registry import DRIVERS, Registry
from drivers.rfid_shoe.driver import MOUTH_PRESENCE, RfidShoe
from drivers.rfid_shoe.with_feig import FeigShoeSettings
from drivers.rfid_shoe.with_pn532 import Pn532ShoeSettings
from drivers.transport.base import WireUnavailable
from simulators import processes

READERS = {
    "pn532": (Pn532, "antennas"),
    "feig": (Feig, "antennas"),
    "pepper": (Pepper, "antennas"),
    "rfid-shoe-pn532": (RfidShoe, "shoe"),
    "rfid-shoe-feig": (RfidShoe, "shoe"),
}


@pytest.mark.parametrize(("name", "kind", "role"), [(name, *rest) for name, rest in READERS.items()], ids=READERS)
def test_a_reader_is_made_from_its_port_alone(name: str, kind: type[object], role: str) -> None:
    driver = DRIVERS[name]
    settings = {"port": "/dev/none-such-reader"}
    assert (driver.id, driver.role, [*driver.mistakes(settings)]) == (name, role, [])
    opener, protocol = driver.make("field", settings, None)
    assert isinstance(protocol, kind)
    with pytest.raises(WireUnavailable, match="none-such-reader"):
        opener()


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("pn532", {"baud": 921600, "multiplexer": "gpio-p3", "antennas": 4, "max_targets": 2, "out_s": 1.5}),
        ("feig", {"baud": 9600, "parity": "N", "address": 3, "rf_reset": "as-configured", "advanced_frames": True}),
        ("pepper", {"antennas": 8, "pause_s": 0.2}),
        ("rfid-shoe-feig", {"parity": "O", "out_s": 0.3}),
    ],
)
def test_what_is_uncertain_can_be_set(name: str, settings: dict[str, object]) -> None:
    raw = {"port": "/dev/none", **settings}
    assert [*DRIVERS[name].mistakes(raw)] == []
    DRIVERS[name].make("field", raw, None)


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("pn532", "multiplexer", "magic"),
        ("pn532", "port", ""),
        ("feig", "parity", "M"),
        ("feig", "flash_loader", True),
        ("pepper", "antennas", "two"),
        ("pepper", "out_s", 0.0),
        ("pepper", "antennas", 0),
        ("pepper", "antennas", 9),
        ("pn532", "max_targets", 3),
        ("pn532", "antennas", 5),
        ("feig", "address", 256),
        ("rfid-shoe-pn532", "in_scans", 0),
    ],
)
def test_a_mistake_is_named(name: str, key: str, value: object) -> None:
    mistakes = [*DRIVERS[name].mistakes({"port": "/dev/none", key: value})]
    assert [mistake[0] for mistake in mistakes] == [key]


def test_a_card_at_the_mouth_of_a_shoe_needs_one_scan_alone() -> None:
    for settings in (Pn532ShoeSettings(), FeigShoeSettings()):
        assert settings.presence() == MOUTH_PRESENCE


def test_every_place_in_the_registry_is_the_entry_of_its_model() -> None:
    assert [driver.id for driver in DRIVERS.values()] == [*DRIVERS]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("drivers.feig.entry:FEIG", "is not the entry of 'pn532'"),
        ("drivers.pn532.entry:BAUD", "is not the entry of 'pn532'"),
    ],
)
def test_a_line_that_leads_to_something_else_is_refused(line: str, error: str) -> None:
    with pytest.raises(TypeError, match=error):
        Registry({"pn532": line})["pn532"]


def test_a_model_that_is_not_there_is_no_error_of_a_line() -> None:
    assert DRIVERS.get("pn533") is None
    assert "pn533" not in DRIVERS


#: A process of its own: here everything is imported already.
LOADED: Final = """
import sys
from drivers.registry import DRIVERS, Registry
assert "pn532" in DRIVERS and [*DRIVERS]
before = [name for name in sys.modules if name.startswith("drivers.") and name.endswith((".driver", ".entry"))]
DRIVERS["blink1"]
print(*sorted(name for name in sys.modules if name.endswith(".driver")), "before:", *before)
"""


def test_only_the_drivers_that_are_asked_for_are_loaded() -> None:
    said = processes.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["drivers.blink1.driver", "before:", "drivers.entry"]


def test_a_setting_that_was_removed_is_refused_by_name_with_what_to_do() -> None:
    [(key, found, right)] = [*DRIVERS["pepper"].mistakes({"port": "/dev/none", "antenna_argument": "from-zero"})]
    assert (key, found) == ("antenna_argument", "a setting that was removed")
    assert right == (
        "to leave it out: antennas = 1 sends no antenna command, and above 1 the antennas count from 1, as the maker's"
        " own client counts; check that each seat is at its antenna"
    )


@pytest.mark.parametrize(
    ("name", "key", "most"),
    [
        *(("feig", key, 100) for key in ("attempts", "in_scans", "out_scans")),
        *(("pn532", key, 100) for key in ("attempts", "in_scans", "out_scans")),
        *(("pepper", key, 100) for key in ("attempts", "in_scans", "out_scans")),
        ("feig", "tags_max", 1000),
        ("pn532", "tags_max", 1000),
        ("pn532", "activation_retries", 254),
        ("pepper", "antennas", 8),
        ("angel-eye", "times_said", 100),
    ],
)
def test_a_number_may_be_the_least_and_the_most_and_no_other(name: str, key: str, most: int) -> None:
    def mistaken(value: int) -> list[str]:
        return [mistake[0] for mistake in DRIVERS[name].mistakes({"port": "/dev/none", key: value})]

    least = 0 if key == "activation_retries" else 1
    assert [mistaken(value) for value in (least - 1, least, most, most + 1)] == [[key], [], [], [key]]
