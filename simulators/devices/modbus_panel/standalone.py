"""`python -m simulators modbus-panel`: 16 buttons and lamps that any program can open as a serial port."""

from __future__ import annotations

import random
from typing import Final

from simulators.devices.modbus_panel.simulator import INPUTS, ModbusPanelSimulator
from simulators.devices.standalone import Options, words
from simulators.devices.wire import PtyEnd

BAUD: Final = 19200
#: Start, eight, parity, stop.
BITS: Final = 11
HELP: Final = "type: press K | release K | silent | well | unplug | replug | quit"
_RANDOM: Final = "press random"


def run(options: Options) -> int:
    """Until told to stop. Returns the exit status."""
    dice = random.Random(options.seed)
    end = PtyEnd(link=options.link, baud=BAUD, bits_per_byte=BITS, speed_factor=options.speed_factor)

    def show(lamps: frozenset[int]) -> None:
        options.say("lit: " + (" ".join(map(str, sorted(lamps))) or "none"))

    module = ModbusPanelSimulator(end, on_lamps=show, faults=options.faults, seed=options.seed)
    module.start()
    options.say(end.path)
    try:
        held: int | None = None
        for word in words(options, unasked=_RANDOM):
            if word == _RANDOM:
                # A key that nobody lets go would be no key for long.
                held = _moved(module, held, dice)
                continue
            options.say(_done(module, end, word))
    finally:
        module.close()
    return 0


def _moved(module: ModbusPanelSimulator, held: int | None, dice: random.Random) -> int | None:
    if held is not None:
        module.release(held)
        return None
    key = dice.randrange(INPUTS)
    module.press(key)
    return key


def _done(module: ModbusPanelSimulator, end: PtyEnd, word: str) -> str:
    verb, _, number = word.partition(" ")
    match verb:
        case "press" | "release" if number.isdecimal():
            try:
                (module.press if verb == "press" else module.release)(int(number))
            except ValueError as why:
                return str(why)
            return word
        case "silent" | "well":
            module.be_silent(silent=verb == "silent")
            return verb
        case "unplug":
            module.unplug()
            return "unplugged"
        case "replug":
            module.replug()
            return end.path
        case _:
            return HELP
