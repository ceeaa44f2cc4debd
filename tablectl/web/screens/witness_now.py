"""How it is with the places that keep the heads of the journal: read of the file that the notifications write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tablectl.notifications.witness_state import Kept, WitnessState, read_state


@dataclass(frozen=True, kw_only=True, slots=True)
class WitnessNow:
    """`places`: each by its name. `is_running`: whether the process is there that sends them; `unit`: its service;
    `why`: these screens may not read what it writes."""

    unit: str
    places: tuple[tuple[str, Kept], ...] = ()
    is_running: bool = True
    why: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether somebody has to do something."""
        return not self.is_running or bool(self.why) or any(kept.why for _, kept in self.places)


def witness_now(config: Path, state: Path | None, now_us: int) -> WitnessNow | None:
    """None for a table whose heads nobody keeps."""
    if state is None:
        return None
    unit = f"tablectl-notifications@{config.stem}"
    try:
        found = read_state(state)
    except OSError as wrong:
        return WitnessNow(unit=unit, why=f"{state}: {wrong.strerror or wrong}")
    return _now(unit, found, now_us)


def _now(unit: str, found: WitnessState, now_us: int) -> WitnessNow:
    return WitnessNow(unit=unit, places=tuple(found.places.items()), is_running=found.runs(now_us))
