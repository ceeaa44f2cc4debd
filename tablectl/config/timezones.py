"""The house's clock, as a configuration names it."""

from __future__ import annotations

from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tablectl.config.schema import Refused
from tablectl.core.validation import sentence

#: Where the file names no other.
TIMEZONE: Final = "Europe/Madrid"


def zone_is(name: str) -> str:
    """A name of the database of time zones. Raises `Refused`."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refused(sentence("a name such as {timezone}, of the database of time zones", timezone=TIMEZONE)) from None
    return name
