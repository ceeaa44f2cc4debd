"""`python -m simulators blink1`: a blink(1) on a USB bus of its own, served on a socket."""

from __future__ import annotations

from drivers.blink1.messages import Colour
from simulators.devices.blink1.simulator import Blink1Simulator
from simulators.devices.standalone import Options
from simulators.devices.usb_standalone import LIGHT_HELP, RANDOM, serve


def run(options: Options) -> int:
    """A blink(1), until told to stop. Returns the exit status."""

    def show(colours: tuple[Colour, Colour]) -> None:
        options.say(", ".join(f"#{colour.red:02x}{colour.green:02x}{colour.blue:02x}" for colour in colours))

    light = Blink1Simulator(on_change=show, faults=options.faults, seed=options.seed)

    def look(word: str) -> str | None:
        if word == RANDOM:
            return ""
        if word != "look":
            return None
        show(light.colours)
        return "plays by itself" if light.is_playing else "shows what it was told"

    return serve(light, options, f"type: look | {LIGHT_HELP.removeprefix('type: ')}", look)
