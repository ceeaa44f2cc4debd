"""How fast a table is beside an uplink, whatever its pit server does: a part of `make bench`.

Tables of one kind, each a controller of its own, play a hand in turn, in another order each time, so that what else
this machine does hits all of them alike. Two have no uplink: they are what the others are compared with, and show what
chance does. The others have one whose pit server is healthy, dead, slow, lying or refusing. An uplink runs in its
table's turn alone. Then one uplink's share of a core: while nobody plays, and while somebody plays.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import msgspec

from simulators.fleet.bad_pits import BadPit
from simulators.fleet.debian import free_port
from simulators.fleet.programs import NotStarted, Program
from simulators.fleet.servers import Servers
from simulators.parts import Parts
from simulators.stage.bench.reaction import Table
from simulators.stage.bench.usage import Share
from tablectl.fleet.uplink.state import StateFile

#: What is to be reached.
RATIO: Final = 1.2
REST_PERCENT: Final = 1.0
PLAY_PERCENT: Final = 3.0
#: How long an uplink runs before its table's hand: what it had to do until then is done in its turn.
SETTLE_S: Final = 0.1
#: So often samples are drawn anew, to say how far chance reaches.
RESAMPLED: Final = 500
#: How long an uplink may take until it has seen how its pit server is.
SEEN_S: Final = 60.0
#: A croupier deals no faster than a card in so many seconds, with all keys between the cards.
CARD_S: Final = 1.5


class Pit(StrEnum):
    """What stands at the address of a table's pit server."""

    NONE = "no uplink"
    NONE_AGAIN = "no uplink, another table"
    HEALTHY = "healthy"
    DEAD = "dead"
    SLOW = "slow"
    LYING = "lying"
    REFUSING = "refusing"

    @property
    def has_uplink(self) -> bool:
        """Whether there is an uplink."""
        return self not in (Pit.NONE, Pit.NONE_AGAIN)


class Reaction(msgspec.Struct, frozen=True, kw_only=True):
    """From a card to the first lamp, in microseconds. `ratio`: of p99, to that of the tables without an uplink; and the
    span in which it is in 95 of 100 cases where cards are drawn anew from those that were measured."""

    pit: Pit
    cards: int
    p50_us: float
    p99_us: float
    ratio: float
    ratio_from: float
    ratio_to: float


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """All of it; shares are of one core, in percent."""

    reactions: list[Reaction]
    rest_percent: float
    play_percent: float


