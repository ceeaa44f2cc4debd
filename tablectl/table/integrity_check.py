"""The integrity check: a process of its own that checks a running table from end to end, again and again.

It takes nothing from the card's path: another process, the lowest priority, readers' connections only. First the files
of the program and the volume that is written now with its second copy, then the other volumes in turns, so that all of
it takes no more than its share of one processor; every few seconds what came since. What it finds it says as a line of
JSON on standard output; the controller tilts on a fault. It ends with the controller: when its standard input is
closed. What the controller read of the table's file comes there first: another one may lie there by now.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from tablectl.config.table_file import BadConfig, Config, parsed
from tablectl.journal.rotation import SHARE, Rotation
from tablectl.journal.store import JournalUnusable
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.journal.verify import Verification
from tablectl.journal.verify_full import check_volume, more
from tablectl.journal.volumes import VolumeSet, present
from tablectl.ops.logs.begin import Process, begin
from tablectl.ops.software.check import Identity
from tablectl.ops.software.identity import check_running, is_other_file
from tablectl.ops.software.survey import hash_of_bytes
from tablectl.statistics.shifts import Shifts
from tablectl.table.disk_space import measured, told

#: How often what came since is checked, in seconds.
LOOK_S: Final = 5.0
#: How long a round lasts at least, in seconds.
EVERY_S: Final = 600.0
NICENESS: Final = 19
#: How soon this process is ended where memory is short (proc_pid_oom_score_adj(5)): anybody may raise his own.
_OOM_SCORE: Final = Path("/proc/self/oom_score_adj")
OOM_SCORE: Final = 300
EXIT_FAULT: Final = 3


class Abandoned(Exception):
    """The controller is gone: nobody listens."""


def main() -> int:
    """Until standard input is closed. Exit status 0, or 3 after a fault."""
    parser = argparse.ArgumentParser(prog="tablectl.table.integrity_check", description=__doc__)
    parser.add_argument("config", type=Path, help="the table's TOML file")
    parser.add_argument("--software", default="", help="identity of the program as the controller found it")
    parser.add_argument(
        "--given", type=int, metavar="N", help="that file, as it was at the controller's start, comes in N bytes"
    )
    parser.add_argument("--every", type=float, default=EVERY_S, metavar="S", help="a round lasts S seconds")
    parser.add_argument("--look", type=float, default=LOOK_S, metavar="S", help="what came since every S seconds")
    parser.add_argument("--share", type=float, default=SHARE, metavar="N", help="of one processor, on average")
    args = parser.parse_args()
    os.nice(NICENESS)
    # Where memory is short, this process is ended rather than the controller, which gave it its own protection.
    _OOM_SCORE.write_text(f"{OOM_SCORE}\n", "ascii")
    try:
        content = args.config.read_bytes() if args.given is None else _given(args.given)
        watch = IntegrityCheck(
            args.config, content, args.software, look_s=args.look, every_s=args.every, share=args.share
        )
        while True:
            watch.round()
    except Abandoned:
        return 0
    except Tilt as fault:
        _say({"fault": fault.kind.value, "reason": str(fault)})
    except JournalUnusable as wrong:
        _say({"fault": wrong.kind.value, "reason": str(wrong)})
    return EXIT_FAULT


class IntegrityCheck:
    """Over one table, and what it keeps between its rounds."""

    def __init__(
        self, path: Path, content: bytes, software: str, *, look_s: float, every_s: float, share: float
    ) -> None:
        config = self._config = _config(path, content)
        begin(Process.INTEGRITY_CHECK, table=config.setup.table)
        self._file_hash = hash_of_bytes(content)
        self._software = software
        self._look_s = look_s
        any_volume = random.randrange(max(present(config.journal), default=1))
        self._rotation = Rotation(every_s=every_s, share=share, after=any_volume)
        self._day_of = Shifts(begins=config.shifts, zone=ZoneInfo(config.timezone)).day_of
        #: the software as it was found before
        self._before: Identity | None = None
        #: how far the newest volume was found good; its key signed all others
        self._newest = Verification()

    def round(self) -> None:
        """Check what has its turn, and then what comes. Raises `Tilt`, `JournalUnusable`, `Abandoned`."""
        began_s, began_cpu_s = time.monotonic(), time.process_time()

        def used_s() -> float:
            return time.process_time() - began_cpu_s

        self._check_software()
        with closing(VolumeSet(self._config.journal)) as volume_set:
            volumes = self._rotation.round(
                tuple(volume_set.numbered), lambda number: self._check(volume_set, number), used_s
            )
            more(volume_set, self._newest)
            took_s = round(time.monotonic() - began_s, 3)
            _say({"checked": self._newest.end.seq, "volumes": volumes, "seconds": took_s})
            _say({"space": told(measured(self._config.journal, self._config.copy, self._day_of, volume_set))})
            while time.monotonic() - began_s < self._rotation.lasts_s(used_s()):
                _wait(self._look_s)
                more(volume_set, self._newest)

    def _check(self, volume_set: VolumeSet, number: int) -> None:
        key = self._newest.verdict().public_key
        found = check_volume(volume_set, number, self._config.copy, key=key, pause=lambda: _wait(0.0))
        if found.end.seq >= self._newest.end.seq:
            self._newest = found

    def _check_software(self) -> None:
        if not self._software:
            return
        self._before = check_running(self._config, self._software, self._file_hash, self._before)
        if is_other_file(self._config, self._file_hash):
            _say({"changed": str(self._config.file)})


def _given(n_bytes: int) -> bytes:
    """What the controller hands in first. Raises `Abandoned` where it is gone."""
    content = b""
    while len(content) < n_bytes:
        more_of_it = os.read(sys.stdin.fileno(), n_bytes - len(content))
        if not more_of_it:
            raise Abandoned
        content += more_of_it
    return content


def _config(path: Path, content: bytes) -> Config:
    try:
        return parsed(path, content)
    except BadConfig as wrong:
        raise Tilt(TiltKind.SOFTWARE, f"{path}: not what the controller read at its start: {wrong}") from None


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
