"""What every simulated USB device has in common when it runs by itself: a bus with that device, served on a socket.

A controller reaches it with `usb.bus = "unix:PATH"`. Without `--link` the socket is in a folder of its own. `--every`
means a random key for a panel and nothing for a light; `--speed` is times the rate of reports.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Final, Protocol

from simulators.devices.standalone import Options, words
from simulators.devices.usb_bus import Behaviour, UsbBus, VirtualDevice

PANEL_HELP: Final = (
    "type: press K | release K | tap K (or just K) | silent | hasty | stuck | well | unplug | replug | quit"
)
LIGHT_HELP: Final = "type: silent | hasty | stuck | well | unplug | replug | quit"
#: What is done unasked.
RANDOM: Final = "tap random"


class Keys(Protocol):
    """A panel whose keys a person can move."""

    def press(self, key: int) -> None:
        """Down. Raises `ValueError` for a key that is none."""

    def release(self, key: int) -> None:
        """Up again. Raises `ValueError` for a key that is none."""

    def tap(self, key: int) -> None:
        """Down and up. Raises `ValueError` for a key that is none."""


def key_words(panel: Keys, n_keys: int, dice: random.Random) -> Callable[[str], str | None]:
    """What a person does with keys."""

    def key_word(word: str) -> str | None:
        verb, _, number = word.rpartition(" ")
        if word == RANDOM:
            number = str(dice.randrange(n_keys))
        move = {"press": panel.press, "release": panel.release, "tap": panel.tap, "": panel.tap}.get(verb)
        if move is None or not number.isdecimal():
            return None
        try:
            move(int(number))
        except ValueError as why:
            return str(why)
        return f"{verb or 'tap'} {number}"

    return key_word


def serve_light(light: VirtualDevice, options: Options) -> int:
    """As `serve`, for a light that knows no words of its own."""
    return serve(light, options, LIGHT_HELP, lambda word: "" if word == RANDOM else None)


def name_of(look: Enum) -> str:
    """What a look is called for people."""
    return look.name.lower().replace("_", " ")


def serve(device: VirtualDevice, options: Options, help_text: str, other: Callable[[str], str | None]) -> int:
    """Until told to stop. `other` answers the words that only this device knows. Returns the exit status."""
    with tempfile.TemporaryDirectory(prefix="usb-") as folder:
        path = options.link if options.link is not None else Path(folder) / "usb.sock"
        bus = UsbBus(path, speed_factor=options.speed_factor)
        try:
            bus.plug(device)
            options.say(str(path))
            for word in words(options, unasked=RANDOM):
                answer = _handled(device, bus, word)
                if answer is None:
                    answer = other(word)
                if answer != "":
                    options.say(help_text if answer is None else answer)
        finally:
            bus.close()
    return 0


def _handled(device: VirtualDevice, bus: UsbBus, word: str) -> str | None:
    """What both devices understand."""
    match word:
        case "unplug":
            bus.unplug(device)
            return "unplugged"
        case "replug":
            bus.unplug(device)
            bus.plug(device)
            return "plugged in"
        case "well" | "silent" | "hasty" | "stuck":
            device.behave(Behaviour(word))
            return word
        case _:
            return None
