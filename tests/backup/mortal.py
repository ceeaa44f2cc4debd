"""Restores that are killed at a chosen step. As a program it takes orders from its standard input, a JSON line each:
the words of `tablectl restore` and the number of the step before which it is killed. It forks one for each, and answers
with a line: the exit status, or -9 where it was killed.

A step is whatever changes a disk: a file opened for writing, a folder, a rename, a removal, an owner, a mode. The
interpreter tells its auditors of each before it happens; nothing in the program under test knows of this.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
from typing import Final, NoReturn

from tablectl.cli.main import COMMANDS, main

STEPS: Final = frozenset(("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.chown"))


def _is_step(event: str, values: tuple[object, ...]) -> bool:
    if event == "open":
        flags = values[2]
        return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_CREAT))
    return event in STEPS


def _killed_before(step: int, words: list[str]) -> NoReturn:
    steps = 0

    def audit(event: str, values: tuple[object, ...]) -> None:
        nonlocal steps
        if _is_step(event, values):
            steps += 1
            if steps == step:
                os.kill(os.getpid(), signal.SIGKILL)

    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    sys.addaudithook(audit)
    os._exit(main(words))


def serve() -> None:
    """Until the input ends."""
    importlib.import_module(COMMANDS["restore"].module)  # once, and not in each of them
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            _killed_before(order["step"], order["words"])
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
