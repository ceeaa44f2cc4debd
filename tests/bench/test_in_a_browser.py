"""The benches in a browser go through everything that a house runs: here once, and without asking how long it took."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from simulators.stage.bench import alert, pixels
from tests.screens.browsing import CHROMIUM

pytestmark = [
    pytest.mark.wide,
    pytest.mark.system,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]
#: Four keys and twelve cards.
_EVENTS_A_HAND = 16


def test_each_alert_is_seen_after_its_card(tmp_path: Path) -> None:
    assert all(took_ms > 0 for took_ms in alert.measure(tmp_path, 2))


def test_each_card_and_key_is_seen_after_it_happened_and_within_the_measurement(tmp_path: Path) -> None:
    began_s = time.monotonic()
    took_ms = pixels.measure(tmp_path, 2)
    assert len(took_ms) == 2 * _EVENTS_A_HAND
    assert all(one_ms > 0 for one_ms in took_ms)
    assert sum(took_ms) <= (time.monotonic() - began_s) * 1000
