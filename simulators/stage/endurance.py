"""What the runs that go on for long have in common: options, progress, and what has to be true at the end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from simulators.stage.accounts import NotAsItWas
from simulators.stage.fault_plan import Level
from simulators.stage.games import FIRST
from simulators.stage.hands import Stuck
from simulators.stage.stage import Stage, temporary_folder
from simulators.stage.summary import Checked, check
from tablectl.api.client import NoController
from tablectl.api.stage import StageBroken
from tablectl.games.registry import RULEBOOKS

T = TypeVar("T")


def options(name: str, what: str | None, counted: str, *, default: int) -> argparse.ArgumentParser:
    """The command line of the module with this name; `counted`: the option that says after how many it ends."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=what)
    parser.add_argument(
        f"--{counted}", dest="count", type=int, default=default, metavar="N", help="how many (default %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of all that is random (default %(default)s)")
    parser.add_argument("--rulebook", default=FIRST, choices=tuple(RULEBOOKS), help="which game (default %(default)s)")
    levels = [level.value for level in Level]
    parser.add_argument("--faults", default=Level.NONE.value, choices=levels, help="what else goes wrong")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep journal, copy, keys and log in this new folder")
    return parser


def run(
    parser: argparse.ArgumentParser,
    play: Callable[[argparse.Namespace, Path], Iterator[T]],
    progress: Callable[[T], str],
) -> int:
    """Until `play` has nothing more to tell; the last tally is printed. Exit status 0; 1 where anything was not as it
    was, and then how far it had come; 2 for wrong usage."""
    args = parser.parse_args()
    if args.count < 1:
        parser.error(f"{args.count}: a whole number from 1")
    if args.keep is not None and args.keep.exists() and (not args.keep.is_dir() or any(args.keep.iterdir())):
        parser.error(f"--keep {args.keep}: there is something already; name a new folder")
    come, is_terminal = "the start", sys.stderr.isatty()
    with temporary_folder() as folder:
        keep = Path(folder) if args.keep is None else args.keep.absolute()
        keep.mkdir(parents=True, exist_ok=True)
        try:
            for tally in play(args, keep):
                come = progress(tally)
                if is_terminal:
                    sys.stderr.write(f"\r{come} (of {args.count}) ")
        except (NotAsItWas, Stuck, StageBroken, NoController) as wrong:
            sys.stderr.write(f"\nafter {come}: {wrong}\n")
            return 1
    sys.stderr.write("\n" * is_terminal)
    print(tally)
    return 0


def check_at_end(stage: Stage) -> Checked:
    """End the controller in order, then verify and replay the whole journal. Raises `NotAsItWas`."""
    status = stage.stop_controller()
    if status != 0:
        raise NotAsItWas(f"exit status {status} at the end; the controller said:\n{stage.last_words()}")
    checked = check(stage.journal)
    if not checked.good:
        raise NotAsItWas(checked.text)
    return checked
