"""`python -m simulators patlite-lr6`: a PATLITE light on a USB bus of its own, served on a socket."""

from __future__ import annotations

from drivers.patlite.messages import LightState
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.standalone import Options
from simulators.devices.usb_standalone import name_of, serve_light


def run(options: Options) -> int:
    """An LR6-USB, until told to stop. Returns the exit status."""

    def show(state: LightState) -> None:
        colours = ("red", "yellow", "green", "blue", "white")
        lit = [f"{colour} {name_of(getattr(state, colour))}" for colour in colours if getattr(state, colour)]
        sound = [f"buzzer {name_of(state.buzzer)}"] if state.buzzer else []
        options.say(", ".join(lit + sound) or "dark")

    return serve_light(PatliteSimulator(on_change=show, faults=options.faults, seed=options.seed), options)
