"""The bench of alerts goes through everything that a house runs: here once, and without asking how long it took."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulators.stage.bench.alert import measure
from tests.screens.browsing import CHROMIUM

pytestmark = [
    pytest.mark.wide,
    pytest.mark.system,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]


def test_each_alert_is_seen_after_its_card(tmp_path: Path) -> None:
    assert all(took_ms > 0 for took_ms in measure(tmp_path, 2))
