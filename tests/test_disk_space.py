"""The room that is left on the disks of a table: at which rate it goes, how long it lasts, and how urgent that is."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import closing
from datetime import time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tablectl.core.disk_room import Holds, Urgency
from tablectl.core.events.codec import encode_json
from tablectl.core.timestamps import time_text
from tablectl.journal.store import Store
from tablectl.journal.volumes import VolumeSet, volumes
from tablectl.statistics.shifts import Shifts
from tablectl.table.disk_space import (
    ALARM_BYTES,
    Archives,
    Folder,
    backup_report_path,
    dealt_a_day,
    heard,
    measured,
    read_backup_report,
    spaces,
    told,
    urgency_of,
    write_backup_report,
)
from tests.journal.journals import WHOLE_HAND, keep_keys, places, sat

GB = 1_000_000_000
HOUR_US = 3_600_000_000
DAY_US = 24 * HOUR_US
#: 2026-11-02, noon in Madrid.
NOON_US = 1_793_617_200_000_000
HOUSE = Shifts(begins=(time(6),), zone=ZoneInfo("Europe/Madrid"))
ARCHIVES = Archives(folder="/srv/b", archive_bytes=2 * GB, journal_bytes=10 * GB, n_archives=14, keep=14)


def journal_of(path: Path, days: Iterable[tuple[int, int, int]]) -> Path:
    """A journal with so many records from the noon of a day on, a minute apart, of so many hands."""
    hand = 0
    with closing(Store.open(path)) as store:
        for day, n_records, n_hands in days:
            for number in range(n_records):
                at = time_text(NOON_US + day * DAY_US + number * 60_000_000)
                current = hand + (number * n_hands) // n_records + (1 if n_hands else 0)
                store.append(hand=current, boundary=False, public=encode_json({"at": at}), sealed=None)
            hand += n_hands
    return path


def rate(journal: Path) -> float | None:
    with closing(VolumeSet(journal)) as volume_set:
        return dealt_a_day(volume_set, HOUSE.day_of)


# -- how urgent --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("free_gb", "days", "urgency"),
    [
        (100, 30.01, Urgency.NONE),
        (100, 30.0, Urgency.NOTICE),
        (100, 7.01, Urgency.NOTICE),
        (100, 7.0, Urgency.ALARM),
        (2.001, 31.0, Urgency.NONE),
        (2, 1000.0, Urgency.ALARM),
        (2, None, Urgency.ALARM),
        (2.001, None, Urgency.NONE),
    ],
)
def test_a_month_is_a_notice_a_week_or_two_gigabytes_an_alarm(
    free_gb: float, days: float | None, urgency: Urgency
) -> None:
    assert ALARM_BYTES == 2 * GB
    assert urgency_of(int(free_gb * GB), days) is urgency


def folder(holds: Holds, device: int, rate_bytes: float | None, free_bytes: int = 100 * GB) -> Folder:
    return Folder(holds=holds, path=f"/{holds}", device=device, free_bytes=free_bytes, rate_bytes=rate_bytes)


def test_folders_on_one_disk_use_up_its_room_together() -> None:
    found = spaces([folder(Holds.JOURNAL, 1, 2 * GB), folder(Holds.COPY, 2, 2 * GB), folder(Holds.BACKUPS, 1, 8 * GB)])
    assert [(space.holds, space.days, space.urgency) for space in found] == [
        (Holds.JOURNAL, 10.0, Urgency.NOTICE),
        (Holds.COPY, 50.0, Urgency.NONE),
        (Holds.BACKUPS, 10.0, Urgency.NOTICE),
    ]
    (unknown,) = spaces([folder(Holds.COPY, 3, None)])
    assert (unknown.days, unknown.urgency) == (None, Urgency.NONE)


def test_what_is_told_is_heard_again() -> None:
    found = spaces([folder(Holds.JOURNAL, 1, None), folder(Holds.COPY, 2, 1.5, free_bytes=3)])
    assert heard(told(found)) == found


# -- the rate of the journal -------------------------------------------------------------------------------------------


def test_the_rate_is_that_of_the_last_seven_days_that_are_over(tmp_path: Path) -> None:
    days = [(0, 900, 9), *((number, 10 * number, 2) for number in range(1, 8)), (8, 5, 2)]
    assert rate(journal_of(tmp_path / "table.db", days)) == 40


def test_days_without_a_hand_are_no_dealing_days(tmp_path: Path) -> None:
    days = [(0, 20, 2), (1, 2, 0), (9, 40, 2), (10, 2, 0), (11, 2, 0), (30, 3, 2)]
    assert rate(journal_of(tmp_path / "table.db", days)) == 30


def test_the_first_day_counts_as_long_as_it_is_the_only_one(tmp_path: Path) -> None:
    assert rate(journal_of(tmp_path / "table.db", [(0, 50, 2)])) == 50
    assert rate(journal_of(tmp_path / "new.db", [(0, 3, 0)])) is None


def test_a_night_belongs_to_the_day_on_which_it_began(tmp_path: Path) -> None:
    """A minute apart: 1,000 records from noon on end at twenty to five in the morning."""
    assert rate(journal_of(tmp_path / "table.db", [(0, 1000, 30), (1, 500, 9), (2, 4, 2)])) == 750


def test_a_clock_that_was_set_back_ends_no_search(tmp_path: Path) -> None:
    days = [(5, 10, 2), (3, 10, 2), (4, 10, 2), (1, 10, 2)]
    assert (rate(journal_of(tmp_path / "table.db", days)) or 0) > 0


# -- the disks ---------------------------------------------------------------------------------------------------------


def test_the_disks_of_a_table_are_measured(tmp_path: Path) -> None:
    journal = journal_of(tmp_path / "table.db", [(0, 30, 2), (1, 30, 2)])
    copy = tmp_path / "table.copy"
    copy.write_bytes(bytes(6000))
    write_backup_report(
        journal, Archives(folder=str(tmp_path), archive_bytes=10, journal_bytes=10, n_archives=1, keep=1)
    )
    with closing(VolumeSet(journal)) as volume_set:
        found = measured(journal, copy, HOUSE.day_of, volume_set)
    assert [(space.holds, space.path) for space in found] == [(hold, str(tmp_path)) for hold in Holds]
    disk = os.statvfs(tmp_path)
    assert found[0].free_bytes == pytest.approx(disk.f_bavail * disk.f_frsize, rel=0.05)
    a_day = (journal.stat().st_size + 6000 + journal.stat().st_size) / 2
    assert found[0].days == pytest.approx(found[0].free_bytes / a_day, rel=0.05)


@pytest.mark.parametrize("n_archived", [0, 2])
def test_volumes_count_as_far_as_they_are_here(tmp_path: Path, n_archived: int) -> None:
    """All of it was dealt on one day, so that its disk grows by what is here a day."""
    keep_keys(tmp_path)
    where = places(tmp_path, volume_records=20)
    sat(where, WHOLE_HAND * 4)
    journal = where.journal
    here = volumes(journal)[n_archived:]
    for path in volumes(journal)[:n_archived]:
        path.rename(tmp_path / f"archived-{path.name}")
    with closing(VolumeSet(journal)) as volume_set:
        n_records = len(list(volume_set.records()))
        assert dealt_a_day(volume_set, HOUSE.day_of) == n_records
        (space,) = measured(journal, None, HOUSE.day_of, volume_set)
    assert space.days is not None
    assert space.free_bytes / space.days == pytest.approx(sum(path.stat().st_size for path in here))


def test_a_folder_that_cannot_be_looked_at_is_left_out(tmp_path: Path) -> None:
    journal = journal_of(tmp_path / "table.db", [(0, 30, 2)])
    write_backup_report(
        journal, Archives(folder=str(tmp_path / "gone"), archive_bytes=1, journal_bytes=1, n_archives=1, keep=1)
    )
    with closing(VolumeSet(journal)) as volume_set:
        found = measured(journal, tmp_path / "gone" / "table.copy", HOUSE.day_of, volume_set)
    assert [space.holds for space in found] == [Holds.JOURNAL]


# -- the backups -------------------------------------------------------------------------------------------------------


def test_backups_that_stay_grow_with_the_journal_and_until_then_one_comes_a_day() -> None:
    assert ARCHIVES.rate_bytes(0.1 * GB) == pytest.approx(0.02 * GB * 14)
    some = Archives(folder="/srv/b", archive_bytes=2 * GB, journal_bytes=10 * GB, n_archives=3, keep=14)
    assert some.rate_bytes(0.1 * GB) == pytest.approx(0.02 * GB * 3 + 2 * GB)


def test_what_a_backup_reports_is_found_again(tmp_path: Path) -> None:
    journal = tmp_path / "table.db"
    assert read_backup_report(journal) is None
    write_backup_report(journal, ARCHIVES)
    assert read_backup_report(journal) == ARCHIVES
    assert [path.name for path in tmp_path.iterdir()] == ["table.backups"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"folder": 1}', "null", '{"folder": "/x", "archive_bytes": "many"}'])
def test_a_report_that_is_none_is_not_believed(tmp_path: Path, text: str) -> None:
    backup_report_path(tmp_path / "table.db").write_text(text, encoding="utf-8")
    assert read_backup_report(tmp_path / "table.db") is None
