"""`python -m simulators qlight-usb`: a Qlight tower on a USB bus of its own, served on a socket."""

from __future__ import annotations

from typing import Final

from drivers.qlight.messages import Command
from simulators.devices.qlight.simulator import QlightSimulator
from simulators.devices.standalone import Options
from simulators.devices.usb_standalone import name_of, serve_light

_LAMPS: Final = ("red", "amber", "green", "blue", "white")


def run(options: Options) -> int:
    """A Qlight tower, until told to stop. Returns the exit status."""

    def show(state: Command) -> None:
        lit = [f"{name} {name_of(look)}" for name, look in zip(_LAMPS, state.lamps, strict=True)]
        sound = [f"sound {state.group}/{state.channel}"] if state.channel else []
        options.say(", ".join([text for text in lit if not text.endswith(" off")] + sound) or "dark")

    return serve_light(QlightSimulator(on_change=show, faults=options.faults, seed=options.seed), options)
