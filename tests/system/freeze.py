"""Runs inside a table PC, as root: one thread of a process stands still, the others go on, until standard input ends.

`python3 -I freeze.py PID NAME`: the thread is known by its name in `/proc/PID/task/*/comm`. Says `frozen`.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Final

#: ptrace(2), linux/ptrace.h: attach to a thread without stopping it; then stop it.
SEIZE: Final = 0x4206
INTERRUPT: Final = 0x4207


def main(pid: int, name: str) -> None:
    """Raises `OSError` where that is not allowed, `LookupError` where there is no such thread."""
    tasks = Path("/proc", str(pid), "task")
    found = [int(path.name) for path in tasks.iterdir() if (path / "comm").read_text().strip() == name]
    if not found:
        there = sorted((path / "comm").read_text().strip() for path in tasks.iterdir())
        raise LookupError(f"no thread {name}; there are {', '.join(there)}")
    libc = ctypes.CDLL(None, use_errno=True)
    for request in (SEIZE, INTERRUPT):
        if libc.ptrace(request, found[0], None, None) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    sys.stdout.write("frozen\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
