"""How it is with the places at which heads are kept besides the machine: a small file for the technician's page."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from tablectl.core.timestamps import time_us
from tablectl.core.unreadable import UNREADABLE
from tablectl.journal.whole_file import write_whole

#: It is written every minute: one that is older is of a process that does not run, in seconds.
STALE_S: Final = 180.0
#: The group of its folder reads it. No secret is in it.
_MODE: Final = 0o640


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """At one place: the newest head that it has, by the number and hash of its record, since `at`; and `why` it has
    none that is newer, `since` when. Times are RFC 3339, UTC; empty where there is none."""

    seq: int = 0
    hash: str = ""
    at: str = ""
    why: str = ""
    since: str = ""
    #: when it was tried last
    tried: str = ""


class WitnessState(msgspec.Struct, frozen=True, kw_only=True):
    """Each place by its name: `file`, or that of a target of `[[notify]]`. `at`: when this was written."""

    at: str = ""
    accepted: str = ""
    places: dict[str, Kept] = {}

    def runs(self, now_us: int) -> bool:
        """Whether the process that writes it is there, by a clock that somebody may set."""
        try:
            return abs(now_us - time_us(self.at)) <= STALE_S * 1_000_000
        except ValueError:
            return False


def read_state(path: Path) -> WitnessState:
    """Nothing where there is none, or none that can be read. Raises `OSError`."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=WitnessState)
    except (FileNotFoundError, *UNREADABLE):
        return WitnessState()


def write_state(path: Path, state: WitnessState) -> None:
    """Raises `OSError`."""
    write_whole(path, msgspec.json.encode(state), mode=_MODE)
