"""How much memory this process has. Nothing may end the controller in a hand, so it has no limit, and is watched."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Final

#: A controller with this much is not well: five times what one has that deals (measured: 56 MB).
MEMORY_ALARM_BYTES: Final = 300_000_000
#: Its second number: pages in memory (proc_pid_statm(5)).
_STATM: Final = Path("/proc/self/statm")


def resident_bytes() -> int:
    """What this process has in memory now. Raises `OSError`."""
    return int(_STATM.read_text("ascii").split()[1]) * resource.getpagesize()
