"""The watch: a process of its own that checks a running table from end to end, again and again.

It takes nothing from the card's path: another process, the lowest priority, readers' connections only. First the whole
journal with its second copy and the files of the program, then every few seconds what came since, and the whole again
after a while. What it finds it says as a line of JSON on standard output; the controller tilts on a fault. It ends with
the controller: when its standard input is closed.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from tablectl.config import BadConfig, Config, load
from tablectl.journal.store import JournalUnusable
from tablectl.journal.volumes import Shelf
from tablectl.journal.whole import more, whole
from tablectl.logs.begin import Process, begin
from tablectl.software.check import Identity
from tablectl.software.identity import check_again, identity
from tablectl.tilt import Tilt, TiltKind

#: How often what came since is checked, in seconds.
LOOK_S: Final = 5.0
#: How often the whole is checked again, in seconds.
EVERY_S: Final = 600.0
NICENESS: Final = 19
EXIT_FAULT: Final = 3


class Abandoned(Exception):
    """The controller is gone: nobody listens."""


def main() -> int:
    """Until standard input is closed. Exit status 0, or 3 after a fault."""
    parser = argparse.ArgumentParser(prog="tablectl.watch", description=__doc__)
    parser.add_argument("config", type=Path, help="the table's TOML file")
    parser.add_argument("--software", default="", help="identity of the program as the controller found it")
    parser.add_argument("--every", type=float, default=EVERY_S, metavar="S", help="the whole again after S seconds")
    parser.add_argument("--look", type=float, default=LOOK_S, metavar="S", help="what came since every S seconds")
    args = parser.parse_args()
    os.nice(NICENESS)
    try:
        config = _config(args.config)
        begin(Process.WATCH, table=config.setup.table)
        before: Identity | None = None
        while True:
            before = _round(config, args.software, before, args)
    except Abandoned:
        return 0
    except Tilt as fault:
        _say({"fault": fault.kind.value, "reason": str(fault)})
    except JournalUnusable as wrong:
        _say({"fault": wrong.kind.value, "reason": str(wrong)})
    return EXIT_FAULT


def _config(path: Path) -> Config:
    try:
        return load(path)
    except BadConfig as wrong:
        raise Tilt(TiltKind.SOFTWARE, f"{path}: changed while the table ran, and wrong now: {wrong}") from None


def _round(config: Config, software: str, before: Identity | None, args: argparse.Namespace) -> Identity | None:
    """One check of the whole, and then of what comes. The software as it was found, for the next round."""
    began = time.monotonic()
    verification = whole(config.journal, config.copy, pause=lambda: _wait(0.0))
    now = identity(config) if software else None
    if now is not None:
        check_again(config, now, software, before)
    _say({"checked": verification.end.seq, "seconds": round(time.monotonic() - began, 3)})
    with closing(Shelf(config.journal)) as shelf:
        while time.monotonic() - began < args.every:
            _wait(args.look)
            more(shelf, verification)
    return now


def _wait(seconds: float) -> None:
    """Raises `Abandoned` where the controller is gone."""
    readable, _, _ = select.select([sys.stdin], [], [], seconds)
    if readable and not os.read(sys.stdin.fileno(), 1):
        raise Abandoned


def _say(told: dict[str, object]) -> None:
    try:
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise Abandoned from None


if __name__ == "__main__":
    sys.exit(main())
