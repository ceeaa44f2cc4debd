"""`python -m simulators list | DEVICE …`: one simulated device by itself, so that any program can be its client.

`python -m simulators fleet …`: many simulated tables for a pit server.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Final

from simulators.devices.faults import NO_FAULTS, FaultPlanError, load_faults
from simulators.devices.registry import SIMULATORS
from simulators.devices.standalone import Options

WRONG_USAGE: Final = 2
FLEET: Final = "fleet"


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, SIMULATORS))
    table = "\n".join(f"  {name:<{width}} {entry.summary}" for name, entry in SIMULATORS.items())
    parser = argparse.ArgumentParser(
        prog="python -m simulators",
        description="Run one simulated device by itself. Its path is the first line printed.",
        epilog=f"devices:\n{table}\n\nA running device takes words on its standard input; any unknown one lists them.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("device", metavar="DEVICE", help="a name below, or `list`")
    parser.add_argument("--link", type=Path, metavar="PATH", help="where the port is linked, unplugged or not")
    parser.add_argument("--seed", type=int, default=1, help="of the cards and of the faults (default: 1)")
    parser.add_argument(
        "--faults", type=Path, metavar="FILE", help="a fault plan (TOML, see simulators/devices/faults.py)"
    )
    parser.add_argument("--tag", nargs="+", action="extend", default=[], metavar="UID", help="tags in the field")
    parser.add_argument("--every", type=float, metavar="S", help="do the usual thing every S seconds, unasked")
    parser.add_argument("--speed", type=float, default=1.0, metavar="X", help="times the wire's pace; 0: unpaced")
    return parser


def _names() -> str:
    return "\n".join(SIMULATORS)


def _say(line: str) -> None:
    print(line, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 stopped as asked, 2 wrong usage or an unreadable plan; of a fleet, what that says."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] == [FLEET]:
        # What a device alone does not need.
        return int(importlib.import_module("simulators.fleet.__main__").main(words[1:]))
    return _device(words)


def _device(words: Sequence[str]) -> int:
    parser = _parser()
    given = parser.parse_args(words)
    if given.device == "list":
        for name, entry in SIMULATORS.items():
            print(f"{name}\t{entry.summary}")
        return 0
    device = SIMULATORS.get(given.device)
    if device is None:
        print(f"no such device: {given.device}; known:\n{_names()}", file=sys.stderr)
        return WRONG_USAGE
    if given.tag and not device.takes_tags:
        print(f"{given.device} reads no tags (--tag)", file=sys.stderr)
        return WRONG_USAGE
    if given.speed < 0 or (given.every is not None and not given.every > 0):
        print("--speed is 0 or more, --every more than 0", file=sys.stderr)
        return WRONG_USAGE
    try:
        faults = load_faults(given.faults) if given.faults else NO_FAULTS
    except FaultPlanError as why:
        print(why, file=sys.stderr)
        return WRONG_USAGE
    if faults.tag_faults and not device.takes_tags:
        print(f"{given.device} reads no tags (tag-fault in {given.faults})", file=sys.stderr)
        return WRONG_USAGE
    stop = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    try:
        return device.run(
            Options(
                stop=stop,
                say=_say,
                link=given.link,
                seed=given.seed,
                faults=faults,
                tags=tuple(given.tag),
                every_s=given.every,
                speed_factor=given.speed or None,
            )
        )
    except OSError as why:
        print(why, file=sys.stderr)
        return WRONG_USAGE


if __name__ == "__main__":
    sys.exit(main())
