"""A deck that is enrolled at one of the table's readers: what it tells goes there meanwhile, and not to the table."""

from __future__ import annotations

import queue

from drivers import facts as device
from tablectl.table.decks.at_reader import GivenUp, Heard


class Lying:
    """Which tags lie at which antenna, as readers told it. Never prints one."""

    def __init__(self) -> None:
        self._there: dict[str, dict[tuple[int, str], device.TagIn]] = {}

    def hears(self, fact: device.DeviceFact) -> None:
        """What a reader tells."""
        match fact:
            case device.TagIn():
                self._there.setdefault(fact.device, {})[fact.antenna, fact.tag.open()] = fact
            case device.TagOut():
                self._there.get(fact.device, {}).pop((fact.antenna, fact.tag.open()), None)

    def at(self, reader: str) -> tuple[device.TagIn, ...]:
        """What lies at one reader, as it came."""
        return tuple(self._there.get(reader, {}).values())


class Session:
    """One deck, from when its reader was given to it. `heard` goes to whoever talks with the person."""

    def __init__(self, reader: str, by: str, heard: queue.SimpleQueue[Heard]) -> None:
        self.reader = reader
        self.by = by
        self.heard = heard

    def hears(self, fact: device.DeviceFact) -> bool:
        """Whether a fact is a tag for the deck, and so none of the table's."""
        match fact:
            case device.TagIn(device=self.reader) | device.TagOut(device=self.reader):
                self.heard.put(fact)
                return True
            case device.Lost(device=self.reader):
                self.heard.put(fact)
        return False

    def give_up(self, why: str) -> None:
        """The table needs its reader."""
        self.heard.put(GivenUp(why))
