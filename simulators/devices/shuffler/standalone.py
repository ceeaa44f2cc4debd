"""`python -m simulators shuffler`: a shuffler with one deck that any program can open as a serial port."""

from __future__ import annotations

from typing import Final

from drivers.shuffler.messages import BAUD
from simulators.devices.shuffler.simulator import ShufflerSimulator
from simulators.devices.standalone import Options, words
from simulators.devices.wire import PtyEnd
from simulators.devices.world import AWAY, SHOE, World

HELP: Final = (
    "type: Enter or shuffle | take (a card goes away) | bring (one comes) | jam | open | shut | unplug | replug |"
    " reboot | quit"
)


def run(options: Options) -> int:
    """Until told to stop. Returns the exit status."""
    world = World()
    end = PtyEnd(link=options.link, baud=BAUD, speed_factor=options.speed_factor)
    machine = ShufflerSimulator(end, world, faults=options.faults, seed=options.seed)
    machine.start()
    options.say(end.path)
    try:
        for turn, word in enumerate(words(options, unasked="shuffle")):
            options.say(_done(machine, world, end, word, options.seed + turn))
    finally:
        machine.close()
    return 0


def _done(machine: ShufflerSimulator, world: World, end: PtyEnd, word: str, seed: int) -> str:
    match word:
        case "" | "shuffle":
            return f"shuffled {machine.shuffle(seed)} cards"
        case "take" if world.at(SHOE):
            world.put(world.at(SHOE)[0], AWAY)
            return f"{len(world.at(SHOE))} cards are left"
        case "bring":
            world.bring("As", SHOE)
            return f"{len(world.at(SHOE))} cards are there"
        case "replug":
            machine.replug()
            return end.path
    steps = {
        "jam": machine.jam,
        "open": machine.open_door,
        "shut": machine.close_door,
        "unplug": machine.unplug,
        "reboot": machine.reboot,
    }
    if word not in steps:
        return HELP
    steps[word]()
    return f"{word} done"
