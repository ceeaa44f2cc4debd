"""Answers that name a serial port: by its number in the list of what was found, by its path, or by an address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from drivers.transport.serial import can_be_address
from tablectl.ops.setup.discovery import Found, SerialPort
from tablectl.ops.setup.messages import Word
from tablectl.ops.setup.questions import NONE, Answers, Option, Refused

#: Every question about a port that one device has alone.
PORT_KEYS: Final = ("shoe.port", "panel.port", "light.port", "shuffler.port", "badges.port")
_PATH: Final = re.compile(r"(?:/|[a-z0-9]+://)[^\x00-\x20\x7f\"\\#]{1,200}")
#: Names that change with the order in which things are plugged in.
_MOVES: Final = re.compile(r"/dev/tty(?:USB|ACM)[0-9]+")
_ANTENNA: Final = "#"


def free_ports(said: Answers, found: Found, *, but: str) -> tuple[SerialPort, ...]:
    """Ports that no other table has and no device that was named before; readers may share theirs."""
    mine = {said.get(key) for key in PORT_KEYS if key != but}
    return tuple(port for port in found.ports if found.whose(port.path) is None and port.path not in mine)


def port_of(value: str) -> str:
    """The reader's port in `PORT#ANTENNA`."""
    return value.partition(_ANTENNA)[0]


def antenna_of(value: str) -> int:
    """The antenna in `PORT#ANTENNA`, from 1."""
    return int(value.partition(_ANTENNA)[2] or 1)


@dataclass(frozen=True, kw_only=True)
class Port:
    """A serial port, or none where there may be none."""

    ports: tuple[SerialPort, ...]
    may_be_none: bool = False

    @property
    def options(self) -> tuple[Option, ...]:
        """What was found."""
        none = (Option(value=NONE, word=Word.of("setup-word", "none")),) if self.may_be_none else ()
        return (*(Option(value=port.path) for port in self.ports), *none)

    def read(self, raw: object) -> str:
        """See `Kind`."""
        if not isinstance(raw, str):
            raise Refused("port")
        if raw == NONE and self.may_be_none:
            return NONE
        names = [option.value for option in self.options]
        if re.fullmatch(r"[0-9]{1,3}", raw) and 1 <= int(raw) <= len(names):
            return names[int(raw) - 1]
        if _MOVES.fullmatch(raw) is not None:
            raise Refused("port-moves")
        if _PATH.fullmatch(raw) is None or not can_be_address(raw):
            raise Refused("port")
        return raw

    def show(self, value: str) -> str:
        """By its number, where it is in the list."""
        names = [option.value for option in self.options]
        return str(names.index(value) + 1) if value in names and value != NONE else value


@dataclass(frozen=True, kw_only=True)
class SpotPort(Port):
    """The reader of a spot, and which of its antennas where it has several: `PORT`, or `PORT#2`."""

    most_antennas: int = 1

    def read(self, raw: object) -> str:
        """See `Kind`."""
        if not isinstance(raw, str):
            raise Refused("port")
        port, mark, number = raw.partition(_ANTENNA)
        path = super().read(port)
        if not mark:
            return path
        if path == NONE or not re.fullmatch(r"[0-9]{1,3}", number) or not 1 <= int(number) <= self.most_antennas:
            raise Refused("antenna", most=self.most_antennas)
        return f"{path}{_ANTENNA}{int(number)}"
