"""What a process of this machine takes: of a processor, and of the memory."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

_TICK: Final = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """How long it used a processor so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


class Share:
    """Of one core, from now on."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._before_s, self._began_s = cpu_s(pid), time.monotonic()

    @property
    def percent(self) -> float:
        """So far."""
        return 100 * (cpu_s(self._pid) - self._before_s) / (time.monotonic() - self._began_s)


def resident_kb(pid: int) -> int:
    """What it has in memory."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])
