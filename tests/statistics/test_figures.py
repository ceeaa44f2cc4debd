"""Figures of a span of time, and their plots."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest

from tablectl.config.shifts import DEFAULT, begins_of
from tablectl.statistics.figures import Bucket, Figures, Filters, figures_of, floats_of, hands_of, incidents_of
from tablectl.statistics.plots import PLOTS, plot
from tablectl.statistics.rows import FloatRow, HandRow, IncidentRow
from tablectl.statistics.shifts import Shifts
from tablectl.web.screens.statistics_page import PLOTS as PAGE_PLOTS
from tests.statistics.times import us_of

SHIFTS = Shifts(begins=begins_of(DEFAULT), zone=ZoneInfo("UTC"))
MINUTE_US = 60_000_000


def hand(number: int, at: str, *, net: int | None = 0, croupier: str = "ana", void: str = "") -> HandRow:
    opened_us = us_of(f"2026-11-{at}:00Z")
    return HandRow(
        hand=number,
        game="texas-bonus",
        opened_us=opened_us,
        closed_us=opened_us + number * MINUTE_US,
        croupier=croupier,
        void=void,
        cards=14,
        presses=8,
        bank_net=net,
    )


def incident(number: int, at: str, clause: str, *, device: str = "", croupier: str = "ana") -> IncidentRow:
    raised_us = us_of(f"2026-11-{at}:00Z")
    return IncidentRow(
        incident=number,
        hand=1,
        clause=clause,
        severity="alert",
        raised_us=raised_us,
        croupier=croupier,
        device=device,
        acknowledged_us=raised_us + number * MINUTE_US,
        acknowledged_by="ana",
    )


HANDS = (
    hand(1, "21T13:10", net=500),
    hand(2, "21T13:40", net=-2000, void="THB-ERR-1"),
    hand(3, "21T15:05", net=100, croupier="luis"),
    hand(4, "22T02:00", net=None, croupier=""),
)
INCIDENTS = (
    incident(1, "21T13:41", "THB-ERR-1"),
    incident(2, "21T15:06", "THB-SAB-1", device="shoe", croupier="luis"),
    incident(3, "22T02:10", "THB-ERR-1", croupier=""),
)


def counted(number: int, at: str, amount: int, *, act: str = "count", expected: int | None = None) -> FloatRow:
    at_us = us_of(f"2026-11-{at}:00Z")
    counted_on = 1000 if act == "count" else None
    return FloatRow(
        seq=number,
        hand=1,
        at_us=at_us,
        act=act,
        amount=amount,
        counted_on=counted_on,
        expected=expected,
        by="ana",
        second="luis",
    )


#: A count and a fill before a hand that does not say what it changed, a count after it, and one in an hour of its own.
FLOATS = (
    counted(3, "21T13:05", 900, expected=900),
    counted(4, "21T13:06", 100, act="fill", expected=1000),
    counted(9, "21T15:30", 1010, expected=1010),
    counted(12, "22T04:00", 990, expected=990),
)


def figures(hands: tuple[HandRow, ...] = HANDS, *, by_day: bool = False, floats: tuple[FloatRow, ...] = ()) -> Figures:
    return figures_of(hands, INCIDENTS if hands else (), SHIFTS, by_day=by_day, floats=floats)


def test_an_hour_ends_with_what_was_expected_last_and_has_its_last_count() -> None:
    hands = (replace(HANDS[0], float_expected=1500), HANDS[1], *HANDS[2:])
    found = figures(hands, floats=FLOATS)
    assert [(bucket.label, bucket.expected, bucket.counted, bucket.difference) for bucket in found.buckets] == [
        ("13:00", None, 900, -100),
        ("15:00", 1010, 1010, 10),
        ("02:00", None, None, None),
        ("04:00", 990, 990, -10),
    ]
    assert (found.has_expected, figures().has_expected) == (True, False)


def test_entries_of_the_float_are_the_tables_and_of_their_shift() -> None:
    assert floats_of(FLOATS, Filters(croupier="luis", clause="THB-ERR-1"), SHIFTS) == FLOATS
    assert [float_row.seq for float_row in floats_of(FLOATS, Filters(shift=2), SHIFTS)] == [12]


def test_the_line_of_the_expected_float_is_broken_where_nobody_knew_it_and_needs_no_zero() -> None:
    one = replace(figures().buckets[0], expected=2_500_000)
    text = drawn(
        "expected", replace(figures(), buckets=(one, replace(one, expected=None), replace(one, expected=2_520_000)))
    )
    lines = {float(match) for match in re.findall(r">(-?[0-9.]+)</text>", text)}
    assert min(lines) >= 24_000
    assert max(lines) >= 25_200
    assert "Sin datos" in drawn("expected", replace(figures(), buckets=(replace(one, expected=None),)))
    flat = drawn("expected", replace(figures(), buckets=(one,)))
    assert "25000" in flat


def test_the_hours_of_a_day_stand_in_their_order_with_the_float_since_its_start() -> None:
    assert figures().buckets == (
        Bucket(label="13:00", hands=2, rate=2.0, incidents=1, change=-1500, since_start=-1500),
        Bucket(label="15:00", hands=1, rate=1.0, incidents=1, change=100, since_start=-1400),
        Bucket(label="02:00", hands=1, rate=1.0, incidents=1, change=0, since_start=-1400),
    )


def test_the_night_stands_with_the_day_before() -> None:
    (day,) = figures(by_day=True).buckets
    assert (day.label, day.hands, day.incidents, day.since_start) == ("2026-11-21", 4, 3, -1400)
    assert day.rate == pytest.approx(4 / 3), "four hands in three hours"


def test_sums_and_medians() -> None:
    found = figures()
    assert (found.hands, found.voids, found.cards, found.presses, found.float_change) == (4, 1, 56, 32, -1400)
    assert (found.median_hand_s, found.median_acknowledged_s, found.median_closed_s) == (150.0, 120.0, None)
    assert found.clauses == (("THB-ERR-1", 2), ("THB-SAB-1", 1))
    assert found.croupiers == (("", 1), ("ana", 1), ("luis", 1))
    assert found.shifts == (("06:00–14:00", 1), ("14:00–22:00", 1), ("22:00–06:00", 1))
    assert found.devices == (("shoe", 1),)


def test_without_amounts_nobody_knows_the_float() -> None:
    assert figures().has_amounts is True
    assert figures(tuple(replace(hand_row, bank_net=None) for hand_row in HANDS)).has_amounts is False
    assert figures(tuple(replace(hand_row, bank_net=None, fee=5) for hand_row in HANDS)).float_change == 20


@pytest.mark.parametrize(
    ("filters", "hands", "incidents"),
    [
        (Filters(), [1, 2, 3, 4], [1, 2, 3]),
        (Filters(shift=0), [1, 2], [1]),
        (Filters(shift=2), [4], [3]),
        (Filters(shift=7), [], []),
        (Filters(croupier="luis"), [3], [2]),
        (Filters(device="shoe"), [1, 2, 3, 4], [2]),
        (Filters(clause="THB-ERR-1", shift=0), [1, 2], [1]),
    ],
)
def test_what_the_filters_let_through(filters: Filters, hands: list[int], incidents: list[int]) -> None:
    assert [hand_row.hand for hand_row in hands_of(HANDS, filters, SHIFTS)] == hands
    assert [incident_row.incident for incident_row in incidents_of(INCIDENTS, filters, SHIFTS)] == incidents


def test_a_hand_that_is_not_over_is_not_counted() -> None:
    assert hands_of((replace(HANDS[0], closed_us=None),), Filters(), SHIFTS) == ()


def drawn(name: str, of: Figures) -> str:
    return plot(name, of, exponent=2, nothing="Sin datos", nobody="nadie").decode()


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_an_image_without_a_script(name: str) -> None:
    for of in (figures(floats=FLOATS), figures(())):
        text = drawn(name, of)
        assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert "<script" not in text
        assert "http://www.w3.org" in text.replace("http://www.w3.org/1999", "")
    assert "Sin datos" in drawn(name, figures(()))
    assert "Sin datos" not in drawn(name, figures(floats=FLOATS))


def test_a_plot_names_what_its_table_names() -> None:
    assert "THB-ERR-1" in drawn("clauses", figures())
    assert "nadie" in drawn("croupiers", figures())
    assert "22:00–06:00" in drawn("shifts", figures())
    assert "-14" in drawn("float", figures()), "in whole units of the currency"


@pytest.mark.parametrize("euros", [-7, -360, 1_234_567])
def test_the_axis_of_the_float_has_zero_and_few_lines_however_much_it_is(euros: int) -> None:
    one = replace(figures().buckets[0], since_start=euros * 100)
    text = drawn("float", replace(figures(), buckets=(one,), has_amounts=True))
    lines = {float(match) for match in re.findall(r">(-?[0-9.]+)</text>", text)}
    assert 0 in lines
    assert min(lines) <= min(euros, 0)
    assert max(lines) >= max(euros, 0)
    assert 2 <= len(lines) <= 9


def test_the_page_has_every_plot_there_is() -> None:
    assert tuple(PLOTS) == PAGE_PLOTS


class AskedZone(ZoneInfo):
    """Counts how often it is asked."""

    asked = 0

    def utcoffset(self, dt: datetime | None, /) -> timedelta | None:
        AskedZone.asked += 1
        return super().utcoffset(dt)

    def fromutc(self, dt: datetime, /) -> datetime:
        AskedZone.asked += 1
        return super().fromutc(dt)


@pytest.mark.parametrize("by_day", [False, True])
def test_the_clock_of_the_house_is_asked_for_quarters_of_an_hour_and_not_for_rows(*, by_day: bool) -> None:
    shifts = Shifts(begins=begins_of(DEFAULT), zone=AskedZone("Europe/Madrid"))
    hands = tuple(hand(number, f"21T{number % 4:02}:{number % 60:02}") for number in range(1, 2000))
    AskedZone.asked = 0
    found = figures_of(hands_of(hands, Filters(shift=2), shifts), (), shifts, by_day=by_day)
    assert sum(bucket.hands for bucket in found.buckets) == 1999
    assert AskedZone.asked <= 2 * 16
