"""What any light can be made to show, whichever model it is: the one vocabulary for whoever decides what it means.

A light that lacks a colour, a second lamp or a buzzer shows as much as it can, the most urgent colour first; what it
leaves out is in its driver's documentation.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import Final

from drivers.protocol import DeviceProtocol


class Look(Enum):
    """Of one colour."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


class Sound(Enum):
    """Of the buzzer. `ONCE`: one short signal, which is over by itself."""

    OFF = "off"
    ONCE = "once"
    ON = "on"


@dataclass(frozen=True, kw_only=True, slots=True)
class TowerState:
    """The whole light."""

    red: Look = Look.OFF
    yellow: Look = Look.OFF
    green: Look = Look.OFF
    blue: Look = Look.OFF
    white: Look = Look.OFF
    sound: Sound = Sound.OFF


#: Dark and silent.
ALL_OFF: Final = TowerState()
#: Colours of a `TowerState`, the most urgent first.
BY_URGENCY: Final = ("red", "yellow", "blue", "green", "white")


class TowerLight(DeviceProtocol, ABC):
    """A protocol that shows a `TowerState`. A level, not an edge: what is lost with the wire is shown again."""

    @abstractmethod
    def look(self, state: TowerState) -> None:
        """How the whole light is to be from now on."""
