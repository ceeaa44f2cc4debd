"""From a card out of the shoe, or a key that goes down on the panel, to the croupier's page that shows it: controller,
journal, screens and a real Chromium, each a process of its own."""

from __future__ import annotations

import time
from pathlib import Path

from simulators.stage.bench.browser import WatchedPage, watched
from simulators.stage.bench.reaction import ROUNDS
from simulators.stage.people import CROUPIER
from tablectl.core.engine.vocabulary import Key


def measure(folder: Path, hands: int) -> list[float]:
    """Milliseconds of each card of so many hands, and of the keys that let each round of dealing begin. Raises
    `NoBrowser`, `BenchBroken`."""
    with watched(folder, "/croupier", CROUPIER) as croupier:
        return [took_ms for _ in range(hands) for took_ms in _hand(croupier)]


def _hand(croupier: WatchedPage) -> list[float]:
    table = croupier.table
    table.begin_hand()
    took_ms = []
    n_drawn = 0
    for key, before_last in ROUNDS:
        took_ms.append(_key(croupier, key))
        for _ in range(before_last + 1):
            n_drawn += 1
            took_ms.append(_card(croupier, n_drawn))
    table.end_hand()
    return took_ms


def _key(croupier: WatchedPage, key: Key) -> float:
    at_ms = time.time() * 1000
    seq = croupier.table.press(key)
    return croupier.painted_ms("seen.since >= value", at_ms, seq) - at_ms


def _card(croupier: WatchedPage, n_drawn: int) -> float:
    at_ms = time.time() * 1000
    croupier.table.cards(1)
    return croupier.painted_ms("seen.drawn === value", at_ms, n_drawn) - at_ms
