"""docs/health.md names every state and every metric, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from drivers.health import FOREIGN_BYTES, DeviceState
from tablectl.core.timestamps import time_text
from tablectl.fleet.pit.ingest_counts import IngestCounts
from tablectl.table.watchdog import FROZEN_S, LOOK_S
from tablectl.web.overview.metrics import pit_metrics
from tablectl.web.screens.health import health_of
from tablectl.web.screens.metrics import metrics_text
from tablectl.web.screens.uplink_state import UplinkNow, UplinkStanding
from tests.overview.halls import Hall
from tests.screens import healths

PAGE = (Path(__file__).parents[1] / "docs" / "health.md").read_text(encoding="utf-8")


def test_every_state_has_its_line() -> None:
    for state in DeviceState:
        assert f"\n| {state.value} | " in PAGE


def test_every_metric_is_named_and_no_other() -> None:
    at = time_text(healths.SINCE_US)
    uplink = UplinkNow(
        standing=UplinkStanding.AWAY, unit="unit", file="file", behind=1, acked=1, certificate_until=at, acked_at=at
    )
    text = metrics_text(health_of(healths.told(healths.ALL_STATES)), uplink).decode()
    text += pit_metrics(Hall(1).picture, IngestCounts(), certificate_end_s=0.0).decode()
    told = set(re.findall(r"^(tablectl_\w+)", text, re.MULTILINE))
    told -= {name for name in told if name.endswith("_created")}
    assert set(re.findall(r"tablectl_\w+", PAGE)) == told


def test_the_figures_are_those_of_the_program() -> None:
    assert f"{FOREIGN_BYTES} bytes of garbage" in PAGE
    assert f"looks every {LOOK_S:g} s" in PAGE
    assert f"has not moved for {FROZEN_S:g} s" in " ".join(PAGE.split())
