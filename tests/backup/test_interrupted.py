"""A restore that is killed before any of its steps: everything is as it was, or nothing of the table starts until the
restore is at its end; and the same command again always brings it there."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tablectl.cli.main import main
from tablectl.config.table_file import BadConfig, load, restoring
from tests.backup.tables import Table, records_in, seen
from tests.journal.journals import WHOLE_HAND

#: More steps than any restore here has.
MANY: Final = 400
#: Where all is as it was, another restore has the same before it each time: one in so many is enough.
AGAIN: Final = 10


class Mortals:
    """Forks restores that are killed."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.backup.mortal"]
        self._process = processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def restore(self, archive: Path, config: Path, *, step: int) -> int:
        """Its exit status."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        words = ["restore", str(archive), "--config", str(config), "--replace"]
        self._process.stdin.write(json.dumps({"words": words, "step": step}) + "\n")
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0


@pytest.fixture(scope="module")
def mortals() -> Iterator[Mortals]:
    made = Mortals()
    yield made
    made.close()


def is_old(folder: Path, old: dict[str, tuple[bytes, int]]) -> bool:
    """Byte by byte."""
    return {name: file for name, file in seen(folder).items() if name in old} == old


def lost(folder: Path, old: dict[str, tuple[bytes, int]]) -> list[str]:
    """Which files of before are neither in their place nor aside."""
    now = [path.read_bytes() for path in folder.iterdir() if path.is_file()]
    return [name for name, (text, _) in old.items() if text not in now]


@pytest.mark.wide
def test_a_restore_that_is_killed_at_any_step_leaves_the_old_table_or_is_brought_to_its_end(
    mortals: Mortals, tmp_path: Path
) -> None:
    table = Table(tmp_path / "table")
    table.furnished(WHOLE_HAND)
    archive = table.back_up(tmp_path / "archives")
    backed_up = table.records()
    table.plays("press new-hand\n")
    assert len(table.records()) > len(backed_up)
    outcomes = set()
    for step in range(1, MANY):
        there = tmp_path / "there"
        shutil.copytree(table.folder, there)
        config = there / table.config.name
        config.write_text(config.read_text(encoding="utf-8").replace(str(table.folder), str(there)), encoding="utf-8")
        old = seen(there)
        status = mortals.restore(archive, config, step=step)
        if status == 0:
            outcomes.add("done")
            assert step > 30, "so many steps it has at least"
            shutil.rmtree(there)
            break
        assert status == -signal.SIGKILL
        if restoring(config).exists():
            outcomes.add("half")
            with pytest.raises(BadConfig, match="a restore that was interrupted"):
                load(config)
        else:
            outcomes.add("old")
            assert is_old(there, old), step
            load(config)
            if step % AGAIN:
                shutil.rmtree(there)
                continue
        words = ["restore", str(archive), "--config", str(config), "--replace"]
        assert main(words) == 0
        assert records_in(there / "table.db") == backed_up
        assert not [path for path in there.iterdir() if "restoring" in path.name]
        assert not lost(there, old), step
        shutil.rmtree(there)
    assert outcomes == {"old", "half", "done"}
