"""The rules for Prometheus that are shipped fire for one table of several; the page shows these and no others."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tablectl.web.screens.metrics import metrics_text
from tests.handbook.pages import ROOT

RULES: Final = ROOT / "config/prometheus/tablectl.rules.yml"
TESTS: Final = Path(__file__).with_name("alert_rules.yml")
TEXT: Final = RULES.read_text(encoding="utf-8")
#: Each alert of the file: its expression, and for how long it must hold.
ALERTS: Final = {
    name: (expression, for_ or "at once")
    for name, expression, for_ in re.findall(r"- alert: (\w+)\n +expr: (.+)\n(?: +for: (\w+)\n)?", TEXT)
}
needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="no promtool here (package prometheus)")


@pytest.fixture
def promtool(tmp_path: Path) -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Runs the tests of the rules over rules with this text."""

    def run(rules: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / RULES.name).write_text(rules, encoding="utf-8")
        shutil.copy(TESTS, tmp_path)
        command = ["promtool", "test", "rules", str(tmp_path / TESTS.name)]
        return processes.run(command, capture_output=True, text=True, check=False)

    return run


@needs_promtool
def test_every_alert_fires_for_the_table_that_it_is_about(
    promtool: Callable[[str], subprocess.CompletedProcess[str]],
) -> None:
    done = promtool(TEXT)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_promtool
def test_an_alert_that_looks_at_all_tables_together_does_not_pass(
    promtool: Callable[[str], subprocess.CompletedProcess[str]],
) -> None:
    together = "tablectl_controller_up == 0 or absent(tablectl_controller_up)"
    done = promtool(TEXT.replace(ALERTS["TableWithoutController"][0], together))
    assert done.returncode == 1
    assert "TableWithoutController" in done.stdout + done.stderr


@pytest.mark.parametrize("name", ALERTS)
def test_every_alert_is_tried(name: str) -> None:
    assert f"alertname: {name}\n" in TESTS.read_text(encoding="utf-8")


def test_the_page_shows_the_rules_that_are_shipped() -> None:
    page = (ROOT / "docs/health.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| `(\w+)` \| [^|]+ \| `(.+)` \| ([\w ]+) \|$", page, re.MULTILINE)
    assert {name: (expression, for_) for name, expression, for_ in shown} == ALERTS


def test_every_figure_that_a_rule_asks_for_is_one_that_there_is() -> None:
    asked = {name for expression, _ in ALERTS.values() for name in re.findall(r"tablectl_\w+", expression)}
    page = (ROOT / "docs/health.md").read_text(encoding="utf-8")
    assert {name for name in asked if f"`{name}`" not in page} == set()
    assert b"tablectl_controller_up 0.0" in metrics_text(None)
