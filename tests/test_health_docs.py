"""docs/health.md names every state and every metric, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from drivers.health import FOREIGN_BYTES, DeviceState
from tablectl.table.watchdog import FROZEN_S, LOOK_S
from tablectl.web.screens.health import health_of
from tablectl.web.screens.metrics import metrics_text
from tests.screens import healths

PAGE = (Path(__file__).parents[1] / "docs" / "health.md").read_text(encoding="utf-8")


def test_every_state_has_its_line() -> None:
    for state in DeviceState:
        assert f"\n| {state.value} | " in PAGE


def test_every_metric_is_named_and_no_other() -> None:
    text = metrics_text(health_of(healths.told(healths.ALL_STATES))).decode()
    told = set(re.findall(r"^(tablectl_\w+)", text, re.MULTILINE))
    told -= {name for name in told if name.endswith("_created")}
    assert set(re.findall(r"tablectl_\w+", PAGE)) == told


def test_the_figures_are_those_of_the_program() -> None:
    assert f"{FOREIGN_BYTES} bytes of garbage" in PAGE
    assert f"looks every {LOOK_S:g} s" in PAGE
    assert f"has not moved for {FROZEN_S:g} s" in " ".join(PAGE.split())
