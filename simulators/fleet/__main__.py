"""`python -m simulators fleet PIT.TOML`: any number of simulated tables for a pit server on this machine.

The tables are enrolled at the server's store and get certificates of its authority. Their records are those of hands
that a real controller dealt, in chains of their own. Prints one JSON object (`Figures`) at the end. Exit status 0; 1
where a record was lost, came twice or was answered otherwise than the protocol says.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TextIO

import msgspec

from simulators import processes
from simulators.fleet.broker_client import BrokerClient
from simulators.fleet.casino import Casino
from simulators.fleet.client import Client, Connection
from simulators.fleet.faults import BadPlan, FaultPlan, parse
from simulators.fleet.figures import Figures, Tally
from simulators.fleet.hands import Lap, NoHands, lap_of
from simulators.fleet.presence import NowLane, Said
from simulators.fleet.sender import Sender
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.settings import PitSection, load_pit
from tablectl.fleet.pit.store import PitStore, StoreUnusable

#: So many hands of each of the five games, dealt once.
HANDS: Final = 40
#: Said on standard error once all tables are enrolled; how their names begin follows.
BEGINS: Final = "fleet: the tables begin: "


def parser() -> argparse.ArgumentParser:
    """What there is to say."""
    made = argparse.ArgumentParser(prog="python -m simulators fleet", description=__doc__)
    made.add_argument(
        "pit",
        metavar="PIT.TOML",
        type=Path,
        nargs="+",
        help="the pit server's configuration, on this machine; several of one database share the tables",
    )
    made.add_argument("--tables", type=int, default=1000, metavar="N", help="how many (default %(default)s)")
    made.add_argument("--rate", type=float, default=700.0, metavar="R", help="records a second of all of them together")
    made.add_argument("--seconds", type=float, default=60.0, metavar="S", help="how long (default %(default)s)")
    made.add_argument(
        "--warm-up", type=float, default=0.0, metavar="S", help="of the seconds so many are not in the times"
    )
    made.add_argument(
        "--backlog",
        type=int,
        default=0,
        metavar="N",
        help="send so many records of each table that wait already, and end",
    )
    made.add_argument(
        "--faults", default="none", metavar="LIST", help="what goes wrong: none, harmless, all, kill,cut…"
    )
    made.add_argument("--fault-every", type=float, default=60.0, metavar="S", help="at each table, on average")
    made.add_argument("--journal", type=Path, metavar="FILE", help="take the hands of this journal; none: deal some")
    made.add_argument(
        "--written",
        type=Path,
        metavar="FILE",
        help="the tables say what they do; write there when each record was written",
    )
    made.add_argument("--mqtt", metavar="URL", help="through this broker, as in mqtts://127.0.0.1:8883")
    made.add_argument("--seed", type=int, default=1, metavar="S", help="of all that is random (default %(default)s)")
    made.add_argument(
        "--folder", type=Path, metavar="DIR", help="keys and certificates (default: fleet beside the file)"
    )
    return made


def main(words: Sequence[str] | None = None) -> int:
    """As the module says."""
    args = parser().parse_args(words)
    try:
        plan = parse(args.faults, args.fault_every)
        lap = lap_from(args.journal)
        figures = asyncio.run(run(args, plan, lap))
    except (BadPlan, NoHands, StoreUnusable, OSError) as wrong:
        sys.stderr.write(f"fleet: {wrong}\n")
        return 2
    print(msgspec.json.encode(figures).decode())
    return 1 if figures.wrong else 0


def lap_from(journal: Path | None) -> Lap:
    """What this journal has; none: what a table deals now. Raises `NoHands`, `JournalUnusable`."""
    with TemporaryDirectory() as folder:
        return lap_of(journal or dealt(Path(folder) / "table"))


def dealt(folder: Path) -> Path:
    """The journal of a table in this folder, with hands of all five games that a real controller dealt."""
    words = ("--headless", "--switch", "--hands", str(HANDS), "--keep", str(folder), "--faults", "some")
    processes.run([sys.executable, "-P", "-m", "tablectl", "demo", *words], check=True, stdout=subprocess.DEVNULL)
    return folder / "table.db"


async def run(args: argparse.Namespace, plan: FaultPlan, lap: Lap) -> Figures:
    """All tables, until the time is over and all is acknowledged."""
    pits, tally = [load_pit(pit) for pit in args.pit], Tally()
    settings = pits[0]
    casino = Casino(settings, args.folder or args.pit[0].parent / "fleet", lap)
    dice = random.Random(args.seed)
    senders = [
        Sender(
            table,
            connection(pits[number % len(pits)], casino, table.name, args.mqtt),
            rate=args.rate / args.tables,
            plan=plan,
            tally=tally,
            seed=dice.randrange(2**32),
            number=number,
        )
        for number, table in enumerate(casino.tables(args.tables, seed=args.seed))
    ]
    for sender in senders:
        sender.prepare(args.backlog)
    with opened(settings) as store:  # now: a schema that is changed meanwhile is that of a program that starts later
        sys.stderr.write(f"{BEGINS}{casino.prefix}\n")
        sys.stderr.flush()
        began_s = time.monotonic()
        await deal(args, senders, tally, lap)
        seconds = time.monotonic() - began_s
        tally.wrong += differences(store, senders)
    return tally.figures(args.tables, seconds)


def connection(pit: PitSection, casino: Casino, table: str, broker: str | None) -> Callable[[], Connection]:
    """Makes one more connection of a table: by HTTPS, or through this broker."""
    context = casino.context_of(table)
    if broker is None:
        return partial(Client, pit.names[0], pit.port, context)
    lanes = count(1)
    return lambda: BrokerClient(broker, context, table, f"lane-{next(lanes)}")


async def deal(args: argparse.Namespace, senders: Sequence[Sender], tally: Tally, lap: Lap) -> None:
    """What is asked for, until all is acknowledged."""
    if args.backlog:
        await backlog(senders)
    elif args.written is None:
        await live(senders, tally, args.seconds, args.warm_up)
    else:
        with args.written.open("w", encoding="utf-8") as file:
            lanes = now_lanes(senders, Said(lap), file)
            await live(senders, tally, args.seconds, args.warm_up)
            for lane in lanes:
                lane.cancel()


def now_lanes(senders: Sequence[Sender], said: Said, file: TextIO) -> list[asyncio.Task[None]]:
    """The second lane of each table; the file has a line for each record: table, number, when it was written."""

    def note(table: str, seq: int, at_s: float) -> None:
        file.write(f"{table} {seq} {at_s}\n")

    lanes = []
    for sender in senders:
        lane = NowLane(sender.table, sender.connect(), said, written=note)
        sender.on_written = lane.wrote
        lanes.append(asyncio.create_task(lane.run()))
    return lanes


async def backlog(senders: Sequence[Sender]) -> None:
    """What waits, as after a day without a network; nothing is written meanwhile."""
    await asyncio.gather(*(sender.run_backlog() for sender in senders))


async def live(senders: Sequence[Sender], tally: Tally, seconds: float, warm_up_s: float) -> None:
    """As cards are dealt, for so long, and until all is acknowledged. What was acknowledged in the first `warm_up_s`,
    while tables connect, is not in the times."""
    tasks = [asyncio.create_task(sender.run()) for sender in senders]
    await asyncio.sleep(warm_up_s)
    tally.begin_times()
    await asyncio.sleep(seconds - warm_up_s)
    for sender in senders:
        sender.stop()
    await asyncio.gather(*tasks)


def differences(store: PitStore, senders: list[Sender]) -> list[str]:
    """Tables whose newest record at the server is another one than they wrote. A hash has all before it in it."""
    heads = {table.name: store.head(table).position for table in store.tables()}
    return [
        f"{sender.table.name}: the server has {heads[sender.table.name].seq}, the table {sender.table.place.newest.seq}"
        for sender in senders
        if heads[sender.table.name] != sender.table.place.newest
    ]


if __name__ == "__main__":
    sys.exit(main())
