"""The bell counts, so that a ring that came before somebody waits is not lost."""

from __future__ import annotations

import threading

from tablectl.notifications.bell import Bell
from tests.desk import LONG_S


def test_it_says_how_often_it_rang() -> None:
    bell = Bell()
    counts = [bell.rung]
    for _ in range(3):
        bell.ring()
        counts.append(bell.rung)
    assert counts == [0, 1, 2, 3]


def test_a_ring_before_somebody_waits_is_not_lost() -> None:
    bell = Bell()
    before = bell.rung
    bell.ring()
    waiting = threading.Thread(target=bell.wait, args=(before, threading.TIMEOUT_MAX), daemon=True)
    waiting.start()
    waiting.join(LONG_S)
    assert not waiting.is_alive()
