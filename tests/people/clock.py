"""Time that passes when a test says so, and a browser's cookie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tablectl.core.roles import Person
from tablectl.people.people import People

#: 2026-11-21 20:00 UTC.
START_US: Final = 1_795_291_200_000_000
S: Final = 1_000_000
MINUTE: Final = 60 * S
HOUR: Final = 60 * MINUTE


class Clock:
    """Microseconds since the epoch."""

    def __init__(self) -> None:
        self.us = START_US

    def now_us(self) -> int:
        return self.us

    def pass_us(self, us: int) -> None:
        self.us += us


@dataclass(frozen=True)
class Browser:
    """Has the session that it was given."""

    token: str


def person_of(people: People, browser: Browser) -> Person | None:
    """Whose session it is, as far as the table is concerned."""
    found = people.signed_on(browser.token)
    return None if found is None else found.person
