"""What the uplink tells of itself in its file: how it is, how far behind, since when, and that it is there at all."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Final

import msgspec
import pytest
from pytest_mock import MockerFixture

from simulators import processes
from tablectl.core.timestamps import time_text, time_us
from tablectl.fleet.uplink import sender
from tablectl.fleet.uplink.state import STALE_S, Link, Remembered, StateFile, UplinkStatus
from tablectl.journal.clock import now_us
from tablectl.journal.receipts import Receipt
from tests.desk import Desk
from tests.fleet.linked import NAME, enrol, running
from tests.fleet.pits import Pit
from tests.waiting import until

NOTHING: Final = Receipt(table="", epoch="-.0", seq=0, hash="", at="")
NOW_US: Final = 1_795_296_600_000_000


def told(pit: Pit) -> Remembered:
    return StateFile(pit.settings_of(NAME).state).read()


def link_in(pit: Pit) -> Link | None:
    status = told(pit).status
    return None if status is None else status.link


@pytest.mark.system
@pytest.mark.usefixtures("soon")
def test_the_file_says_what_is_sent_and_how_much_is_missing_while_the_pit_server_is_away(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    with running(table, pit):
        until(lambda: (told(pit).acked, told(pit).behind) == (table.newest, 0) and link_in(pit) is Link.SENDING)
        had, status = told(pit), told(pit).status
        assert status is not None
        assert status.stopped == ""
        assert had.certificate_until > had.at
        pit.stop()
        table.open_hand()
        until(lambda: link_in(pit) is Link.AWAY and told(pit).behind == table.newest - had.acked > 0)
        away = told(pit).status
        assert away is not None
        assert time_us(status.since) < time_us(away.stopped) <= now_us()
        table.stop()
        then = told(pit)
        until(lambda: told(pit).at > then.at)
        assert told(pit).newest >= then.newest, "what the table had is known, though it does not answer"
        pit.start()
        until(lambda: link_in(pit) is Link.NO_TABLE)
        no_table = told(pit).status
        assert no_table is not None
        assert no_table.stopped == away.stopped, "nothing was sent in between"
        assert told(pit).runs(now_us())
    assert not told(pit).runs(now_us()), "an uplink that ended in order says so"
    assert told(pit).acked == had.acked


@pytest.mark.system
@pytest.mark.usefixtures("soon")
def test_an_uplink_that_waits_long_says_all_the_same_that_it_is_there(
    table: Desk, pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "REFUSED_PAUSE_S", 600.0)
    with running(table, pit) as uplink:
        until(lambda: link_in(pit) is Link.NOT_ADMITTED)
        then = told(pit).at
        until(lambda: told(pit).at > then)
        assert uplink.status.link is Link.NOT_ADMITTED


@pytest.mark.system
@pytest.mark.usefixtures("soon")
def test_a_new_start_knows_what_was_acknowledged_before_the_server_is_heard(table: Desk, pit: Pit) -> None:
    enrol(table, pit)
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
    pit.stop()
    acked = table.newest
    with running(table, pit) as uplink:
        until(lambda: link_in(pit) is Link.AWAY)
        assert (told(pit).acked, told(pit).behind, uplink.status.is_compared) == (acked, 0, False)
        pit.start()
        until(lambda: uplink.status.link is Link.SENDING)
        assert uplink.status.acked == acked, "though no record was sent since"


@pytest.mark.system
@pytest.mark.usefixtures("soon")
def test_what_was_acknowledged_is_in_the_file_soon_so_that_a_killed_uplink_is_no_loss(
    table: Desk, pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without waiting for the next time at which it says that it is there."""
    monkeypatch.setattr(sender, "REMEMBER_S", 3600.0)
    enrol(table, pit)
    with running(table, pit) as uplink:
        until(lambda: link_in(pit) is Link.SENDING)
        for _ in range(2):
            table.open_hand()
            table.play_on()
            table.world.replace()
            until(lambda: uplink.status.acked == table.newest)
            until(lambda: (told(pit).receipt or NOTHING).seq == uplink.status.acked)
            assert (told(pit).acked, told(pit).behind) == (uplink.status.acked, 0)


def test_a_file_that_is_not_written_any_more_is_of_an_uplink_that_does_not_run() -> None:
    def runs(after_s: float) -> bool:
        return Remembered(at=time_text(NOW_US)).runs(NOW_US + int(after_s * 1_000_000))

    assert [runs(after_s) for after_s in (0, STALE_S, STALE_S + 1, -3_600)] == [True, True, False, False]
    assert not Remembered().runs(NOW_US)
    assert not Remembered(at="yesterday").runs(NOW_US)


def test_a_file_of_an_earlier_release_is_read_and_the_group_may_read_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "uplink.json"
    path.write_text('{"receipt": null, "clock": null, "not_renewed": "why"}')
    file = StateFile(path)
    had = file.read()
    assert (had.not_renewed, had.status, had.acked) == ("why", None, 0)
    program = "import os; os.umask(0o027); from tests.fleet.test_uplink_status import write; write({!r})"
    processes.run([sys.executable, "-c", program.format(str(path))], check=True, timeout=60)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert link_of(file) is Link.FORK


def write(path: str) -> None:
    """As the unit's process does, with its mask."""
    StateFile(Path(path)).write(Remembered(status=UplinkStatus(link=Link.FORK), at=time_text(NOW_US)))


def link_of(file: StateFile) -> Link | None:
    status = file.read().status
    return None if status is None else status.link


def test_no_disk_is_waited_for_and_what_a_power_cut_left_is_read(tmp_path: Path, mocker: MockerFixture) -> None:
    synced = mocker.patch.object(os, "fsync")
    state = StateFile(tmp_path / "uplink.json")
    state.write(Remembered(newest=7))
    assert state.read().newest == 7
    synced.assert_not_called()
    (tmp_path / "uplink.json").write_bytes(b"")
    assert state.read() == Remembered()
    state.write(Remembered(newest=8))
    assert state.read().newest == 8


def test_a_state_of_a_later_release_is_no_reason_not_to_send(tmp_path: Path) -> None:
    path = tmp_path / "uplink.json"
    path.write_bytes(msgspec.json.encode({"status": {"link": "of-later"}}))
    assert StateFile(path).read() == Remembered()
