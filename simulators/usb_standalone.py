"""`python -m simulators xkeys-xk24`, `patlite-lr6` and so on: a USB bus with one device, served on a socket.

A controller reaches it with `usb.bus = "unix:PATH"`. Without `--link` the socket is in a folder of its own. `--every`
means a random key for the panel and nothing for the light; `--speed` is times the rate of reports.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Final

from drivers.blink1.messages import Colour
from drivers.qlight.messages import Command
from drivers.streamdeck.products import Product as Deck
from drivers.xkeys.products import Product
from simulators.blink1 import Blink1Simulator
from simulators.patlite import LightChange, PatliteSimulator
from simulators.qlight import QlightSimulator
from simulators.standalone import Options, words
from simulators.streamdeck import StreamDeckSimulator
from simulators.usb_bus import Behaviour, UsbBus, VirtualDevice
from simulators.xkeys import LampChange, XKeysSimulator

PANEL_HELP: Final = (
    "type: press K | release K | tap K (or just K) | silent | hasty | stuck | well | unplug | replug | quit"
)
LIGHT_HELP: Final = "type: silent | hasty | stuck | well | unplug | replug | quit"
_QLIGHT_LAMPS: Final = ("red", "amber", "green", "blue", "white")
#: What is done unasked.
_RANDOM: Final = "tap random"


def run_panel(product: Product, options: Options) -> int:
    """An X-keys panel, until told to stop. Returns the exit status."""
    dice = random.Random(options.seed)

    def show(change: LampChange) -> None:
        options.say(f"key {change.key}: {_name(change.lamp)}")

    panel = XKeysSimulator(product=product, on_lamp=show, faults=options.faults, seed=options.seed)
    key_word = _key_words(panel, product.n_keys, dice)

    def plug_word(word: str) -> str | None:
        match word:
            case "plug":
                panel.plug_in()
                return "a plug is in"
            case "pull":
                panel.pull_plug()
                return "no plug is in"
            case _:
                return key_word(word)

    if product.has_plugs:
        return _serve(panel, options, PANEL_HELP.replace(" | silent", " | plug | pull | silent"), plug_word)
    return _serve(panel, options, PANEL_HELP, key_word)


def run_deck(product: Deck, options: Options) -> int:
    """A Stream Deck, until told to stop. Returns the exit status."""
    dice = random.Random(options.seed)

    def show(key: int) -> None:
        red, green, blue = deck.ground(key)
        options.say(f"key {key}: #{red:02x}{green:02x}{blue:02x}, {'written on' if deck.has_ink(key) else 'blank'}")

    deck = StreamDeckSimulator(product=product, on_picture=show, faults=options.faults, seed=options.seed)
    return _serve(deck, options, PANEL_HELP, _key_words(deck, product.n_keys, dice))


def _key_words(
    panel: XKeysSimulator | StreamDeckSimulator, n_keys: int, dice: random.Random
) -> Callable[[str], str | None]:
    """What a person does with keys."""

    def key_word(word: str) -> str | None:
        verb, _, number = word.rpartition(" ")
        if word == _RANDOM:
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


def run_light(options: Options) -> int:
    """An LR6-USB, until told to stop. Returns the exit status."""

    def show(change: LightChange) -> None:
        state = change.state
        colours = ("red", "yellow", "green", "blue", "white")
        lit = [f"{colour} {_name(getattr(state, colour))}" for colour in colours if getattr(state, colour)]
        sound = [f"buzzer {_name(state.buzzer)}"] if state.buzzer else []
        options.say(", ".join(lit + sound) or "dark")

    return _serve_light(PatliteSimulator(on_change=show, faults=options.faults, seed=options.seed), options)


def run_qlight(options: Options) -> int:
    """A Qlight tower, until told to stop. Returns the exit status."""

    def show(state: Command) -> None:
        lit = [f"{name} {_name(look)}" for name, look in zip(_QLIGHT_LAMPS, state.lamps, strict=True)]
        sound = [f"sound {state.group}/{state.channel}"] if state.channel else []
        options.say(", ".join([each for each in lit if not each.endswith(" off")] + sound) or "dark")

    return _serve_light(QlightSimulator(on_change=show, faults=options.faults, seed=options.seed), options)


def run_blink1(options: Options) -> int:
    """A blink(1), until told to stop. Returns the exit status."""

    def show(colours: tuple[Colour, Colour]) -> None:
        options.say(", ".join(f"#{each.red:02x}{each.green:02x}{each.blue:02x}" for each in colours))

    light = Blink1Simulator(on_change=show, faults=options.faults, seed=options.seed)

    def look(word: str) -> str | None:
        if word == _RANDOM:
            return ""
        if word != "look":
            return None
        show(light.colours)
        return "plays by itself" if light.is_playing else "shows what it was told"

    return _serve(light, options, f"type: look | {LIGHT_HELP.removeprefix('type: ')}", look)


def _serve_light(light: VirtualDevice, options: Options) -> int:
    return _serve(light, options, LIGHT_HELP, lambda word: "" if word == _RANDOM else None)


def _name(look: Enum) -> str:
    return look.name.lower().replace("_", " ")


def _serve(device: VirtualDevice, options: Options, help_text: str, other: Callable[[str], str | None]) -> int:
    with tempfile.TemporaryDirectory(prefix="usb-") as folder:
        path = options.link if options.link is not None else Path(folder) / "usb.sock"
        bus = UsbBus(path, speed_factor=options.speed_factor)
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
        case "well" | "silent" | "hasty" | "stuck":
            device.behave(Behaviour(word))
            return word
        case _:
            return None
