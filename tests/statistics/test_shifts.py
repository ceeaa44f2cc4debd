"""Days and shifts by the house's clock."""

from __future__ import annotations

from datetime import date, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from tablectl.config.shifts import DEFAULT, begins_of
from tablectl.statistics.rows import moment_of
from tablectl.statistics.shifts import Shifts
from tests.statistics.times import us_of

MADRID = Shifts(begins=begins_of(DEFAULT), zone=ZoneInfo("Europe/Madrid"))
UTC_ZONE = ZoneInfo("UTC")
UTC = Shifts(begins=begins_of(DEFAULT), zone=UTC_ZONE)


@pytest.mark.parametrize(
    ("at", "day", "shift"),
    [
        ("2026-11-21T05:59:59.999999Z", date(2026, 11, 20), 2),
        ("2026-11-21T06:00:00Z", date(2026, 11, 21), 0),
        ("2026-11-21T13:59:59Z", date(2026, 11, 21), 0),
        ("2026-11-21T14:00:00Z", date(2026, 11, 21), 1),
        ("2026-11-21T22:00:00Z", date(2026, 11, 21), 2),
        ("2026-11-22T00:30:00Z", date(2026, 11, 21), 2),
    ],
)
def test_the_night_belongs_to_the_day_on_which_it_began(at: str, day: date, shift: int) -> None:
    assert (UTC.day_of(us_of(at)), UTC.shift_of(us_of(at))) == (day, shift)


def test_the_clock_is_that_of_the_house() -> None:
    at_us = us_of("2026-11-21T05:30:00Z")
    assert (MADRID.shift_of(at_us), UTC.shift_of(at_us)) == (0, 2)


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 28), 23), (date(2026, 10, 24), 25), (date(2026, 5, 1), 24)])
def test_a_day_in_which_the_clock_is_put_has_its_hours(day: date, hours: int) -> None:
    from_us, to_us = MADRID.from_to_us(day, day)
    assert to_us - from_us == hours * 3_600_000_000
    assert MADRID.day_of(from_us) == MADRID.day_of(to_us - 1) == day
    assert MADRID.day_of(to_us) != day


@pytest.mark.parametrize("zone", ["Europe/Madrid", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"])
def test_the_hour_and_the_day_are_those_of_a_calendar(zone: str) -> None:
    """Around both nights on which the clock is put, some of them by half an hour."""
    shifts = Shifts(begins=begins_of(DEFAULT), zone=ZoneInfo(zone))
    for begin in ("2026-03-28", "2026-04-04", "2026-10-03", "2026-10-24", "2026-11-01", "2026-03-08"):
        for minute in range(0, 2 * 1440, 7):
            us = us_of(f"{begin}T00:00:00Z") + minute * 60_000_000 - 1
            local = moment_of(us).astimezone(ZoneInfo(zone))
            shown = local.replace(tzinfo=UTC_ZONE)  # what the clock on the wall says, to count with
            assert shifts.hour_of(us) == (shown - moment_of(0)) // timedelta(hours=1)
            assert shifts.day_of(us) == (shown - timedelta(hours=6)).date()
            assert shifts.shift_of(us) == (local.hour - 6) % 24 // 8


def test_a_shift_is_named_by_its_times() -> None:
    assert [UTC.name(shift) for shift in range(3)] == ["06:00–14:00", "14:00–22:00", "22:00–06:00"]


def test_one_shift_is_the_whole_day() -> None:
    one = Shifts(begins=(time(12),), zone=ZoneInfo("UTC"))
    assert {one.shift_of(us_of(f"2026-11-21T{hour:02}:00:00Z")) for hour in range(24)} == {0}


@pytest.mark.parametrize(
    "texts", [[], ["6:00"], ["24:00"], ["06:00", "06:00"], ["14:00", "06:00"], [600], ["06:00"] * 9, ["06:00\n"]]
)
def test_what_are_no_shifts_is_said(texts: list[object]) -> None:
    with pytest.raises(ValueError, match="expected 1 to 8 times"):
        begins_of(texts)
