"""In pytest, for `make mutants`: tells coverage which test runs, or runs chosen tests alone in a given order."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Final

import coverage
import pytest

#: The file that says which tests to run, in their order; without it all are run, and their times are written.
CHOSEN: Final = "TABLECTL_MUTANTS_CHOSEN"
#: The file for how long each test took, in seconds, by its id.
TIMES: Final = "TABLECTL_MUTANTS_TIMES"
_times: Final[dict[str, float]] = {}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The chosen ones alone."""
    chosen = os.environ.get(CHOSEN)
    if chosen is None:
        return
    order = {name: place for place, name in enumerate(json.loads(Path(chosen).read_text(encoding="utf-8")))}
    items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Whatever runs now, runs for this test; its fixtures, too."""
    measured = coverage.Coverage.current()
    if measured is not None:
        measured.switch_context(item.nodeid)
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """How long a test took, with what it needed."""
    _times[report.nodeid] = _times.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish() -> None:
    """The times, where somebody wants them."""
    if TIMES in os.environ:
        Path(os.environ[TIMES]).write_text(json.dumps(_times), encoding="utf-8")
