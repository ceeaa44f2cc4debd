"""`python -m tests.tools.sizes`: what is wrong with each page in each state, at every size and in every language.

It prints a table of counts, and with `--where` each place. It ends with 1 where something is wrong. `--quick` takes
some of the hand files, and no page that needs a server; `--only texas-bonus` those whose name has it, and
`--only /training` the pages whose address has it.
"""

from __future__ import annotations

import argparse
import sys

from tests.engine.recorded_versions import hand_files, name_of
from tests.screens.browsing import running
from tests.screens.shown import SHOWN
from tests.screens.sizes.legibility import SCREENS
from tests.screens.sizes.measuring import Frames
from tests.screens.sizes.states import SAMPLE, states_of
from tests.screens.sizes.walking import Walk, walk_overview, walk_shown, walk_tables
from tests.screens.stages import Stages


def walked(*, is_quick: bool, only: str = "") -> Walk:
    """The whole walk, or the quick one; of the hand files and pages whose name has `only`."""
    played = [path for path in hand_files() if only in name_of(path)]
    pages = [shown for shown in SHOWN if only in f"{shown.path} {shown.state}"]
    walk = Walk()
    with running() as tabs, Stages() as stages:
        frames = Frames(tabs.take(SCREENS[0].width, SCREENS[0].height), SCREENS)
        if only in "overview":
            walk_overview(frames, walk)
        walk_tables(frames, states_of(played[:: SAMPLE if is_quick else 1]), walk)
        for shown in () if is_quick else pages:
            walk_shown(tabs, stages, shown, walk)
    return walk


def main(words: list[str]) -> int:
    """Walk, print, and say whether something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.sizes", description="What is wrong with sizes.")
    parser.add_argument("--quick", action="store_true", help="some of the states")
    parser.add_argument("--only", metavar="TEXT", default="", help="pages and hand files whose name has it")
    parser.add_argument("--where", action="store_true", help="each place, too")
    chosen = parser.parse_args(words)
    walk = walked(is_quick=chosen.quick, only=chosen.only)
    if chosen.where:
        sys.stdout.writelines(f"{problem}\n" for problem in walk.problems)
    sys.stdout.write(f"{walk.table()}\n")
    return 1 if walk.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
