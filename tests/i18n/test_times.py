"""Times in the house's zone: the hour, the day where it is not today, and the night that has an hour twice."""

from __future__ import annotations

from datetime import date

import pytest

from tablectl.i18n import times

MADRID = "Europe/Madrid"


@pytest.mark.parametrize(
    ("at", "hour"),
    [
        ("2026-03-29T00:59:59.000000Z", "01:59:59"),
        ("2026-03-29T01:00:00.000000Z", "03:00:00"),
        ("2026-10-24T23:59:59.000000Z", "01:59:59"),
        ("2026-10-25T00:30:00.000000Z", "02:30:00 CEST"),
        ("2026-10-25T01:30:00.000000Z", "02:30:00 CET"),
        ("2026-10-25T02:00:00.000000Z", "03:00:00"),
    ],
)
def test_summer_time_begins_with_an_hour_that_is_not_there_and_ends_with_one_that_is_there_twice(
    at: str, hour: str
) -> None:
    assert times.hour(at, MADRID) == hour


@pytest.mark.parametrize(("zone", "hour"), [("UTC", "02:30:00"), ("Atlantic/Canary", "03:30:00"), (MADRID, "04:30:00")])
def test_the_zone_is_the_houses_wherever_the_screens_run(zone: str, hour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert times.hour("2026-07-01T02:30:00Z", zone) == hour


def test_the_day_is_said_where_it_is_not_the_houses_today() -> None:
    at = "2026-07-01T22:30:00Z"
    assert times.time(at, MADRID, "es", today=date(2026, 7, 2)) == "00:30:00"
    assert times.time(at, MADRID, "es", today=date(2026, 7, 1)) == "02/07/2026 00:30"
    assert times.time(at, "UTC", "en", today=date(2026, 7, 1)) == "22:30:00"
    assert times.time(at, "UTC", "en", today=None) == "01/07/2026 22:30"


@pytest.mark.parametrize("language", ["es", "en", "fr"])
def test_a_date_stands_before_the_minute_and_a_language_in_preparation_writes_it_as_english_does(language: str) -> None:
    assert times.moment("2026-11-22T17:54:59Z", MADRID, language) == "22/11/2026 18:54"
    assert times.moment("2026-11-22T17:54:59Z", MADRID, language, to="seconds") == "22/11/2026 18:54:59"


def test_a_time_without_an_offset_is_utc_and_milliseconds_are_cut_not_rounded() -> None:
    assert times.hour("2026-07-01T10:00:00.999999", MADRID, to="milliseconds") == "12:00:00.999"


def test_what_is_no_time_is_an_error_and_what_is_no_zone_is_known() -> None:
    with pytest.raises(ValueError, match="yesterday"):
        times.local("yesterday", MADRID)
    assert times.is_zone(MADRID)
    assert not any(map(times.is_zone, ("Europe/Atlantis", "", "../etc/passwd", "/etc/localtime")))
