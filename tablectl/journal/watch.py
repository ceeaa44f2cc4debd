"""The watch: a process of its own that checks a running table's journal from end to end, again and again.

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
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from tablectl.journal.copy import copies, last_of, read_copy
from tablectl.journal.lines import NoLine
from tablectl.journal.store import JournalUnusable, Stored
from tablectl.journal.verify import Verdict, Verification, compare
from tablectl.journal.volumes import Shelf
from tablectl.tilt import Tilt, TiltKind

NICENESS: Final = 19


class Abandoned(Exception):
    """The controller is gone: nobody listens."""


def whole(journal: Path, copy: Path | None, *, pause: Callable[[], None] = lambda: None) -> Verification:
    """The whole journal and its copy, once. `pause` is called between pages. Raises `Tilt`, `JournalUnusable`."""
    copied = _end_of_copy(copy)
    with closing(Shelf(journal)) as shelf:
        for store in shelf.stores:
            damage = store.damage()
            if damage is not None:
                raise Tilt(TiltKind.DAMAGED, f"{store.path}: {damage}")
        verification = Verification(start=shelf.stores[0].follows)
        more(shelf, verification, pause=pause)
        if copy is None:
            return verification
        if copied > verification.end.seq:
            end = verification.end.seq
            what = f"the copy has record {copied}, the journal ends with {end}: its end was cut off"
            raise Tilt(TiltKind.COPY, f"{copy}: {what}")
        try:
            copied_too = _between(copy, shelf.stores[0].follows.seq, verification.end.seq, pause)
            fault = compare(shelf.records(), copied_too)
        except (NoLine, OSError) as wrong:
            raise Tilt(TiltKind.COPY, f"{copy}: {wrong}") from None
    if fault is not None:
        raise Tilt(TiltKind.COPY, f"{copy}: {fault}")
    return verification


def more(shelf: Shelf, verification: Verification, *, pause: Callable[[], None] = lambda: None) -> Verdict:
    """What came since. Raises `Tilt`."""
    for store in shelf.stores:
        for rows in store.pages(after=verification.end.seq):
            if not verification.take(rows):
                raise Tilt(TiltKind.CHAIN, f"{store.path}: {verification.verdict().fault}")
            pause()
    return verification.verdict()


def _end_of_copy(copy: Path | None) -> int:
    try:
        last = last_of(copy) if copy is not None else None
    except NoLine as wrong:
        raise Tilt(TiltKind.COPY, f"{copy}: {wrong}") from None
    except OSError:
        return 0  # its disk is gone: the controller says so
    return last.seq if last is not None else 0


def _between(copy: Path, start: int, end: int, pause: Callable[[], None]) -> Iterator[Stored]:
    """What the journal has too: its first volumes may be in an archive, and it grows meanwhile."""
    for path in copies(copy):
        for stored in read_copy(path):
            if stored.seq > end:
                return
            if stored.seq > start:
                yield stored
            if stored.seq % 256 == 0:
                pause()


def main() -> int:
    """Until standard input is closed. Exit status 0, or 3 after a fault."""
    parser = argparse.ArgumentParser(prog="tablectl.journal.watch", description=__doc__)
    parser.add_argument("journal", type=Path)
    parser.add_argument("--copy", type=Path)
    parser.add_argument("--every", type=float, default=600.0, metavar="S", help="the whole again after S seconds")
    parser.add_argument("--look", type=float, default=5.0, metavar="S", help="what came since every S seconds")
    args = parser.parse_args()
    os.nice(NICENESS)
    try:
        while True:
            _round(args.journal, args.copy, args.every, args.look)
    except Abandoned:
        return 0
    except Tilt as fault:
        _say({"fault": fault.kind.value, "reason": str(fault)})
        return 3
    except JournalUnusable as wrong:
        _say({"fault": wrong.kind.value, "reason": str(wrong)})
        return 3


def _round(journal: Path, copy: Path | None, every_s: float, look_s: float) -> None:
    began = time.monotonic()
    verification = whole(journal, copy, pause=lambda: _wait(0.0))
    seconds = time.monotonic() - began
    _say({"checked": verification.end.seq, "seconds": round(seconds, 3)})
    with closing(Shelf(journal)) as shelf:
        while time.monotonic() - began < every_s:
            _wait(look_s)
            more(shelf, verification)


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
