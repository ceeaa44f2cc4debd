"""A table that was not set up yet is no tilt: its missing folders are named, and nothing is left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from simulators.stage.stage import Scene, config_text
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.journal.tilt import Mark, TiltKind, leave
from tablectl.ops.first_run import missing_folders

PLACES: Final = '[journal]\npath = "state/table.db"\ncopy = "disk/table.copy"\n'
SOCKET: Final = '[control]\nsocket = "run/table.sock"\n'


def table(folder: Path, *made: str) -> Path:
    """Its configuration: journal in `state`, socket in `run`, copy in `disk`; those that were made."""
    for name in made:
        (folder / name).mkdir()
    config = folder / "mesa-1.toml"
    text = config_text(Scene(), folder).replace("[control]\n", SOCKET)
    config.write_text(f"{text}\n{PLACES}", encoding="utf-8")
    return config


def run(config: Path) -> subprocess.CompletedProcess[str]:
    return processes.run(
        [sys.executable, "-m", "tablectl", "run", str(config)],
        capture_output=True,
        text=True,
        check=False,
    )


def named(config: Path) -> list[str]:
    return [folder.key for folder in missing_folders(load(config))]


def test_each_missing_folder_is_named_with_what_would_be_right_and_no_tilt_is_left(tmp_path: Path) -> None:
    done = run(table(tmp_path))
    assert done.returncode == 2
    *lines, last = done.stderr.splitlines()
    assert [line.partition("; ")[0] for line in lines] == [
        f"{tmp_path}/mesa-1.toml: {key}: found no folder {tmp_path / folder}"
        for key, folder in (("journal.path", "state"), ("journal.copy", "disk"), ("control.socket", "run"))
    ]
    assert "`tablectl setup`" in lines[0]
    assert "was not set up yet" in lines[0]
    assert "systemctl start tablectl@mesa-1" in lines[2]
    assert last == "Nothing was started, and this is no tilt: there is nothing to clear."
    assert [path.name for path in tmp_path.rglob("*")] == ["mesa-1.toml"]


def test_there_is_nothing_to_clear_at_a_table_that_was_not_set_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["clear", str(table(tmp_path)), "--by", "eva", "--reason", "x"]
    assert main(words) == 2
    *lines, last = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2].partition(":")[0] for line in lines] == ["journal.path", "journal.copy"]
    assert last == "Nothing was cleared: a table that was not set up has no tilt."
    for name in ("state", "disk"):
        (tmp_path / name).mkdir()
    assert main(words) == 1, "there is no tilt to clear"


@pytest.mark.parametrize("missing", ["state", "disk", "run"])
def test_one_folder_is_enough(missing: str, tmp_path: Path) -> None:
    key = {"state": "journal.path", "disk": "journal.copy", "run": "control.socket"}[missing]
    assert named(table(tmp_path, *({"state", "disk", "run"} - {missing}))) == [key]


def test_where_all_are_there_nothing_is_missing(tmp_path: Path) -> None:
    assert named(table(tmp_path, "state", "disk", "run")) == []


@pytest.mark.parametrize("begun", ["state/table.db", "state/table-0002.db", "disk/table.copy"])
def test_a_table_that_has_begun_and_lacks_a_disk_is_for_the_start_to_judge(begun: str, tmp_path: Path) -> None:
    """Its journal or its copy is there: then it is a disk that is gone, and no new table."""
    config = table(tmp_path, begun.partition("/")[0], "run")
    (tmp_path / begun).touch()
    assert named(config) == []
    (tmp_path / "run").rmdir()
    assert named(config) == ["control.socket"]


def test_a_tilted_table_stays_tilted_whatever_is_missing(tmp_path: Path) -> None:
    config = table(tmp_path, "run")
    leave(Mark(kind=TiltKind.READ_ONLY, reason="x", at=""), [tmp_path / "run/table.tilt"])
    assert named(config) == []
    done = run(config)
    assert done.returncode == 3


def test_a_folder_that_is_there_and_takes_no_writes_is_a_tilt_as_before(tmp_path: Path) -> None:
    config = table(tmp_path, "state", "disk", "run")
    (tmp_path / "state").rmdir()
    # Whoever asks may be root, whom no mode keeps from writing: there, nobody makes a file.
    (tmp_path / "state").symlink_to("/proc/self")
    assert named(config) == []
    done = run(config)
    assert done.returncode == 3, done.stderr
    assert json.loads((tmp_path / "run/table.tilt").read_text(encoding="utf-8"))["kind"] == "read-only"
