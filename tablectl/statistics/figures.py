"""From rows to figures: what the statistics' page says of a span of time. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, time
from statistics import median, quantiles
from typing import Final

from tablectl.core.public_table.chip_float import COUNTS
from tablectl.statistics.poisson import garwood
from tablectl.statistics.rows import FloatRow, HandRow, IncidentRow, PhaseRow
from tablectl.statistics.shifts import Shifts

_SECOND_US: Final = 1_000_000
#: Errors are said of so many hands.
_PER: Final = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Filters:
    """What is looked at. `day` None: the newest one, or with `every_day` all of them; `shift` None: all of them; an
    empty text: any.

    `device` and `clause` choose among incidents only, since a hand has neither.
    """

    day: date | None = None
    every_day: bool = False
    shift: int | None = None
    croupier: str = ""
    device: str = ""
    clause: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bucket:
    """An hour of a day, or a day of a longer span (`when`). `rate` is hands an hour: of an hour its hands, of a day its
    hands by the hours in which there were any. `change` is the float's in it, `since_start` up to its end. `expected`
    is what should have lain in the tray at its end, and `counted` with `difference` what its last count found; None
    where nobody could know, or counted."""

    when: date | time
    hands: int
    rate: float
    incidents: int
    change: int
    since_start: int
    expected: int | None = None
    counted: int | None = None
    difference: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RateFigure:
    """Errors of the deal that croupiers caused in so many hands, of one of them or of a shift."""

    name: str
    hands: int
    errors: int

    @property
    def per_100(self) -> float:
        """In a hundred hands."""
        return _PER * self.errors / self.hands

    @property
    def interval(self) -> tuple[float, float]:
        """Between which rates, in a hundred hands, these errors are no surprise: exact (Garwood), 95 %."""
        low, high = garwood(self.errors)
        return _PER * low / self.hands, _PER * high / self.hands


@dataclass(frozen=True, kw_only=True, slots=True)
class PhaseFigure:
    """How long hands were in a phase: the median, and between which times half of them were."""

    phase: str
    hands: int
    median_s: float
    quarter_s: float
    three_quarters_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """Everything that the page shows. Counts are by what has any, the greatest first, shifts and phases in their
    order."""

    hands: int
    voids: int
    rate: float
    cards: int
    presses: int
    float_change: int
    has_amounts: bool
    has_expected: bool
    incidents: int
    median_hand_s: float | None
    median_acknowledged_s: float | None
    median_closed_s: float | None
    buckets: tuple[Bucket, ...]
    clauses: tuple[tuple[str, int], ...]
    croupiers: tuple[RateFigure, ...]
    shifts: tuple[RateFigure, ...]
    phases: tuple[PhaseFigure, ...]
    devices: tuple[tuple[str, int], ...]


def hands_of(rows: Iterable[HandRow], filters: Filters, shifts: Shifts) -> tuple[HandRow, ...]:
    """The hands that are over and that the filters let through; one belongs to the shift in which it was opened."""
    return tuple(
        row
        for row in rows
        if row.closed_us is not None
        and filters.croupier in ("", row.croupier)
        and (filters.shift is None or filters.shift == shifts.shift_of(row.opened_us))
    )


def incidents_of(rows: Iterable[IncidentRow], filters: Filters, shifts: Shifts) -> tuple[IncidentRow, ...]:
    """The incidents that the filters let through."""
    return tuple(
        row
        for row in rows
        if filters.croupier in ("", row.croupier)
        and filters.device in ("", row.device)
        and filters.clause in ("", row.clause)
        and (filters.shift is None or filters.shift == shifts.shift_of(row.raised_us))
    )


def floats_of(rows: Iterable[FloatRow], filters: Filters, shifts: Shifts) -> tuple[FloatRow, ...]:
    """The entries of the float that the filters let through: they are the table's, whoever deals."""
    return tuple(row for row in rows if filters.shift is None or filters.shift == shifts.shift_of(row.at_us))


def figures_of(
    hands: tuple[HandRow, ...],
    incidents: tuple[IncidentRow, ...],
    shifts: Shifts,
    *,
    by_day: bool,
    floats: tuple[FloatRow, ...] = (),
    phases: tuple[PhaseRow, ...] = (),
) -> Figures:
    """What there is to say of these. `by_day`: they are of a span of several days."""
    buckets = tuple(_buckets(hands, incidents, floats, shifts, by_day=by_day))
    return Figures(
        hands=len(hands),
        voids=sum(bool(hand.void) for hand in hands),
        rate=_rate(hands, shifts),
        cards=sum(hand.cards for hand in hands),
        presses=sum(hand.presses for hand in hands),
        float_change=sum(hand.float_change for hand in hands),
        has_amounts=any(hand.bank_net is not None or hand.fee is not None for hand in hands),
        has_expected=any(bucket.expected is not None or bucket.counted is not None for bucket in buckets),
        incidents=len(incidents),
        median_hand_s=_median_s(hand.duration_us for hand in hands),
        median_acknowledged_s=_median_s(incident.until_acknowledged_us for incident in incidents),
        median_closed_s=_median_s(incident.until_closed_us for incident in incidents),
        buckets=buckets,
        clauses=_counted(incident.clause for incident in incidents if incident.clause),
        croupiers=tuple(_croupiers(hands, incidents)),
        shifts=tuple(_shifts(hands, incidents, shifts)),
        phases=tuple(_phases(hands, phases)),
        devices=_counted(incident.device for incident in incidents if incident.device),
    )


