"""`python -m simulators xkeys-xk24`, `patlite-lr6` and so on: a USB bus with one device, served on a socket.

A controller reaches it with `usb.bus = "unix:PATH"`. Without `--link` the socket is in a folder of its own. `--every`
means a random key for the panel and nothing for the light; `--speed` means nothing, USB hands reports over whole.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Final

from drivers.xkeys.products import Product
from simulators.patlite import LightChange, PatliteSimulator
from simulators.standalone import Options, words
from simulators.usb_bus import Behaviour, UsbBus, VirtualDevice
from simulators.xkeys import LampChange, XKeysSimulator

PANEL_HELP: Final = "type: press K | release K | tap K (or just K) | silent | stuck | well | unplug | replug | quit"
LIGHT_HELP: Final = "type: silent | stuck | well | unplug | replug | quit"
#: What is done unasked.
_RANDOM: Final = "tap random"


def run_panel(product: Product, options: Options) -> int:
    """An X-keys panel, until told to stop. Returns the exit status."""
    dice = random.Random(options.seed)

    def show(change: LampChange) -> None:
        options.say(f"key {change.key}: {_name(change.lamp)}")

    panel = XKeysSimulator(product=product, on_lamp=show, faults=options.faults, seed=options.seed)

    def key_word(word: str) -> str | None:
        verb, _, number = word.rpartition(" ")
        if word == _RANDOM:
            number = str(dice.randrange(product.n_keys))
        move = {"press": panel.press, "release": panel.release, "tap": panel.tap, "": panel.tap}.get(verb)
        if move is None or not number.isdecimal():
            return None
        try:
            move(int(number))
        except ValueError as why:
            return str(why)
        return f"{verb or 'tap'} {number}"

    return _serve(panel, options, PANEL_HELP, key_word)


def run_light(options: Options) -> int:
    """An LR6-USB, until told to stop. Returns the exit status."""

    def show(change: LightChange) -> None:
        state = change.state
        colours = ("red", "yellow", "green", "blue", "white")
        lit = [f"{colour} {_name(getattr(state, colour))}" for colour in colours if getattr(state, colour)]
        sound = [f"buzzer {_name(state.buzzer)}"] if state.buzzer else []
        options.say(", ".join(lit + sound) or "dark")

    light = PatliteSimulator(on_change=show, faults=options.faults, seed=options.seed)
    return _serve(light, options, LIGHT_HELP, lambda word: "" if word == _RANDOM else None)


def _name(look: Enum) -> str:
    return look.name.lower().replace("_", " ")


def _serve(device: VirtualDevice, options: Options, help_text: str, other: Callable[[str], str | None]) -> int:
    with tempfile.TemporaryDirectory(prefix="usb-") as folder:
        path = options.link if options.link is not None else Path(folder) / "usb.sock"
        bus = UsbBus(path)
        try:
            bus.plug(device)
            options.say(str(path))
            for word in words(options, unasked=_RANDOM):
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
        case "well" | "silent" | "stuck":
            device.behave(Behaviour(word))
            return word
        case _:
            return None
