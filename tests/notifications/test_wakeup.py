"""A wakeup counts, so that a call that came before somebody waits is not lost."""

from __future__ import annotations

import threading

from tablectl.notifications.wakeup import Wakeup
from tests.desk import LONG_S


def test_it_says_how_often_it_woke() -> None:
    wakeup = Wakeup()
    counts = [wakeup.count]
    for _ in range(3):
        wakeup.wake()
        counts.append(wakeup.count)
    assert counts == [0, 1, 2, 3]


def test_a_call_before_somebody_waits_is_not_lost() -> None:
    wakeup = Wakeup()
    before = wakeup.count
    wakeup.wake()
    waiting = threading.Thread(target=wakeup.wait, args=(before, threading.TIMEOUT_MAX), daemon=True)
    waiting.start()
    waiting.join(LONG_S)
    assert not waiting.is_alive()
