"""`make bench-fleet`: what a pit server on this machine takes, beside the bars of docs/fleet.md.

A day's backlog of many tables, a thousand tables that deal, first alone and then while a thousand pages are read, and
everything that can go wrong while server and database are killed; then real tables (`simulators.fleet.kill_test`).
`--store postgres` starts Debian's PostgreSQL in a folder of its own and two servers for it. Exit status 1 where a
record was lost or came twice, or an attack was not named; a rate below its bar is only printed.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from enum import StrEnum
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

from simulators import processes
from simulators.fleet.__main__ import BEGINS, dealt
from simulators.fleet.debian import DoesNotStart, NotInstalled
from simulators.fleet.kill_test import killed
from simulators.fleet.next_release import NextSqliteStore, next_release
from simulators.fleet.programs import NotStarted
from simulators.fleet.servers import Servers
from simulators.stage.bench.usage import cpu_s, resident_kb
from tablectl.api.stage import StageBroken
from tablectl.fleet.pit.schema import migrate
from tablectl.fleet.pit.store import StoreUnusable

DASHBOARDS: Final = (sys.executable, "-P", "-m", "simulators.fleet.dashboards")
FLEET: Final = (sys.executable, "-P", "-m", "simulators", "fleet")
#: How long a server and a database are left alone between two kills, in seconds.
KILL_EVERY_S: Final = (2.0, 6.0)
#: How many times as fast as a croupier real tables deal.
REAL_SPEED: Final = 2.0
#: How long a server takes to be there again.
RESTART_S: Final = 4.0
#: How long no table reaches a server, and how long is waited until all are seen again.
AWAY_S: Final = 20.0
SEEN_S: Final = 60.0
#: How long is dealt before and after a migration.
_AROUND_S: Final = 10.0


class Part(StrEnum):
    """What is measured, one after the other."""

    BACKLOG = "backlog"
    DEALING = "dealing"
    PAGES = "pages"
    RETURN = "return"
    KILLS = "kills"
    MIGRATION = "migration"
    REAL_TABLES = "real-tables"


def parser() -> argparse.ArgumentParser:
    """What there is to say."""
    made = argparse.ArgumentParser(prog="make bench-fleet ARGS=…", description=__doc__)
    made.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite", help="(default %(default)s)")
    made.add_argument("--tables", type=int, default=1000, metavar="N", help="how many deal (default %(default)s)")
    made.add_argument("--rate", type=float, default=700.0, metavar="R", help="records a second (default %(default)s)")
    made.add_argument("--seconds", type=float, default=60.0, metavar="S", help="of dealing (default %(default)s)")
    made.add_argument("--backlog", type=int, default=1_000_000, metavar="N", help="records (default %(default)s)")
    made.add_argument("--pages", type=int, default=1000, metavar="N", help="of the overview (default %(default)s)")
    made.add_argument(
        "--kills", type=int, default=20, metavar="N", help="of servers and database (default %(default)s)"
    )
    made.add_argument(
        "--real-tables", type=int, default=20, metavar="N", help="that deal in the end; 0: none (default %(default)s)"
    )
    made.add_argument(
        "--real-kills", type=int, default=100, metavar="N", help="of all around them (default %(default)s)"
    )
    made.add_argument(
        "--part",
        action="append",
        choices=[part.value for part in Part],
        help="this part alone; may be given several times (default: all)",
    )
    made.add_argument("--mqtt", action="store_true", help="all of it through Debian's Mosquitto, to one server")
    made.add_argument("--journal", type=Path, metavar="FILE", help="take the hands of this journal; none: deal some")
    return made


def main() -> int:
    """As the module says."""
    args = parser().parse_args()
    try:
        is_postgres = args.store == "postgres"
        with (
            tempfile.TemporaryDirectory(prefix="tablectl-bench-") as folder,
            Servers(
                Path(folder), postgres=is_postgres, mqtt=args.mqtt, count=2 if is_postgres and not args.mqtt else 1
            ) as servers,
        ):
            if args.journal is None:
                args.journal = dealt(Path(folder) / "table")
            status = Bench(args, servers, Path(folder)).run()
        if Part.REAL_TABLES in _parts(args):
            status = max(status, _real_tables(args, is_postgres=is_postgres))
        return status
    except (NotInstalled, DoesNotStart, NotStarted, StageBroken, StoreUnusable) as wrong:
        sys.stderr.write(f"bench-fleet: {wrong}\n")
        return 2


def _parts(args: argparse.Namespace) -> frozenset[Part]:
    return frozenset(map(Part, args.part or Part))


def _real_tables(args: argparse.Namespace, *, is_postgres: bool) -> int:
    """Real tables deal while all around them is killed; the exit status."""
    if not args.real_tables:
        return 0
    found = killed(
        is_postgres=is_postgres,
        is_mqtt=args.mqtt,
        tables=args.real_tables,
        kills=args.real_kills,
        speed=REAL_SPEED,
        seed=1,
    )
    print(found)
    for line in found.wrong:
        print(f"WRONG: {line}")
    return 1 if found.wrong else 0


class Bench:
    """Pit servers of one store, and simulated tables for them."""

    def __init__(self, args: argparse.Namespace, servers: Servers, folder: Path) -> None:
        self._args = args
        self._servers = servers
        self._folder = folder
        self._dice = random.Random(1)
        self._wrong: list[str] = []

    def run(self) -> int:
        """Everything, one after the other; the exit status."""
        tables, parts = str(self._args.tables), _parts(self._args)
        store = "SQLite" if self._servers.postgres is None else "PostgreSQL"
        way = "HTTPS" if self._servers.broker is None else "MQTT"
        print(f"{store}, {way}, servers: {len(self._servers.programs)}; {tables} tables")
        if Part.BACKLOG in parts:
            self._backlog()
        if Part.DEALING in parts:
            self._dealing(tables)
        if Part.PAGES in parts:
            self._watched(tables)
        if Part.RETURN in parts:
            self._returned(tables)
        if Part.KILLS in parts:
            self._killed(tables)
        if Part.MIGRATION in parts:
            self._migrated(tables)
        for line in self._wrong:
            print(f"WRONG: {line}")
        return 1 if self._wrong else 0

    def _backlog(self) -> None:
        """What tables wrote while the server was away."""
        found = self._ended(self._begin("--tables", "200", "--backlog", str(self._args.backlog // 200))[0])
        self._say("backlog, records/s, verified and durable", found["rate"], "F2: 50,000")
        self._say("bytes a record on the wire", found["bytes_each"], "F2: 100")

    def _dealing(self, tables: str) -> None:
        """Tables connect, and deal."""
        args = self._args
        process, _ = self._begin("--tables", tables, "--rate", str(args.rate), *self._spans(args.seconds))
        time.sleep(self._warm_up_s)
        share = self._share(args.seconds)
        live = self._ended(process)
        self._say("dealing, records/s", live["rate"], f"{args.rate:g}")
        self._say("written to acknowledged, p50 ms", live["p50_ms"], "")
        self._say("written to acknowledged, p99 ms", live["p99_ms"], "F3: 75")
        self._say("servers' share of a core", share, "F3: 0.25")
        self._say("servers' memory, MB", round(self._memory_mb()), "F1: 256 each, and 0.35 a connection")

    def _watched(self, tables: str) -> None:
        """As many tables again, which say what they do, while pages of ten tables each are read."""
        args, written = self._args, self._folder / "written"
        opening_s = args.pages / 50
        spans = self._spans(args.seconds, opening_s)
        process, prefix = self._begin("--tables", tables, "--rate", str(args.rate), "--written", str(written), *spans)
        time.sleep(self._warm_up_s)
        ports = [str(urlsplit(address).port) for address in self._servers.overviews]
        words = [*ports, "--prefix", prefix, "--pages", str(args.pages), "--tables", tables]
        spans = ("--seconds", str(args.seconds), "--warm-up", str(opening_s))
        pages = processes.start([*DASHBOARDS, *words, *spans], stdout=subprocess.PIPE, text=True)
        time.sleep(opening_s)
        share = self._share(args.seconds)
        shown, _ = pages.communicate()
        found = self._ended(process)
        late_ms, (read_bytes, n_pages) = _late_ms(written.read_text(encoding="utf-8"), shown.splitlines())
        self._say(f"with {n_pages} pages: to acknowledged, p50 ms", found["p50_ms"], "")
        self._say("written to acknowledged, p99 ms", found["p99_ms"], "F3: 75")
        self._say("written to a page, p50 ms", late_ms[len(late_ms) // 2], "")
        self._say("written to a page, p99 ms", late_ms[len(late_ms) * 99 // 100], "F3: 200")
        self._say("records that came to a page", len(late_ms), "")
        self._say("kB a page and second", round(read_bytes / 1000 / max(1, n_pages) / args.seconds, 1), "")
        self._say("servers' share of a core", share, "")
        self._say("servers' memory, MB", round(self._memory_mb()), "F1: 256 each, and 0.35 a connection")

    def _returned(self, tables: str) -> None:
        """No table reaches a server for a while; then all of them do."""
        args = self._args
        spans = self._spans(AWAY_S + SEEN_S)
        written = str(self._folder / "written")
        process, _ = self._begin("--tables", tables, "--rate", str(args.rate), "--written", written, *spans)
        time.sleep(self._warm_up_s)
        for program in self._servers.programs:
            program.kill()
        time.sleep(AWAY_S)
        for program in self._servers.programs:
            program.start()
        began_s = time.monotonic()
        known: list[int] = []
        while min(known, default=0) < args.tables and time.monotonic() - began_s < SEEN_S:
            known = [_known(address) for address in self._servers.overviews]
            time.sleep(0.1)
        self._say("tables that the overview knows again", min(known), "all")
        self._say("after the network is back, s", round(time.monotonic() - began_s, 1), "F2: 5")
        self._ended(process)

    def _killed(self, tables: str) -> None:
        """All kinds of faults, while servers and database are killed."""
        args = self._args
        warm_up = self._warm_up_s
        seconds = warm_up + args.kills * (sum(KILL_EVERY_S) / 2 + RESTART_S)
        words = ("--tables", tables, "--rate", str(args.rate), "--seconds", str(seconds))
        process, _ = self._begin(*words, "--faults", "all", "--fault-every", "30")
        time.sleep(warm_up)
        for _ in range(args.kills):
            time.sleep(self._dice.uniform(*KILL_EVERY_S))
            self._dice.choice(tuple(self._servers.killable(self._dice).values()))()
        found = self._ended(process)
        self._say(f"with {args.kills} kills and all faults: written", found["written"], "")
        self._say("acknowledged and there once", found["acknowledged"], "F1: all")
        self._say("sent for each that was acknowledged", found["sent_ratio"], "F1: 1.2")
        self._say("faults", sum(found["faults"].values()), "F4: each named")
        verified = self._servers.verified()
        self._say("tables whose chain is whole", verified.stdout.count(": intact"), "all")
        if verified.returncode:
            self._wrong += [line for line in verified.stdout.splitlines() if not line.endswith(": intact")]

    def _migrated(self, tables: str) -> None:
        """The next release's schema comes while tables deal. This one's servers go on, and cannot start again."""
        spans = self._spans(2 * _AROUND_S)
        process, _ = self._begin("--tables", tables, "--rate", str(self._args.rate), *spans)
        time.sleep(self._warm_up_s + _AROUND_S)
        if self._servers.postgres is None:
            NextSqliteStore.open(self._servers.config.with_name("pit.db")).close()
        else:
            migrate(self._servers.postgres.conninfo("pit"), next_release(self._folder / "migrations"))
        found = self._ended(process)
        self._say("next schema: longest time without an answer, ms", found["longest_gap_ms"], "F5: 2,000")

    def _spans(self, for_s: float, opening_s: float = 0.0) -> tuple[str, ...]:
        """How long tables deal, and how much of it is not in the times: they connect, and pages are opened."""
        warm_up_s = self._warm_up_s + opening_s
        return ("--seconds", str(for_s + warm_up_s), "--warm-up", str(warm_up_s))

    @property
    def _warm_up_s(self) -> float:
        """How long the tables take to connect, in seconds."""
        return min(40.0, float(self._args.tables) / 25)

    # --- parts ------------------------------------------------------------------------------------------------------

    def _begin(self, *words: str) -> tuple[subprocess.Popen[str], str]:
        """Simulated tables that are enrolled, and how their names begin. Raises `NotStarted`."""
        command = [*FLEET, *map(str, self._servers.configs), "--journal", str(self._args.journal), *words]
        if self._servers.broker_url is not None:
            command += ["--mqtt", self._servers.broker_url]
        process = processes.start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        said = process.stderr.readline()
        if not said.startswith(BEGINS):
            raise NotStarted(f"the simulated tables do not begin: {said}{process.communicate()[1]}")
        self._servers.admit()
        return process, said.removeprefix(BEGINS).strip()

    def _ended(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        said, why = process.communicate()
        if not said:
            raise NotStarted(f"the simulated tables ended: {why}")
        found: dict[str, Any] = json.loads(said)
        self._wrong += found["wrong"]
        return found

    def _share(self, for_s: float) -> float:
        """What the servers use of a core from now on, for so long."""
        before_s, began_s = self._cpu_s(), time.monotonic()
        time.sleep(for_s)
        return round((self._cpu_s() - before_s) / (time.monotonic() - began_s), 2)

    def _cpu_s(self) -> float:
        return sum(cpu_s(server.pid) for server in self._servers.programs)

    def _memory_mb(self) -> float:
        return sum(resident_kb(server.pid) for server in self._servers.programs) / 1000

    def _say(self, what: str, figure: object, bar: str) -> None:
        print(f"  {what:<52} {figure!s:>12}   {bar}", flush=True)


def _known(overview: str) -> int:
    """Of how many tables it shows how they are."""
    with urlopen(f"{overview.rstrip('/')}/metrics", timeout=5) as answer:
        families = text_string_to_metric_families(answer.read().decode("utf-8"))
    found = (sample for family in families if family.name == "tablectl_pit_tables" for sample in family.samples)
    return sum(int(sample.value) for sample in found if sample.labels["state"] != "unknown")


def _late_ms(written: str, shown: list[str]) -> tuple[list[int], tuple[int, int]]:
    """How long each record took to each page, in order; how many bytes the pages read, and how many pages."""
    at_s = {(table, seq): float(at) for table, seq, at in map(str.split, written.splitlines())}
    *records, read = map(str.split, shown)
    found = sorted(round(1000 * (float(at) - at_s[table, seq])) for table, seq, at in records if (table, seq) in at_s)
    return found or [0], (int(read[0]), int(read[1]))


if __name__ == "__main__":
    sys.exit(main())
