"""Settings of the whole suite: Hypothesis profiles, and no silent skips where that is asked for."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

# The same examples on every run, so that a red build is red for its change; `slow` looks for new ones.
settings.register_profile("default", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("slow", deadline=None, derandomize=False, print_blob=True, max_examples=100_000)
settings.load_profile("default")

NO_SKIP = "TABLECTL_NO_SKIP"


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """With TABLECTL_NO_SKIP=1 in the environment, a skip is a failure. An expected failure is not a skip."""
    if os.environ.get(NO_SKIP) != "1" or not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"{NO_SKIP}=1, but: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_if_skipped(report)
    return report
