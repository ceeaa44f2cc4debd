"""What the tests ask of a model of the registry besides what its entry says."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from drivers.entry import Driver
from drivers.protocol import DeviceProtocol
from drivers.reader import UNANSWERED

#: A driver whose device is simulated under another name: a shoe with a reader at its mouth is its reader there.
SIMULATED_AS: Final = {"rfid-shoe-pn532": "pn532", "rfid-shoe-feig": "feig"}


def protocol_of(driver: Driver) -> DeviceProtocol:
    """Its protocol, with the settings that it cannot do without."""
    needed = {"port": "/dev/none"} if "port" in driver.place.__dataclass_fields__ else {}
    return driver.make("it", needed, None)[1]


def notes_of(driver: Driver) -> frozenset[str]:
    """Every `kind` of its notes: those of the enum `Note` in its `driver.py`, and what any reader of tags may note."""
    own = getattr(import_module(type(protocol_of(driver)).__module__), "Note", ())
    return frozenset(note.value for note in own) | ({UNANSWERED} if driver.tells_tags else frozenset())


def simulator_of(driver: Driver) -> str:
    """The name of the simulator of its device."""
    return SIMULATED_AS.get(driver.id, driver.id)
