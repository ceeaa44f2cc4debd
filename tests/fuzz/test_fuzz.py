"""Every parser of bytes from a device, fuzzed under the guidance of its coverage. Bounded by runs, never by time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tests.fuzz.targets import TARGETS

#: It has wheels for Python 3.11 to 3.13.
pytest.importorskip("atheris")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(0)]

ROOT: Final = Path(__file__).parents[2]
#: For each of some thirty targets; the corpus begins with golden bytes, so a wrong bound is near.
RUNS: Final = 20_000
#: A mistake that is certainly there.
RUNS_PLANTED: Final = 100_000


def fuzz(target: str, folder: Path, runs: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.fuzz", target, str(folder), str(runs)]
    return processes.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False, cwd=ROOT
    )


@pytest.mark.parametrize("target", TARGETS)
def test_no_input_breaks_a_promise(target: str, tmp_path: Path) -> None:
    ended = fuzz(target, tmp_path, RUNS)
    assert ended.returncode == 0, ended.stdout
    assert f"Done {RUNS} runs" in ended.stdout


def test_a_mistake_that_was_planted_is_found(tmp_path: Path) -> None:
    ended = fuzz("planted", tmp_path, RUNS_PLANTED)
    assert ended.returncode != 0
    assert "IndexError" in ended.stdout
    assert len([*tmp_path.glob("crash-*")]) == 1
