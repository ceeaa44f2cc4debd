"""A small file is there whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from simulators import processes
from tablectl.journal.whole_file import remove_left_over, write_whole


def test_a_file_takes_the_place_of_the_old_one_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    write_whole(tmp_path / "file", b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_where_a_file_cannot_be_put_nothing_is_left_behind(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path / "file", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_where_a_file_cannot_be_prepared_the_old_one_stays(tmp_path: Path) -> None:
    def fails(unfinished: Path) -> None:
        raise PermissionError(unfinished)

    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(PermissionError):
        write_whole(tmp_path / "file", b"new", prepare=fails)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def test_it_has_its_mode_before_it_has_its_name(tmp_path: Path) -> None:
    modes: list[int] = []
    before = os.umask(0o022)
    try:
        write_whole(
            tmp_path / "key", b"k", mode=0o600, prepare=lambda new: modes.append(stat.S_IMODE(new.stat().st_mode))
        )
        write_whole(tmp_path / "open", b"o")
    finally:
        os.umask(before)
    assert modes == [0o600]
    assert stat.S_IMODE((tmp_path / "open").stat().st_mode) == 0o644


def test_file_and_folder_are_on_the_disk_when_it_has_its_name_unless_nobody_needs_that(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    synced = mocker.spy(os, "fsync")
    write_whole(tmp_path / "file", b"new")
    assert synced.call_count == 2
    write_whole(tmp_path / "file", b"newer", is_synced=False)
    assert synced.call_count == 2
    assert (tmp_path / "file").read_bytes() == b"newer"


#: Ends as by `kill -9` before the file has its name.
_KILLED = """
import os, sys
from pathlib import Path
from tablectl.journal.whole_file import write_whole
write_whole(Path(sys.argv[1]), b"new", prepare=lambda _: os.kill(os.getpid(), 9))
"""


def test_whoever_is_killed_leaves_the_old_file_and_the_next_one_clears_up(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    (tmp_path / "file.new").write_bytes(b"somebody else's")
    killed = processes.run([sys.executable, "-P", "-c", _KILLED, str(path)], check=False)
    assert killed.returncode == -9
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 3
    remove_left_over(path)
    assert {found.name for found in tmp_path.iterdir()} == {"file", "file.new"}
