"""`python -m simulators line-shoe`: a shoe with one deck that any program can open as a serial port."""

from __future__ import annotations

from typing import Final

from drivers.line_shoe.messages import BAUD
from simulators.devices.line_shoe.simulator import LineShoeSimulator
from simulators.devices.standalone import Options, words
from simulators.devices.wire import PtyEnd
from simulators.devices.world import EmptyShoe, World

HELP: Final = "type: Enter or draw | unread | cut | say TEXT | unplug | replug | reboot | shuffle | quit"


def run(options: Options) -> int:
    """Until told to stop. Returns the exit status."""
    world = World()
    world.shuffle(options.seed)
    end = PtyEnd(link=options.link, baud=BAUD, speed_factor=options.speed_factor)
    shoe = LineShoeSimulator(end, world, faults=options.faults, seed=options.seed)
    shoe.start()
    options.say(end.path)
    try:
        shuffles = options.seed
        for word in words(options, unasked="draw"):
            if word == "shuffle":
                shuffles += 1
                world.shuffle(shuffles)
            options.say(_done(shoe, end, word))
    finally:
        shoe.close()
    return 0


def _done(shoe: LineShoeSimulator, end: PtyEnd, word: str) -> str:
    verb, _, text = word.partition(" ")
    match verb:
        case "" | "draw" | "unread":
            try:
                return f"drawn {(shoe.draw_unread() if verb == 'unread' else shoe.draw()).face}"
            except EmptyShoe as why:
                return str(why)
        case "cut":
            shoe.draw_cut_card()
            return "cut card"
        case "say" if text.isascii() and text.isprintable():
            shoe.say(text)
            return text
        case "unplug" | "replug" | "reboot":
            {"unplug": shoe.unplug, "replug": shoe.replug, "reboot": shoe.reboot}[verb]()
            return end.path if verb == "replug" else f"{verb} done"
        case "shuffle":
            return "shuffled"
        case _:
            return HELP
