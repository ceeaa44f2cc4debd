"""Whether a time server sets this machine's clock: what chrony or systemd-timesyncd says of it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Final, TypeAlias

#: systemd-timesyncd has this folder while it runs, and the file in it from its first good answer on
#: (systemd-timesyncd.service(8)).
TIMESYNCD: Final = Path("run/systemd/timesync")
_GOOD: Final = "synchronized"
#: chronyd has this folder from its first start on (chronyd(8)); it is asked by its own client.
CHRONY: Final = Path("run/chrony")
#: As a table: the last field is the leap status (chronyc(1), "tracking").
_TRACKING: Final = ("chronyc", "-c", "tracking")
_NOT_YET: Final = "Not synchronised"
#: How long its client may take to answer, in seconds.
_ANSWER_S: Final = 2.0
#: Runs a command: what it said, None where it did not succeed.
Ask: TypeAlias = Callable[[Sequence[str]], str | None]


class Synchronised(Enum):
    """What is known of the clock. `NOBODY`: no time service is there, so that waiting for one is of no use."""

    YES = auto()
    NOT_YET = auto()
    NOBODY = auto()


def asked(command: Sequence[str]) -> str | None:
    """See `Ask`."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_ANSWER_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def synchronised(root: Path = Path("/"), ask: Ask = asked) -> Synchronised:
    """Whether the clock was set by a time server since the machine was started. `root`: of the machine."""
    if (root / TIMESYNCD / _GOOD).exists():
        return Synchronised.YES
    is_chrony = (root / CHRONY).is_dir()
    if is_chrony and (said := ask(_TRACKING)) is not None and said.strip().rpartition(",")[2] not in ("", _NOT_YET):
        return Synchronised.YES
    return Synchronised.NOT_YET if is_chrony or (root / TIMESYNCD).is_dir() else Synchronised.NOBODY
