"""How incidents are called that a device or a cable makes, and no card and no person. No document names a cable: what
holds the table then is that nobody can know the cards, and no rule of the game is cited for it."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.vocabulary import Plug

_LOST: Final = "lost"
_READERS: Final = ("shoe", "antennas")
#: With what the word begins for a USB device that the house does not allow.
FOREIGN: Final = "foreign-usb"


def reader_lost(role: str) -> str:
    """What is observed where the device that reads the cards is away."""
    return f"{role}-{_LOST}"


def usb_changed(change: Plug, *, is_allowed: bool) -> str:
    """What is observed where a USB device came or went."""
    return f"usb-{change}" if is_allowed else f"{FOREIGN}-{change}"


READER_LOST: Final = frozenset(map(reader_lost, _READERS))
USB_CHANGED: Final = frozenset(
    usb_changed(change, is_allowed=is_allowed) for change in Plug for is_allowed in (True, False)
)
_UNPLUGGED: Final = frozenset(usb_changed(Plug.UNPLUGGED, is_allowed=is_allowed) for is_allowed in (True, False))


def is_loss(observed: str) -> bool:
    """Whether a device went away with it."""
    return observed in READER_LOST or observed in _UNPLUGGED


def is_cable_fault(observed: str) -> bool:
    """Whether an incident is about a device or a cable. Somebody has to look at it also where nothing was held."""
    return observed in READER_LOST or observed in USB_CHANGED


def cited(clause: str, observed: str) -> str:
    """The clause that an incident may be told with: none for a device or a cable."""
    return "" if is_cable_fault(observed) else clause
