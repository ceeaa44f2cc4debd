"""`python -m simulators.fleet.kill_test`, a part of `make bench-fleet`: tables deal while all around them is killed.

Every table is a real controller with a real uplink. Uplinks, pit servers, database and broker are killed (`kill -9`),
one after the other and by chance, and started again. Afterwards each record of each journal has to be at the pit
server once, with the same bytes, hash and signature, and nothing else; `tablectl pit verify` looks at it as well. Exit
status 1 where that is not so, or where a table did not go on dealing.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from simulators.fleet.dealt_table import DealtTable
from simulators.fleet.debian import DoesNotStart, NotInstalled
from simulators.fleet.programs import NotStarted
from simulators.fleet.servers import Servers
from simulators.parts import Parts
from tablectl.api.stage import StageBroken
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.settings import load_pit
from tablectl.fleet.pit.store import PitStore, StoreUnusable
from tablectl.journal.volumes import VolumeSet

#: How long everything is left alone between two kills, in seconds.
KILL_EVERY_S: Final = (1.0, 4.0)
#: How long all records may take to arrive after the last kill: an uplink waits half a minute between two attempts.
ARRIVE_S: Final = 180.0
_LOOK_S: Final = 0.2


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it. `lost` and `twice` are counts of records; `wrong` says in sentences what has to be none."""

    tables: int
    seconds: float
    kills: dict[str, int]
    written: int
    there: int
    lost: int
    twice: int
    wrong: list[str]

    def __str__(self) -> str:
        kills = ", ".join(f"{count} of {what}" for what, count in sorted(self.kills.items()))
        return (
            f"{sum(self.kills.values())} kills ({kills}) in {self.seconds:.0f} s while {self.tables} tables dealt: "
            f"{self.written} records written, {self.there} there, {self.lost} lost, {self.twice} twice, "
            + ("chains identical" if not self.wrong else "WRONG")
        )


def parser() -> argparse.ArgumentParser:
    """What there is to say."""
    made = argparse.ArgumentParser(prog="python -m simulators.fleet.kill_test", description=__doc__)
    made.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite", help="(default %(default)s)")
    made.add_argument("--mqtt", action="store_true", help="through Mosquitto, which is killed as well")
    made.add_argument("--tables", type=int, default=20, metavar="N", help="that deal (default %(default)s)")
    made.add_argument("--kills", type=int, default=100, metavar="N", help="in all (default %(default)s)")
    made.add_argument("--speed", type=float, default=2.0, metavar="X", help="of the deal; 1: a croupier's pace")
    made.add_argument("--seed", type=int, default=1, metavar="S", help="of all that is random (default %(default)s)")
    return made


def main(words: Sequence[str] | None = None) -> int:
    """As the module says."""
    args = parser().parse_args(words)
    try:
        found = killed(
            is_postgres=args.store == "postgres",
            is_mqtt=args.mqtt,
            tables=args.tables,
            kills=args.kills,
            speed=args.speed,
            seed=args.seed,
        )
    except (NotInstalled, DoesNotStart, NotStarted, StageBroken, StoreUnusable) as wrong:
        sys.stderr.write(f"kill-test: {wrong}\n")
        return 2
    for line in found.wrong:
        print(f"WRONG: {line}")
    print(found)
    return 1 if found.wrong else 0


def killed(*, is_postgres: bool, is_mqtt: bool, tables: int, kills: int, speed: float, seed: int) -> Found:
    """Everything, in a folder of its own. Raises what starting it raises, and `StoreUnusable`."""
    count = 2 if is_postgres and not is_mqtt else 1
    with (
        tempfile.TemporaryDirectory(prefix="tablectl-", ignore_cleanup_errors=True) as folder,
        Servers(Path(folder), postgres=is_postgres, mqtt=is_mqtt, count=count) as servers,
        KillTest(servers, Path(folder), tables=tables, speed=speed, seed=seed) as test,
    ):
        return test.run(kills)


