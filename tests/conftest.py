"""Settings of the whole suite: Hypothesis profiles, a temporary folder in memory, a collection that is not looked
through for garbage, an order that keeps all processors busy, few messages between processes, and no silent skips where
that is asked for.
"""

from __future__ import annotations

import gc
import os
import re
import tempfile
from collections.abc import Generator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Final

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

# The same examples on every run, so that a red build is red for its change: a few of them in `make test`, a hundred in
# `make test-wide`. `all` looks for new ones.
settings.register_profile("default", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("few", deadline=None, derandomize=True, print_blob=True, max_examples=25)
settings.register_profile("all", deadline=None, derandomize=False, print_blob=True, max_examples=100_000)
settings.load_profile("default")

NO_SKIP = "TABLECTL_NO_SKIP"

#: Where Linux has a disk in memory, and how much room on it is enough for every test, in bytes.
MEMORY: Final = Path("/dev/shm")
ROOM: Final = 2 << 30


def temporary_in(memory: Path, environment: Mapping[str, str]) -> Path | None:
    """Where temporary files go: into memory, unless somebody chose another place or there is no room; then None.

    Every record is synced, and tests write tens of thousands of them. What a sync is worth no test can see: each of
    them kills a process and none cuts the power. A table of `tests/real_disk.py` brings a disk of its own.
    """
    if any(environment.get(name) for name in ("TMPDIR", "TEMP", "TMP")):
        return None
    if not memory.is_dir() or not os.access(memory, os.W_OK | os.X_OK):
        return None
    room = os.statvfs(memory)
    if room.f_flag & os.ST_NOEXEC or room.f_bavail * room.f_frsize < ROOM:
        return None
    return memory


def pytest_configure(config: pytest.Config) -> None:
    """For this process and all that it starts."""
    chosen = temporary_in(MEMORY, os.environ)
    if chosen is not None:
        os.environ["TMPDIR"] = str(chosen)
        tempfile.tempdir = None  # it is looked up again
    worker = getattr(config, "workerinput", None)
    if worker is not None and config.args == config.getini("testpaths"):
        files = sorted(path for folder in config.args for path in (config.rootpath / folder).rglob("test_*.py"))
        number = int(worker["workerid"].removeprefix("gw"))
        config.args = [str(path) for path in from_its_own_on(files, number, worker["workercount"])]


def from_its_own_on(files: Sequence[Path], number: int, of: int) -> list[Path]:
    """The order in which this one of so many workers reads the files of tests. On a clean clone all of them have to be
    compiled: each worker begins with others, and finds compiled what the rest began with."""
    at = len(files) * number // of
    return [*files[at:], *files[:at]]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: nobody looks through tens of thousands of tests for garbage, neither while they are made
    (a third of the time that takes) nor whenever a test has left some."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def left_out(expression: str) -> frozenset[str]:
    """The marks of which `-m` wants none: of an expression whose parts, each a mark or one of several in brackets, are
    joined by `and`."""
    parts = expression.split(" and ")
    if any(not re.fullmatch(r"(not )?\w+|\(\w+( or \w+)*\)", part.strip()) for part in parts):
        return frozenset()
    return frozenset(part.strip().removeprefix("not ") for part in parts if part.strip().startswith("not "))


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test for each of its parameters, but for those that `-m` leaves out anyway: to make them and to drop them would
    take a third of the time in which each worker collects. One stays, which pytest drops."""
    names = left_out(metafunc.config.option.markexpr)
    calls = metafunc._calls
    if not calls or not names:
        return
    if any(mark.name in names for mark in metafunc.definition.iter_markers()):
        del calls[1:]
    else:
        wanted = [call for call in calls if not any(mark.name in names for mark in call.marks)]
        calls[:] = wanted or calls[:1]


def in_turns(waiting: Mapping[Path, bool]) -> list[Path]:
    """The files of tests in the order in which workers take them: one that waits for processes, wires or browsers
    (True), one that does not, and so on. Nobody waits for such a file at the end, and while it waits another one
    computes."""
    one = (path for path, waits in waiting.items() if waits)
    other = (path for path, waits in waiting.items() if not waits)
    return [item for item in chain.from_iterable(zip_longest(one, other)) if item is not None]


def _waits(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) is not None for name in ("system", "browser"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Only where several workers share the files: whoever runs tests alone gets them in the order of their folders."""
    if not hasattr(config, "workerinput"):
        return
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.path, []).append(item)
    order = in_turns({path: any(map(_waits, by_file[path])) for path in sorted(by_file)})
    items[:] = [item for path in order for item in by_file[path]]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A worker sends one report of a test that passes, and whatever did not pass: pytest's own protocol sends five
    messages, which cost as much as a short test. Whoever asks for durations or for a file of results gets all."""
    options = item.config.option
    if not hasattr(item.config, "workerinput") or options.durations is not None or options.xmlpath:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


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
    if report.passed:
        report.keywords = {}  # nobody reads them, and a worker would need as long to send them as to run a short test
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_if_skipped(report)
    return report
