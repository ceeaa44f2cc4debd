"""`tablectl demo`: a simulated table, the real controller and its screens, in one command."""

from __future__ import annotations

import argparse
import sys
import threading
import time
from pathlib import Path

from tablectl.client import NoController
from tablectl.demo.croupier import Croupier, Stuck
from tablectl.demo.mistakes import Level, wire_faults
from tablectl.demo.screens import Screens
from tablectl.demo.stage import Scene, Stage, StageBroken, temporary_folder
from tablectl.demo.summary import check, summary
from tablectl.engine.words import Tracking
from tablectl.rulebooks.registry import RULEBOOKS

#: How long the demo's pit boss leaves an alert to a visitor, in seconds at speed 1.
PIT_BOSS_S = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """See the interface document."""
    parser.add_argument("--rulebook", default="texas-bonus", choices=tuple(RULEBOOKS), help="which game")
    parser.add_argument("--hands", type=int, metavar="N", help="end after so many hands (default: go on)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="cards, players and mistakes (default 1)")
    parser.add_argument("--faults", default=Level.SOME.value, choices=tuple(Level), help="what goes wrong")
    parser.add_argument("--speed", type=float, metavar="X", help="1: a croupier's pace; 0: as fast as the machine goes")
    parser.add_argument("--headless", action="store_true", help="no screens; a summary at the end")
    parser.add_argument("--port", type=int, default=8420, metavar="P", help="of the screens; 0 for any free one")
    parser.add_argument(
        "--tracking", default=Tracking.AMOUNTS.value, choices=tuple(Tracking), help="how much of the bets is entered"
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep journal, key and log in this folder")


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 1 where the journal is not intact or the table got stuck; 2 for wrong usage."""
    if args.hands is not None and args.hands < 1:
        sys.stderr.write(f"demo: --hands {args.hands}: a whole number from 1\n")
        return 2
    if args.headless and args.hands is None:
        sys.stderr.write("demo: --headless goes with --hands N: somebody has to say when it is enough\n")
        return 2
    if args.keep is not None:
        args.keep.mkdir(parents=True, exist_ok=True)
        return _play(args, args.keep)
    with temporary_folder() as folder:
        return _play(args, Path(folder))


def _play(args: argparse.Namespace, folder: Path) -> int:
    speed = args.speed if args.speed is not None else (0.0 if args.headless else 1.0)
    level = Level(args.faults)
    scene = Scene(
        rulebook=args.rulebook,
        tracking=args.tracking,
        seed=args.seed,
        pace=max(speed, 1.0) if speed else None,
        shoe_faults=wire_faults(level),
    )
    over = threading.Event()
    began = time.monotonic()
    try:
        with Stage(scene, folder) as stage, Screens(stage.socket, port=None if args.headless else args.port) as screens:
            if screens.address:
                _welcome(screens.address)
            croupier = Croupier(
                stage,
                seed=args.seed,
                level=level,
                pause=lambda seconds: over.wait(seconds / speed) if speed else None,
                pit_boss_waits_s=0.0 if args.headless else PIT_BOSS_S / (speed or 1.0),
            )
            try:
                croupier.play(args.hands)
            except KeyboardInterrupt:
                sys.stdout.write("\n")
    except (Stuck, StageBroken, NoController) as wrong:
        sys.stderr.write(f"demo: {wrong}\n")
        return 1
    checked = check(stage.journal)
    title = f"{args.rulebook}, seed {args.seed}, faults {args.faults}, tracking {args.tracking}"
    print("\n".join(summary(croupier.felt, title=title, seconds=time.monotonic() - began, checked=checked)))
    return 0 if checked.good else 1


def _welcome(address: str) -> None:
    print(
        f"""
  A table of Texas Hold'em Bonus is open: simulated shoe, panel and light, the real controller.

    croupier   {address}/croupier
    pit boss   {address}/pit

  Mistakes will happen. When one needs the pit boss, the table is held and waits for you on his page;
  after a minute the demo's own pit boss rules. Ctrl-C ends it, with a summary.
""",
        flush=True,
    )
