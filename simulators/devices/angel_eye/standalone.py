"""`python -m simulators angel-eye`: a shoe with one deck that any program can open as a serial port."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from drivers.angel_eye.messages import BAUD, ErrorCode, NakCode, Winner
from simulators.devices.angel_eye.simulator import AngelEyeSimulator, ShoeHoldsCards
from simulators.devices.standalone import Options, words
from simulators.devices.wire import PtyEnd
from simulators.devices.world import EmptyShoe, World

HELP: Final = (
    "type: Enter or draw | unread | force | again | cut | error | cancel | burn-count | result | preset | busy |"
    " unplug | replug | reboot | shuffle | quit"
)


def run(options: Options) -> int:
    """Until told to stop. Returns the exit status."""
    world = World()
    world.shuffle(options.seed)
    end = PtyEnd(link=options.link, baud=BAUD, speed_factor=options.speed_factor)
    shoe = AngelEyeSimulator(end, world, faults=options.faults, seed=options.seed)
    shoe.start()
    options.say(end.path)
    try:
        deals = _steps(shoe, world, end, options)
        for word in words(options, unasked="draw"):
            step = deals.get(word)
            options.say(HELP if step is None else _tried(step))
    finally:
        shoe.close()
    return 0


def _tried(step: Callable[[], str]) -> str:
    try:
        return step()
    except (EmptyShoe, ShoeHoldsCards) as why:
        return str(why)


def _steps(shoe: AngelEyeSimulator, world: World, end: PtyEnd, options: Options) -> Mapping[str, Callable[[], str]]:
    shuffles = iter(range(options.seed + 1, options.seed + 1_000_000))

    def shuffle() -> str:
        world.shuffle(next(shuffles))
        return "shuffled"

    def done(step: Callable[[], None], text: str) -> Callable[[], str]:
        def do() -> str:
            step()
            return text

        return do

    def draw() -> str:
        return f"drawn {shoe.draw().face}"

    def replug() -> str:
        shoe.replug()
        return end.path

    return {
        "": draw,
        "draw": draw,
        "unread": lambda: f"drawn unread {shoe.draw_unread().face}",
        "force": lambda: f"drawn by force {shoe.draw_by_force().face}",
        "cut": done(shoe.draw_cut_card, "cut card"),
        "error": done(lambda: shoe.stop_with(ErrorCode.REVERSE_AT_EXIT), "stopped in error 4"),
        "cancel": done(shoe.cancel_error, "no error"),
        "again": done(shoe.say_again, "said again"),
        "burn-count": done(lambda: shoe.show_burn_count(5), "burn count 5"),
        "result": done(lambda: shoe.end_game(Winner.TIE, pairs=1), "result: tie"),
        "preset": done(lambda: shoe.change_preset("01", "0001"), "preset 01 is 0001"),
        "busy": done(lambda: shoe.refuse_next(NakCode.BUSY), "busy for one command"),
        "unplug": done(shoe.unplug, "unplugged"),
        "replug": replug,
        "reboot": done(shoe.reboot, "rebooted"),
        "shuffle": shuffle,
    }