class KillTest(Parts):
    """Tables that deal."""

    def __init__(self, servers: Servers, folder: Path, *, tables: int, speed: float, seed: int) -> None:
        super().__init__()
        self._servers = servers
        self._dice = random.Random(seed)
        self._over = threading.Event()
        self._wrong: list[str] = []
        self._tables = [
            DealtTable(servers, folder, number, over=self._over, speed=speed, seed=seed, stuck=self._wrong.append)
            for number in range(1, tables + 1)
        ]

    def _begin(self) -> None:
        for table in self._tables:
            self._stack.enter_context(table)

    def run(self, kills: int) -> Found:
        """So many; then everything may arrive."""
        began_s, done = time.monotonic(), Counter[str]()
        for _ in range(kills):
            time.sleep(self._dice.uniform(*KILL_EVERY_S))
            killable = {"uplinks": self._kill_uplink, **self._servers.killable(self._dice)}
            what = self._dice.choice(tuple(killable))
            killable[what]()
            done[what] += 1
        self._over.set()
        for table in self._tables:
            table.until_dealt()
        self._until_arrived()
        return self._compared(dict(done), time.monotonic() - began_s)

    def _kill_uplink(self) -> None:
        uplink = self._dice.choice(self._tables).uplink
        uplink.kill()
        time.sleep(self._dice.uniform(0.0, 1.0))
        uplink.start()

    def _until_arrived(self) -> None:
        """Until each uplink says that nothing is missing, or they had time enough."""
        end_s = time.monotonic() + ARRIVE_S
        while time.monotonic() < end_s and any(_is_behind(table) for table in self._tables):
            time.sleep(_LOOK_S)

    def _compared(self, kills: dict[str, int], seconds: float) -> Found:
        wrong, found = list(self._wrong), Compared()
        with opened(load_pit(self._servers.config)) as store:
            for table in self._tables:
                one = compared(_written(table), _kept(store, table.name))
                found += one
                if not one.is_same:
                    wrong.append(f"{table.name}: the pit server has other records than the journal")
        verified = self._servers.verified()
        if verified.returncode:
            wrong.append(f"pit verify: {verified.stdout.strip()} {verified.stderr.strip()}")
        return Found(
            tables=len(self._tables),
            seconds=seconds,
            kills=kills,
            written=found.written,
            there=found.there,
            lost=found.lost,
            twice=found.twice,
            wrong=wrong,
        )


#: What has to be the same at both ends: number, bytes, hash, signature.
Record: TypeAlias = tuple[int, bytes, bytes, bytes]


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """Counts of records, and whether both ends have the same ones in the same order."""

    written: int = 0
    there: int = 0
    lost: int = 0
    twice: int = 0
    is_same: bool = True

    def __add__(self, other: Compared) -> Compared:
        return Compared(
            written=self.written + other.written,
            there=self.there + other.there,
            lost=self.lost + other.lost,
            twice=self.twice + other.twice,
            is_same=self.is_same and other.is_same,
        )


def compared(written: Sequence[Record], kept: Sequence[Record]) -> Compared:
    """A journal, and what the pit server has of it."""
    counts = Counter(seq for seq, *_ in kept)
    return Compared(
        written=len(written),
        there=len(kept),
        lost=len({seq for seq, *_ in written} - counts.keys()),
        twice=sum(count - 1 for count in counts.values()),
        is_same=list(written) == list(kept),
    )


def _written(table: DealtTable) -> list[Record]:
    with closing(VolumeSet(table.stage.journal)) as volumes:
        return [(one.seq, one.public, one.hash, one.signature or b"") for one in volumes.records()]


def _kept(store: PitStore, name: str) -> list[Record]:
    (known,) = [table for table in store.tables() if table.name == name]
    return [(one.seq, one.public, one.hash, one.signature) for one in store.records(known)]


def _is_behind(table: DealtTable) -> bool:
    return table.said.acked < table.stage.newest


if __name__ == "__main__":
    sys.exit(main())
