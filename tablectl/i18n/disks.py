"""How much room a disk has left, in words. Pure."""

from __future__ import annotations

from typing import Final, Protocol

from babel.numbers import format_decimal

from tablectl.i18n.languages import locale_of
from tablectl.i18n.table_texts import TableTexts

_BYTES_A_GIGABYTE: Final = 1_000_000_000


class Room(Protocol):
    """What is told of a disk: what it holds, the room that is left, and for how many dealing days; None: not known."""

    @property
    def holds(self) -> str: ...

    @property
    def free_bytes(self) -> int: ...

    @property
    def days(self) -> float | None: ...


def room(t: TableTexts, disk: Room) -> str:
    """All of it, in one line."""
    gigabytes = format_decimal(disk.free_bytes / _BYTES_A_GIGABYTE, format="#,##0.0", locale=locale_of(t.language))
    if disk.days is None:
        left = t.say("room", "free", gigabytes=gigabytes)
    else:
        left = t.say("room", "free-days", gigabytes=gigabytes, days=int(disk.days))
    return f"{t.say('room', disk.holds)}: {left}"
