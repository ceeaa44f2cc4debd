"""A journal on a disk that is really full or really read-only.

Run by `test_tilt.py` with mounts of its own: `unshare --map-root-user --mount python -m pytest tests/real_disk.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from simulators.stage.summary import check
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.table.controller.controller import EXIT_TILT
from tests.desk import Desk, desk
from tests.journal.journals import records
from tests.test_tilt import notes, says_so, stopped

DISK: Final = "size=8m"
PLACES: Final = 'path = "disk/table.db"\nkey = "disk/table.key"\nsigning_key = "disk/table.sign"'
CHUNK: Final = bytes(4096)


@pytest.fixture
def table() -> Iterator[Desk]:
    """The journal on a small disk of its own; the second copy elsewhere."""
    with desk() as made:
        (made.folder / "disk").mkdir()
        mount(made, "-t", "tmpfs", "-o", DISK, "none")
        made.configure(PLACES)
        try:
            yield made
        finally:
            made.stop()
            processes.run(["umount", made.folder / "disk"], check=True)


def mount(table: Desk, *how: str) -> None:
    processes.run(["mount", *how, table.folder / "disk"], check=True)


def ballast(table: Desk) -> Path:
    return table.folder / "disk" / "ballast"


def fill(table: Desk) -> None:
    """Until there is no room for one byte more."""
    descriptor = os.open(ballast(table), os.O_WRONLY | os.O_CREAT)
    with suppress(OSError):
        while True:
            os.write(descriptor, CHUNK)
    os.close(descriptor)
    usage = os.statvfs(table.folder / "disk")
    assert usage.f_bavail == 0


def goes_on(table: Desk, n_acknowledged: int) -> None:
    table.clear()
    before = records(table.journal)
    assert len(before) > n_acknowledged
    table.start()
    assert table.records(table.newest - 1)[0]["prompt"]["question"] == "felt"
    table.play_on()
    stopped(table)
    assert check(table.journal).good


def test_a_full_disk_keeps_what_was_acknowledged_and_the_tilt_and_goes_on_when_there_is_room(table: Desk) -> None:
    table.start()
    table.open_hand()
    table.deal("As", "Kd")
    fill(table)
    acknowledged = 0
    while True:
        reply = table.enter("acknowledge 99 by ana")
        assert reply["ok"], "what met the full disk is kept all the same"
        acknowledged = reply["seq"]
        assert acknowledged < 5000, "the disk does not fill"
        if table.log.events("tilt"):
            break
    assert table.ended() == EXIT_TILT
    says_so(table, TiltKind.DISK_FULL, "the disk is full; the last fact is kept, make room")
    (note,) = notes(table, "tilted")
    assert note["seq"] == acknowledged + 1
    assert note["fact"]["tilt"] == "disk-full"

    fill(table)
    with pytest.raises(Tilt) as refused:
        table.clear()
    assert refused.value.kind is TiltKind.DISK_FULL
    assert table.does_not_start() == EXIT_TILT

    ballast(table).unlink()
    assert table.does_not_start() == EXIT_TILT
    goes_on(table, acknowledged)


def test_a_read_only_disk_is_a_tilt_whose_mark_stands_beside_the_copy(table: Desk) -> None:
    table.start()
    table.open_hand()
    table.deal("As", "Kd")
    stopped(table)
    before = table.newest
    mount(table, "-o", "remount,ro")
    assert table.does_not_start() == EXIT_TILT
    says_so(table, TiltKind.READ_ONLY, "Read-only file system")
    assert not table.journal.with_suffix(".tilt").exists()
    with pytest.raises(Tilt) as refused:
        table.clear()
    assert refused.value.kind is TiltKind.READ_ONLY
    mount(table, "-o", "remount,rw")
    assert table.newest == before
    assert table.does_not_start() == EXIT_TILT
    goes_on(table, before)