def main(words: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 where a figure was not reached."""
    parser = argparse.ArgumentParser(prog="python -m simulators.fleet.table_bench", description=__doc__)
    parser.add_argument("--hands", type=int, default=100, help="of each table (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of rest, and of play (default %(default)s)")
    parser.add_argument("--json", type=Path, default=Path("build/bench-uplink.json"), help="where the figures go")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder, BenchTables(Path(folder)) as tables:
        reactions = tables.reactions(args.hands)
        found = Found(
            reactions=reactions, rest_percent=tables.rest(args.seconds), play_percent=tables.play(args.seconds)
        )
    args.json.parent.mkdir(parents=True, exist_ok=True)
    args.json.write_text(json.dumps(msgspec.to_builtins(found), indent=1) + "\n", encoding="utf-8")
    good = [_line(reaction) for reaction in found.reactions]
    good.append(_share("an uplink while nobody plays", found.rest_percent, REST_PERCENT))
    good.append(_share(f"an uplink while a card comes every {CARD_S} s", found.play_percent, PLAY_PERCENT))
    print(f"written to {args.json}")
    return 0 if all(good) else 1


def _line(found: Reaction) -> bool:
    """Whether it was reached; two tables without an uplink say what chance does."""
    is_judged = found.pit.has_uplink
    good = not is_judged or found.ratio <= RATIO
    words = ("reached    " if good else "NOT REACHED") if is_judged else "           "
    figures = f"p50 {found.p50_us:6.0f} us, p99 {found.p99_us:6.0f} us, {found.ratio:.2f} times that without an uplink"
    bar = f"; at most {RATIO}" if is_judged else ""
    print(f"{words} {found.pit:<24} {figures} ({found.ratio_from:.2f} to {found.ratio_to:.2f}{bar})")
    return good


def _share(what: str, found: float, most: float) -> bool:
    good = found <= most
    print(f"{'reached    ' if good else 'NOT REACHED'} {what}: {found:.2f} % of a core (at most {most:g})")
    return good


class BenchTables(Parts):
    """Tables with all that stands at their other ends."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._tables: dict[Pit, Table] = {}
        self._uplinks: dict[Pit, Program] = {}

    def _begin(self) -> None:
        servers = self._stack.enter_context(Servers(self._folder, is_idle=True))
        for pit in Pit:
            folder = self._folder / pit.name.lower()
            folder.mkdir()
            lines = servers.uplink_lines(folder.name) if pit.has_uplink else ()
            table = self._tables[pit] = self._stack.enter_context(closing(Table(folder, lines)))
            if pit.has_uplink:
                servers.enrol(table.config, folder.name)
                # The controller's own file stays as it is: it looks whether somebody changed it.
                config = folder / "uplink.toml"
                text = table.config.read_text(encoding="utf-8")
                config.write_text(text.replace(lines[0], self._url(pit, servers, lines[0])), encoding="utf-8")
                program = Program.of_tablectl(folder / "uplink.log", "uplink", config, is_idle=True)
                self._uplinks[pit] = self._stack.enter_context(program)
        for pit in self._uplinks:
            self._see(pit)
            self._uplinks[pit].send(signal.SIGSTOP)

    def _url(self, pit: Pit, servers: Servers, healthy: str) -> str:
        """The line of its configuration that says where its pit server is."""
        if pit is Pit.HEALTHY:
            return healthy
        if pit is Pit.DEAD:
            return f'url = "https://127.0.0.1:{free_port()}"'
        words = (sys.executable, "-P", "-m", "simulators.fleet.bad_pits", BadPit[pit.name], str(servers.config))
        program = Program(self._folder / f"{pit.name.lower()}.log", words, says=1, is_idle=True)
        (address,) = program.start()
        self._stack.callback(program.end)
        return f'url = "{address}"'

    def _see(self, pit: Pit) -> None:
        """Until the uplink says how its pit server is. Raises `NotStarted`."""
        state = StateFile(self._tables[pit].config.parent / "uplink.json")
        end_s = time.monotonic() + SEEN_S
        while (status := state.read().status) is None or not (status.is_compared or status.why):
            if time.monotonic() > end_s:
                raise NotStarted(f"the uplink of the table {pit} says nothing; {self._folder} says why")
            time.sleep(0.05)

    @contextmanager
    def _turn(self, pit: Pit) -> Iterator[Table]:
        """Its uplink runs now, and no other one."""
        uplink = self._uplinks.get(pit)
        if uplink is not None:
            uplink.send(signal.SIGCONT)
        time.sleep(SETTLE_S)
        yield self._tables[pit]
        if uplink is not None:
            uplink.send(signal.SIGSTOP)

    def reactions(self, hands: int) -> list[Reaction]:
        """So many hands of each table; the first one of each is not measured."""
        dice = random.Random(1)
        found: dict[Pit, list[float]] = {pit: [] for pit in Pit}
        for hand in range(hands + 1):
            for pit in dice.sample(tuple(Pit), len(Pit)):
                with self._turn(pit) as table:
                    times_s = [first_s for first_s, _last_s in table.hand()]
                found[pit] += times_s if hand else []
        without = found[Pit.NONE] + found[Pit.NONE_AGAIN]
        return [_reaction(pit, times_s, without, dice) for pit, times_s in found.items()]

    def rest(self, seconds: float) -> float:
        """The share of a core of the uplink with a healthy pit server, while nobody plays."""
        with self._turn(Pit.HEALTHY):
            share = Share(self._uplinks[Pit.HEALTHY].pid)
            time.sleep(seconds)
            return share.percent

    def play(self, seconds: float) -> float:
        """The same while somebody plays."""
        with self._turn(Pit.HEALTHY) as table:
            share, end_s = Share(self._uplinks[Pit.HEALTHY].pid), time.monotonic() + seconds
            while time.monotonic() < end_s:
                for _ in table.hand():
                    time.sleep(CARD_S)
            return share.percent


def _reaction(pit: Pit, times_s: list[float], without_s: list[float], dice: random.Random) -> Reaction:
    ratios = [
        _p99(dice.choices(times_s, k=len(times_s))) / _p99(dice.choices(without_s, k=len(without_s)))
        for _ in range(RESAMPLED)
    ]
    cuts = quantiles(ratios, n=40)
    return Reaction(
        pit=pit,
        cards=len(times_s),
        p50_us=round(1e6 * median(times_s), 1),
        p99_us=round(1e6 * _p99(times_s), 1),
        ratio=round(_p99(times_s) / _p99(without_s), 3),
        ratio_from=round(cuts[0], 3),
        ratio_to=round(cuts[-1], 3),
    )


def _p99(times_s: list[float]) -> float:
    return quantiles(times_s, n=100)[98]


if __name__ == "__main__":
    sys.exit(main())
