"""How a panel of industrial buttons behind a Modbus-RTU module is wired: the register map. Loads no library."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

#: For the log, once at start.
NOT_VERIFIED: Final = "Modbus panel: not verified on hardware: pace and watchdog of the module at the other end"
#: Most keys that one panel may have; ours.
KEYS_MAX: Final = 64
ADDRESS_MAX: Final = 0xFFFF


class Inputs(Enum):
    """Which table of the module holds its buttons."""

    DISCRETE = "discrete-inputs"
    COILS = "coils"


@dataclass(frozen=True, kw_only=True, slots=True)
class ModbusPanelSettings:
    """Addresses are those on the wire, from 0 (a manual's input 10001 is address 0). Times in seconds; ours.

    Raises ValueError, beginning with the name of the setting.
    """

    #: Address of the module, 1 to 247.
    unit: int = 1
    inputs: Inputs = Inputs.DISCRETE
    #: Address of key 0, and how many keys follow each other from there.
    first_input: int = 0
    keys: int = 16
    #: The contacts are closed while nobody presses.
    normally_closed: bool = False
    #: Address of the coil of the lamp of key 0, and how many keys have lamps; 0: none.
    first_lamp: int = 0
    lamps: int = 16
    #: How many polls in a row must agree before a key has moved: contacts bounce.
    polls_to_agree: int = 2
    #: Pause between an answer and the next question.
    poll_s: float = 0.02
    #: How long an answer may take.
    reply_s: float = 0.2
    #: Half of a flash of the lamp of a refused key.
    flash_s: float = 0.25
    #: How often lamps are written that have not changed: a module that was off for a moment comes back dark.
    lamps_every_s: float = 2.0
    #: How long without a good answer until the panel counts as lost.
    mute_after_s: float = 2.0

    def __post_init__(self) -> None:
        limits = {
            "unit": (1, 247),
            "keys": (1, KEYS_MAX),
            "lamps": (0, KEYS_MAX),
            "first_input": (0, ADDRESS_MAX),
            "first_lamp": (0, ADDRESS_MAX),
            "polls_to_agree": (1, 100),
        }
        for name, (least, most) in limits.items():
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"{name} {getattr(self, name)}: {least} to {most}")


DEFAULT_SETTINGS: Final = ModbusPanelSettings()
