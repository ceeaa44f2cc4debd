"""The suite's own settings, tried on small suites."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from tests.conftest import ROOM, from_its_own_on, in_turns, left_out, temporary_in
from tests.wide import once

pytest_plugins = ["pytester"]
#: Each starts a suite of its own.
pytestmark = pytest.mark.wide

SKIPS = """
import pytest

def test_skips():
    pytest.skip("no browser here")

@pytest.mark.skip(reason="no time today")
def test_is_marked():
    pass

@pytest.mark.xfail(reason="known")
def test_is_expected_to_fail():
    assert False

def test_passes():
    pass
"""
SKIPPED_MODULE = 'import pytest\npytest.skip("not on this system", allow_module_level=True)\n'


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A small suite that uses this suite's conftest."""
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(test_skips=SKIPS, test_skipped_module=SKIPPED_MODULE)
    return pytester


def test_a_skip_is_a_skip_on_a_developers_machine(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLECTL_NO_SKIP", raising=False)
    suite.runpytest_subprocess().assert_outcomes(passed=1, skipped=3, xfailed=1)


def test_a_skip_is_a_failure_that_names_its_reason_where_nothing_may_be_skipped(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLECTL_NO_SKIP", "1")
    result = suite.runpytest_subprocess("--continue-on-collection-errors")
    result.assert_outcomes(passed=1, failed=1, xfailed=1, errors=2)
    result.stdout.fnmatch_lines_random(["*no browser here*", "*no time today*", "*not on this system*"])


PARAMETERS = """
import pytest

@pytest.mark.parametrize("value", [1, 2, *(pytest.param(value, marks=pytest.mark.slow) for value in (3, 4))])
def test_some_are_slow(value):
    pass

@pytest.mark.slow
@pytest.mark.parametrize("value", range(9))
def test_all_are_slow(value):
    pass

@pytest.mark.parametrize("value", [pytest.param(value, marks=pytest.mark.slow) for value in range(5)])
def test_each_is_slow(value):
    pass
"""


@pytest.mark.parametrize(
    ("expression", "run", "dropped"),
    [("", 18, 0), ("not slow", 2, 2), ("slow", 16, 2), ("not slow or slow", 18, 0)],
)
def test_what_the_expression_leaves_out_is_not_even_made(
    suite: pytest.Pytester, expression: str, run: int, dropped: int
) -> None:
    suite.makeini("[pytest]\nmarkers = slow")
    path = suite.makepyfile(test_parameters=PARAMETERS)
    suite.runpytest_subprocess("-m", expression, path).assert_outcomes(passed=run, deselected=dropped)


def test_only_a_plain_expression_says_what_is_left_out() -> None:
    assert left_out("not slow and not wide and machine") == {"slow", "wide"}
    assert left_out("wide and not slow") == {"slow"}
    assert left_out("(wide or hypothesis) and not slow") == {"slow"}
    assert left_out("") == left_out("slow") == left_out("not (slow or wide)") == left_out("not slow or wide") == set()


def test_workers_take_files_that_wait_and_files_that_do_not_in_turns() -> None:
    waiting = {"a": False, "b": True, "c": True, "d": False, "e": True, "f": True}
    taken = in_turns({Path(name): waits for name, waits in waiting.items()})
    assert [path.name for path in taken] == ["b", "a", "c", "d", "e", "f"]


def test_each_worker_begins_to_read_with_other_files_and_reads_all() -> None:
    files = [Path(name) for name in "abcdefg"]
    orders = [from_its_own_on(files, number, 3) for number in range(3)]
    assert ["".join(map(str, order)) for order in orders] == ["abcdefg", "cdefgab", "efgabcd"]


ORDERED = """
import os
import pytest

{mark}
@pytest.mark.parametrize("number", range(2))
def test_{name}(number):
    with open(os.environ["TAKEN"], "a") as taken:
        taken.write("{name}")
"""


@pytest.mark.parametrize("testpaths", once(["testpaths = .\n", ""]))
@pytest.mark.parametrize(("workers", "taken"), [((), "aabbcc"), (("-n1", "--no-loadscope-reorder"), "bbaacc")])
def test_the_order_is_of_turns_where_there_are_workers_and_of_folders_where_there_are_none(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: tuple[str, ...], taken: str, testpaths: str
) -> None:
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text(encoding="utf-8"))
    pytester.makeini(f"[pytest]\nmarkers =\n    system: waits\n{testpaths}")
    for name, mark in (("a", ""), ("b", "@pytest.mark.system"), ("c", "")):
        pytester.makepyfile(**{f"test_{name}": ORDERED.format(name=name, mark=mark)})
    file = pytester.path / "taken"
    monkeypatch.setenv("TAKEN", str(file))
    pytester.runpytest_subprocess(*workers, "--dist", "loadfile").assert_outcomes(passed=6)
    assert file.read_text(encoding="utf-8") == taken


def test_several_workers_read_in_orders_of_their_own_and_agree_on_one(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\ntestpaths = .\n")
    for name in "abcd":
        pytester.makepyfile(**{f"test_{name}": "def test_passes(): pass"})
    pytester.runpytest_subprocess("-n2", "--dist", "loadfile", "--no-loadscope-reorder").assert_outcomes(passed=4)


@pytest.mark.parametrize(
    ("flags", "room", "environment", "there"),
    [
        (0, ROOM, {}, True),
        (0, ROOM, {"TMPDIR": ""}, True),
        (0, ROOM, {"TMPDIR": "/elsewhere"}, False),
        (0, ROOM - 4096, {}, False),
        (os.ST_NOEXEC, ROOM, {}, False),
    ],
)
def test_temporary_files_go_into_memory_where_there_is_room_and_nobody_said_otherwise(
    tmp_path: Path, mocker: MockerFixture, flags: int, room: int, environment: dict[str, str], *, there: bool
) -> None:
    mocker.patch("os.statvfs", return_value=mocker.Mock(f_flag=flags, f_frsize=4096, f_bavail=room // 4096))
    assert temporary_in(tmp_path, environment) == (tmp_path if there else None)
    assert temporary_in(tmp_path / "missing", environment) is None


PARTS = """
import pytest

@pytest.fixture
def broken():
    raise ValueError("the fixture is broken")

@pytest.fixture
def untidy():
    yield
    raise ValueError("the fixture is untidy")

def test_passes():
    pass

def test_fails():
    assert "one" == "other"

def test_does_not_begin(broken):
    pass

def test_does_not_end_well(untidy):
    pass
"""
#: Writes down how often the process that reports was told of a part of a test.
TOLD = """
import os

def pytest_runtest_logreport(report):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        with open(os.environ["TOLD"], "a") as told:
            told.write(f"{report.when} {report.outcome}\\n")
"""


@pytest.mark.parametrize(
    ("options", "passed"),
    [((), {"call": 2}), (("--durations", "0"), {"setup": 3, "call": 2, "teardown": 3})],
)
def test_a_worker_sends_every_failure_and_of_what_passes_only_what_is_read(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], passed: dict[str, int]
) -> None:
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(test_parts=PARTS, told=TOLD)
    file = pytester.path / "told"
    monkeypatch.setenv("TOLD", str(file))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)  # of the worker that runs this test
    result = pytester.runpytest_subprocess("-p", "told", "-n1", "--dist", "loadfile", *options)
    result.assert_outcomes(passed=2, failed=1, errors=2)
    result.stdout.fnmatch_lines_random(["*the fixture is broken*", "*the fixture is untidy*", "*'one' == 'other'*"])
    told = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    assert [part for part, outcome in told if outcome == "failed"] == ["call", "setup", "teardown"]
    assert Counter(part for part, outcome in told if outcome == "passed") == passed
