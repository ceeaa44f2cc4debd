"""What every simulator has in common when it runs by itself: its options, and words typed at it."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.wire import PtyEnd
from simulators.devices.wired import WiredDevice

#: How long until a wish to stop is noticed, in seconds.
LOOK_S: Final = 0.2
READ_MAX: Final = 4096
STDIN: Final = 0


@dataclass(frozen=True, kw_only=True)
class Options:
    """The command line, for one device.

    `stop` is set by a signal; a runner returns soon after. `say` tells the person at the terminal one line.
    """

    stop: threading.Event
    say: Callable[[str], None]
    link: Path | None = None
    seed: int = 1
    faults: FaultPlan = NO_FAULTS
    tags: tuple[str, ...] = ()
    #: Seconds between two steps made unasked; None: only when told.
    every_s: float | None = None
    #: 1 is the pace of the wire; None is unpaced.
    speed_factor: float | None = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatorEntry:
    """`summary` is one line for `list`; `run` returns the exit status; `takes_tags`: `--tag` means something to it.

    `on_line`: of a serial device, one at this end of a line, not yet switched on; None for a device on USB.
    """

    summary: str
    run: Callable[[Options], int]
    takes_tags: bool = False
    on_line: Callable[[PtyEnd], WiredDevice] | None = None


def words(options: Options, *, unasked: str, stdin: int = STDIN) -> Iterator[str]:
    """Lines typed, stripped and in lower case; `unasked` for each `every_s` that passes. Ends with `stop` or `quit`.

    The end of standard input ends nothing: a simulator in the background goes on.
    """
    every_s = options.every_s
    typed = b""
    listening = True
    waited_s = 0.0
    while not options.stop.is_set():
        wait_s = LOOK_S if every_s is None else min(LOOK_S, every_s - waited_s)
        if not listening:
            options.stop.wait(wait_s)
        elif select.select([stdin], [], [], wait_s)[0]:
            data = os.read(stdin, READ_MAX)
            listening = bool(data)
            *lines, typed = (typed + data).split(b"\n")
            for line in lines:
                word = line.decode("utf-8", "replace").strip().lower()
                if word == "quit":
                    return
                yield word
            continue
        waited_s += wait_s
        if every_s is not None and waited_s >= every_s:
            waited_s = 0.0
            yield unasked