def _croupiers(hands: tuple[HandRow, ...], incidents: tuple[IncidentRow, ...]) -> Iterator[RateFigure]:
    """By name; who dealt when nobody had signed on is nobody."""
    dealt = Counter(hand.croupier for hand in hands if hand.croupier)
    errors = Counter(incident.croupier for incident in incidents if incident.is_croupiers)
    for name, n_hands in sorted(dealt.items()):
        yield RateFigure(name=name, hands=n_hands, errors=errors[name])


def _shifts(hands: tuple[HandRow, ...], incidents: tuple[IncidentRow, ...], shifts: Shifts) -> Iterator[RateFigure]:
    dealt = Counter(shifts.shift_of(hand.opened_us) for hand in hands)
    errors = Counter(shifts.shift_of(incident.raised_us) for incident in incidents if incident.is_croupiers)
    for shift, n_hands in sorted(dealt.items()):
        yield RateFigure(name=shifts.name(shift), hands=n_hands, errors=errors[shift])


def _phases(hands: tuple[HandRow, ...], phases: tuple[PhaseRow, ...]) -> Iterator[PhaseFigure]:
    """Of hands that were played to their end, in the order in which most of them came to the phases."""
    played = {hand.hand for hand in hands if not hand.void}
    found: dict[str, list[PhaseRow]] = {}
    for row in phases:
        if row.hand in played:
            found.setdefault(row.phase, []).append(row)
    for phase, rows in sorted(found.items(), key=lambda pair: (median(row.place for row in pair[1]), pair[0])):
        seconds = [row.lasted_us / _SECOND_US for row in rows]
        quarter, _, three_quarters = quantiles(seconds, n=4, method="inclusive") if len(rows) > 1 else seconds * 3
        yield PhaseFigure(
            phase=phase,
            hands=len(rows),
            median_s=median(seconds),
            quarter_s=quarter,
            three_quarters_s=three_quarters,
        )


def _buckets(
    hands: tuple[HandRow, ...],
    incidents: tuple[IncidentRow, ...],
    floats: tuple[FloatRow, ...],
    shifts: Shifts,
    *,
    by_day: bool,
) -> Iterator[Bucket]:
    """In their order, those in between in which nothing happened left out."""
    place = _day if by_day else Shifts.hour_of
    dealt: dict[int, list[HandRow]] = {}
    for hand in hands:
        dealt.setdefault(place(shifts, hand.opened_us), []).append(hand)
    raised = Counter(place(shifts, incident.raised_us) for incident in incidents)
    entered: dict[int, list[FloatRow]] = {}
    for entry in floats:
        entered.setdefault(place(shifts, entry.at_us), []).append(entry)
    since_start = 0
    for bucket in sorted(dealt.keys() | raised.keys() | entered.keys()):
        here, entries = dealt.get(bucket, []), entered.get(bucket, [])
        counts = [float_row for float_row in entries if float_row.act in COUNTS]
        change = sum(hand_row.float_change for hand_row in here)
        since_start += change
        yield Bucket(
            when=date.fromordinal(bucket) if by_day else time(bucket % 24),
            hands=len(here),
            rate=_rate(here, shifts),
            incidents=raised[bucket],
            change=change,
            since_start=since_start,
            expected=_expected(here, entries),
            counted=counts[-1].amount if counts else None,
            difference=counts[-1].difference if counts else None,
        )


def _expected(hands: list[HandRow], entries: list[FloatRow]) -> int | None:
    """By what came last: a hand that closed, or an entry; of the same moment, the entry."""
    of_hands = [(hand.closed_us or 0, hand.float_expected) for hand in hands]
    by_time = sorted((*of_hands, *((entry.at_us, entry.expected) for entry in entries)), key=lambda pair: pair[0])
    return by_time[-1][1] if by_time else None


def _day(shifts: Shifts, us: int) -> int:
    return shifts.day_of(us).toordinal()


def _rate(hands: Iterable[HandRow], shifts: Shifts) -> float:
    by_hour = Counter(shifts.hour_of(hand.opened_us) for hand in hands)
    return sum(by_hour.values()) / len(by_hour) if by_hour else 0.0


def _median_s(lasted_us: Iterable[int | None]) -> float | None:
    known = [number for number in lasted_us if number is not None]
    return median(known) / _SECOND_US if known else None


def _counted(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(words).items(), key=lambda pair: (-pair[1], pair[0])))
