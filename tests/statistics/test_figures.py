"""Figures of a span of time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest

from tablectl.config.shifts import DEFAULT, begins_of
from tablectl.statistics.figures import (
    Bucket,
    Figures,
    Filters,
    PhaseFigure,
    RateFigure,
    figures_of,
    floats_of,
    hands_of,
    incidents_of,
)
from tablectl.statistics.rows import FloatRow, HandRow, IncidentRow, PhaseRow
from tablectl.statistics.shifts import Shifts
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
    assert [(bucket.when, bucket.expected, bucket.counted, bucket.difference) for bucket in found.buckets] == [
        (time(13), None, 900, -100),
        (time(15), 1010, 1010, 10),
        (time(2), None, None, None),
        (time(4), 990, 990, -10),
    ]
    assert (found.has_expected, figures().has_expected) == (True, False)


def test_entries_of_the_float_are_the_tables_and_of_their_shift() -> None:
    assert floats_of(FLOATS, Filters(croupier="luis", clause="THB-ERR-1"), SHIFTS) == FLOATS
    assert [float_row.seq for float_row in floats_of(FLOATS, Filters(shift=2), SHIFTS)] == [12]


def test_the_hours_of_a_day_stand_in_their_order_with_the_float_since_its_start() -> None:
    assert figures().buckets == (
        Bucket(when=time(13), hands=2, rate=2.0, incidents=1, change=-1500, since_start=-1500),
        Bucket(when=time(15), hands=1, rate=1.0, incidents=1, change=100, since_start=-1400),
        Bucket(when=time(2), hands=1, rate=1.0, incidents=1, change=0, since_start=-1400),
    )


def test_the_night_stands_with_the_day_before() -> None:
    (day,) = figures(by_day=True).buckets
    assert (day.when, day.hands, day.incidents, day.since_start) == (date(2026, 11, 21), 4, 3, -1400)
    assert day.rate == pytest.approx(4 / 3), "four hands in three hours"


def test_sums_and_medians() -> None:
    found = figures()
    assert (found.hands, found.voids, found.cards, found.presses, found.float_change) == (4, 1, 56, 32, -1400)
    assert (found.median_hand_s, found.median_acknowledged_s, found.median_closed_s) == (150.0, 120.0, None)
    assert found.clauses == (("THB-ERR-1", 2), ("THB-SAB-1", 1))
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


# --- errors of the deal -----------------------------------------------------------------------------------------------

#: Decided, and an error of the deal.
ERROR: Final = replace(incident(1, "21T13:41", "THB-ERR-4"), of_croupier=True, closed_us=1, remedy="next-card")


def test_errors_are_counted_by_who_dealt_and_by_shift_beside_the_hands() -> None:
    errors = (ERROR, replace(ERROR, incident=2), replace(ERROR, incident=3, croupier="", raised_us=HANDS[3].opened_us))
    found = figures_of(HANDS, errors, SHIFTS, by_day=False)
    assert found.croupiers == (RateFigure(name="ana", hands=2, errors=2), RateFigure(name="luis", hands=1, errors=0))
    assert [(rate.name, rate.hands, rate.errors) for rate in found.shifts] == [
        ("06:00–14:00", 2, 2),
        ("14:00–22:00", 1, 0),
        ("22:00–06:00", 1, 1),
    ]


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"of_croupier": False}, id="a player's or the deck's"),
        pytest.param({"device": "antenna-3"}, id="a device told it"),
        pytest.param({"remedy": "continue"}, id="ruled to be nothing"),
        pytest.param({"remedy": "reject"}, id="rejected"),
        pytest.param({"withdrawn": True}, id="the entry was corrected"),
        pytest.param({"closed_us": None, "remedy": ""}, id="not decided yet"),
    ],
)
def test_nobody_has_an_error_that_was_not_his(changed: dict[str, Any]) -> None:
    found = figures_of(HANDS, (replace(ERROR, **changed),), SHIFTS, by_day=False)
    assert sum(rate.errors for rate in (*found.croupiers, *found.shifts)) == 0
    assert figures_of(HANDS, (ERROR,), SHIFTS, by_day=False).croupiers[0].errors == 1


def test_a_rate_is_in_a_hundred_hands_with_its_exact_interval() -> None:
    rate = RateFigure(name="ana", hands=250, errors=5)
    assert rate.per_100 == 2.0
    assert rate.interval == pytest.approx((100 * 1.6235 / 250, 100 * 11.6683 / 250), rel=1e-4)


# --- phases -----------------------------------------------------------------------------------------------------------


def phase(hand_number: int, place: int, name: str, seconds: float) -> PhaseRow:
    return PhaseRow(hand=hand_number, place=place, phase=name, lasted_us=round(seconds * 1_000_000))


def test_phases_stand_in_their_order_with_median_and_quarters_of_hands_that_were_played() -> None:
    rows = (
        *(phase(number, 0, "betting", seconds) for number, seconds in ((1, 10), (3, 20), (4, 40))),
        *(phase(number, 1, "dealing", seconds) for number, seconds in ((1, 5), (3, 6), (4, 7))),
        phase(2, 0, "betting", 1000),  # its hand was annulled
        phase(9, 0, "betting", 1000),  # its hand is not among those that are looked at
    )
    assert figures_of(HANDS, (), SHIFTS, by_day=False, phases=rows).phases == (
        PhaseFigure(phase="betting", hands=3, median_s=20.0, quarter_s=15.0, three_quarters_s=30.0),
        PhaseFigure(phase="dealing", hands=3, median_s=6.0, quarter_s=5.5, three_quarters_s=6.5),
    )


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
