"""From the last byte of a card that comes too soon to the alert before the pit boss: shoe, controller, journal, screens
and a real Chromium, each a process of its own."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from simulators.stage.bench.browser import WatchedPage, watched
from simulators.stage.people import CROUPIER
from tablectl.core.engine.vocabulary import Key

PIT_BOSS: Final = "luis"


def measure(folder: Path, count: int) -> list[float]:
    """Milliseconds of so many alerts. Raises `NoBrowser`, `BenchBroken`."""
    with watched(folder, "/pit", PIT_BOSS) as pit:
        return [_alert(pit, number) for number in range(1, count + 1)]


def _alert(pit: WatchedPage, number: int) -> float:
    table = pit.table
    table.press(Key.NEW_HAND)
    at_ms = time.time() * 1000
    table.card()
    seen_ms = pit.painted_ms("seen.incidents.includes(value)", at_ms, number)
    for line in (
        "press seen",
        f"rule {number} void-hand by {PIT_BOSS}+{CROUPIER} misdeal",
        f"acknowledge {number} by {PIT_BOSS}",
        "press confirm",
    ):
        table.enter(line)
    return seen_ms - at_ms
