"""`make demo-pit`: six simulated tables with all five games, a real uplink for each, and the pit server's overview.

Everything is the real program, in processes of its own: controllers, uplinks, pit server. Devices, croupiers and
players are simulated, and make mistakes. `--postgres` keeps the records in PostgreSQL, `--mqtt` carries them through
Mosquitto, both of Debian's packages and in a folder of their own. Prints one address; Ctrl-C ends all of it.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

from simulators.fleet.dealt_table import DealtTable
from simulators.fleet.debian import DoesNotStart, NotInstalled
from simulators.fleet.programs import NotStarted
from simulators.fleet.servers import Servers
from simulators.parts import Parts
from tablectl.api.stage import StageBroken

TABLES: Final = 6


def parser() -> argparse.ArgumentParser:
    """What there is to say."""
    made = argparse.ArgumentParser(prog="make demo-pit ARGS=…", description=__doc__)
    made.add_argument("--tables", type=int, default=TABLES, metavar="N", help="how many (default %(default)s)")
    made.add_argument("--speed", type=float, default=1.0, metavar="X", help="1: a croupier's pace")
    made.add_argument("--seconds", type=float, metavar="S", help="end after so long (default: go on)")
    made.add_argument("--seed", type=int, default=1, metavar="S", help="cards, players and mistakes")
    made.add_argument("--postgres", action="store_true", help="keep records in PostgreSQL (Debian's package)")
    made.add_argument("--mqtt", action="store_true", help="carry records through Mosquitto (Debian's package)")
    made.add_argument("--port", type=int, default=0, metavar="P", help="of the overview (default: any free one)")
    return made


def main() -> int:
    """Exit status 0; 1 where a part of it does not start."""
    args = parser().parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="tablectl-pit-", ignore_cleanup_errors=True) as folder,
            Demo(args, Path(folder)) as demo,
        ):
            demo.go_on()
    except (NotInstalled, DoesNotStart, NotStarted, StageBroken, OSError) as wrong:
        sys.stderr.write(f"demo-pit: {wrong}\n")
        return 1
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    return 0


class Demo(Parts):
    """A casino in one folder."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        super().__init__()
        self._args = args
        self._folder = folder
        self._over = threading.Event()
        self._tables: list[DealtTable] = []

    def __exit__(self, *_: object) -> None:
        """Whoever presses Ctrl-C once more leaves no process behind."""
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("demo-pit: ending", flush=True)
        self._over.set()
        for table in self._tables:
            table.leave()
        super().__exit__()
        signal.signal(signal.SIGINT, before)

    def go_on(self) -> None:
        """Until it has lasted long enough, or somebody ends it."""
        self._over.wait(self._args.seconds)

    def _begin(self) -> None:
        args, began_s = self._args, time.monotonic()
        made = Servers(self._folder, postgres=args.postgres, mqtt=args.mqtt, overview=args.port)
        servers = self._stack.enter_context(made)
        print(welcome(servers.overviews[0], args, time.monotonic() - began_s), flush=True)
        for number in range(1, args.tables + 1):
            table = DealtTable(
                servers,
                self._folder,
                number,
                over=self._over,
                speed=args.speed,
                seed=args.seed,
                stuck=lambda why: sys.stderr.write(f"demo-pit: {why}\n"),
            )
            self._tables.append(self._stack.enter_context(table))


def welcome(address: str, args: argparse.Namespace, seconds: float) -> str:
    """What whoever started it reads first."""
    store = "PostgreSQL" if args.postgres else "one SQLite file"
    way = "Mosquitto" if args.mqtt else "HTTPS"
    return (
        f"\n  {address}   all tables of the casino ({seconds:.0f} s)\n\n"
        f"  {args.tables} tables come, one after the other; their records go by {way} into {store}.\n"
        "  Croupiers and players make mistakes. A pit boss rules after a while.\n"
        "  Ctrl-C ends all of it.\n"
    )


if __name__ == "__main__":
    sys.exit(main())
