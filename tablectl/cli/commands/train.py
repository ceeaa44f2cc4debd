"""`tablectl train`: a table to practise at: simulated devices, the real controller, and a page with hands.

Nobody signs on there, and nothing that happens there is evidence: it answers on loopback only, its keys are a
demonstration's, and its table has a name that says so.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tablectl.api.stage import FreeTable, NoStage, StageBroken, training
from tablectl.cli.status import WrongUsage
from tablectl.core.engine.vocabulary import Equipment
from tablectl.core.os_error_text import happened
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.languages import SOURCE
from tablectl.journal.handfile.tokens import BadHandFile
from tablectl.ops.connections import listen
from tablectl.ops.logs.begin import Process, begin
from tablectl.web.screens.server import address
from tablectl.web.training.exercise import BadExercise, exercises_of, find_exercise
from tablectl.web.training.server import serve

HOST: Final = "127.0.0.1"
PORT: Final = 8430
PORT_MOST: Final = 65535
SEED: Final = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the free table is, and with what it begins."""
    parser.add_argument(
        "--rulebook", default=next(iter(RULEBOOKS)), choices=tuple(RULEBOOKS), help="game of the free table"
    )
    parser.add_argument(
        "--equipment",
        default=Equipment.SHOE.value,
        choices=[equipment.value for equipment in Equipment],
        help="what reads the cards at the free table; exercises have a shoe",
    )
    parser.add_argument(
        "--port", type=int, default=PORT, metavar="P", help="of the pages; 0: any (default %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=SEED, metavar="S", help="of the shuffles (default %(default)s)")
    parser.add_argument(
        "--exercise", default="", metavar="NAME", help="begin with this one of the game; `list` names them all"
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep what trainees reached in this folder")


def main(args: argparse.Namespace) -> int:
    """Serve until a signal ends it. Exit status 0; 1 where the table broke; 2 for wrong usage."""
    if args.exercise == "list":
        return _list()
    if args.exercise and "/" not in args.exercise:
        args.exercise = f"{args.rulebook}/{args.exercise}"
    wrong = _wrong(args)
    if wrong is not None:
        raise WrongUsage(f"train: {wrong}")
    if args.keep is not None:
        args.keep.mkdir(parents=True, exist_ok=True)
        return _serve(args, args.keep.absolute())
    with TemporaryDirectory(prefix="tablectl-") as folder:
        return _serve(args, Path(folder))


def _list() -> int:
    for game in RULEBOOKS:
        try:
            exercises = exercises_of(game)
        except (BadExercise, BadHandFile) as wrong:
            raise WrongUsage(f"train: an exercise of {game} cannot be used: {wrong}") from None
        for name, exercise in exercises.items():
            print(f"{name:38} {exercise.title[SOURCE]}")
    return 0


def _wrong(args: argparse.Namespace) -> str | None:
    if args.exercise and find_exercise(args.exercise) is None:
        return f"--exercise {args.exercise}: there is none; `tablectl train --exercise list` names them all"
    if not 0 <= args.port <= PORT_MOST:
        return f"--port {args.port}: a whole number from 0 to {PORT_MOST}"
    if args.keep is not None and args.keep.exists() and not args.keep.is_dir():
        return f"--keep {args.keep}: it is a file; name a folder"
    return None


def _serve(args: argparse.Namespace, keep: Path) -> int:
    base = FreeTable(rulebook=args.rulebook, seed=args.seed, equipment=Equipment(args.equipment))
    try:
        make_table = training()
    except NoStage as wrong:
        raise WrongUsage(f"train: {wrong}") from None
    try:
        bound = listen(HOST, args.port)
    except OSError as error:
        raise WrongUsage(
            f"train: cannot listen on port {args.port}: {happened(error)}; --port 0 takes a free one"
        ) from None
    print(f"train: {address(HOST, bound)}", flush=True)
    log = begin(Process.TRAINING, table=None)
    try:
        asyncio.run(serve(base, keep, bound, make_table=make_table, exercise=args.exercise))
    except StageBroken as broken:
        log.close()
        sys.stderr.write(f"train: {broken}\n")
        return 1
    log.close()
    return 0
