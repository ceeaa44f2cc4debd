"""The fold: public records become rows, one after another. Pure.

`fold(totals, record)` gives the totals after it and the rows that it made or changed. What it has to remember from one
record to the next is in the totals, so that it can go on where it was after a restart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from tablectl.core.engine import decisions as d
from tablectl.core.engine.cable_faults import cited
from tablectl.core.engine.croupier_errors import is_of_croupier
from tablectl.core.engine.facts import Corrected, DeviceBack, DeviceLost, DeviceSaid, Ruled, TopologyChanged
from tablectl.core.engine.vocabulary import Chooser, Remedy
from tablectl.core.events.corrections import first_told
from tablectl.core.events.notes import FloatCounted, FloatNote
from tablectl.core.events.stream import Event, PublicRecord, decode_record
from tablectl.core.public_table.chip_float import Tray, act_of, chips_of
from tablectl.core.public_table.chip_float import fold as fold_tray
from tablectl.games.registry import CIRCLE_GAMES
from tablectl.statistics.alarm_rows import AlarmFold, AlarmRow, AlarmTotals
from tablectl.statistics.rows import FloatRow, HandRow, IncidentRow, PhaseRow


@dataclass(frozen=True, kw_only=True, slots=True)
class TimedHand:
    """The hand in play, 0 between two hands; the phase of the table and since when; and how long the hand was in each
    of those before."""

    hand: int = 0
    phase: str = ""
    since_us: int = 0
    lasted_us: Mapping[str, int] = field(default_factory=dict)

    def until(self, at_us: int) -> TimedHand:
        """With the time in the phase that holds now."""
        lasted_us = self.lasted_us.get(self.phase, 0) + at_us - self.since_us
        return replace(self, since_us=at_us, lasted_us={**self.lasted_us, self.phase: lasted_us})


@dataclass(frozen=True, kw_only=True, slots=True)
class Totals:
    """How far it is folded: the number of the last record and its digest, what is not over yet, and the currency of
    what comes: empty where the records do not say it."""

    seq: int = 0
    digest: str = ""
    croupier: str = ""
    hand: HandRow | None = None
    incidents: Mapping[int, IncidentRow] = field(default_factory=dict)
    tray: Tray = field(default_factory=Tray)
    alarms: AlarmTotals = field(default_factory=AlarmTotals)
    currency: str = ""
    currency_exponent: int | None = None
    timed: TimedHand = field(default_factory=TimedHand)


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    """Rows to be written, each with its number; a row written before is replaced. `withdrawn`: incidents that never
    were, also those of which nothing else changes."""

    hands: Mapping[int, HandRow] = field(default_factory=dict)
    incidents: Mapping[int, IncidentRow] = field(default_factory=dict)
    floats: Mapping[int, FloatRow] = field(default_factory=dict)
    alarms: Mapping[int, AlarmRow] = field(default_factory=dict)
    phases: tuple[PhaseRow, ...] = ()
    withdrawn: frozenset[int] = frozenset()


def digest_of(record: Mapping[str, Any]) -> str:
    """What tells a record from any other one, in hexadecimal digits."""
    plain = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()


def fold(totals: Totals, record: PublicRecord) -> tuple[Totals, Changes]:
    """The totals after one more record, its digest not worked out."""
    at_us, event = record.at_us, record.event
    hand, incidents, croupier = totals.hand, dict(totals.incidents), totals.croupier
    tray = fold_tray(totals.tray, record, circle_games=CIRCLE_GAMES)
    currency, exponent = _currency(totals, record)
    hands: dict[int, HandRow] = {}
    changed: dict[int, IncidentRow] = {}
    withdrawn: set[int] = set()
    for decision in first_told(record.decisions):
        match decision:
            case d.Withdrawn(fallen=fallen):
                withdrawn.update(fallen)
                hand = None if hand is None else replace(hand, void="")
                for number in incidents.keys() & set(fallen):
                    # Nobody can acknowledge what never was: nothing will be added to it.
                    changed[number] = _fallen(incidents.pop(number), event, at_us)
            case d.CroupierAtTable():
                croupier = decision.croupier
            case d.CroupierLeft():
                croupier = ""
            case d.HandOpened(hand=number):
                hand = hands[number] = HandRow(
                    hand=number,
                    game=decision.rulebook,
                    opened_us=at_us,
                    croupier=croupier,
                    currency=currency,
                    currency_exponent=exponent,
                )
            case d.HandVoided() if hand is not None:
                hand = hands[hand.hand] = replace(hand, void=decision.clause)
            case d.HandClosed() if hand is not None and hand.hand == decision.hand:
                hands[hand.hand], hand = _closed(hand, decision, at_us, tray.expected), None
            case d.IncidentRaised(incident=number):
                withdrawn.discard(number)
                incidents[number] = changed[number] = IncidentRow(
                    incident=number,
                    hand=record.hand if hand is None else hand.hand,
                    clause=cited(decision.clause, decision.observed),
                    severity=decision.severity.value,
                    raised_us=incidents[number].raised_us if number in incidents else at_us,
                    croupier=croupier,
                    device=_device(event),
                    of_croupier=is_of_croupier(decision),
                )
            case d.IncidentSeen(incident=number) if number in incidents:
                incidents[number] = changed[number] = _acknowledged(incidents[number], decision, at_us)
            case d.IncidentClosed(incident=number) if number in incidents:
                incidents[number] = changed[number] = _ended(incidents[number], decision, event, at_us)
    alarm_fold = AlarmFold(totals.alarms, record)
    timed, phases = _timed(totals.timed, record)
    still = {number: incident for number, incident in incidents.items() if not incident.is_done}
    after = Totals(
        seq=record.seq,
        croupier=croupier,
        hand=hand,
        incidents=still,
        tray=tray,
        alarms=alarm_fold.totals(),
        currency=currency,
        currency_exponent=exponent,
        timed=timed,
    )
    return after, Changes(
        hands=hands,
        incidents=changed,
        floats=dict(_floats(record, after)),
        alarms=alarm_fold.changed,
        phases=phases,
        withdrawn=frozenset(withdrawn),
    )


def fold_all(totals: Totals, records: Iterable[Mapping[str, Any]]) -> tuple[Totals, Changes]:
    """The same for several records as they came, which have to follow each other. Raises `LookupError` or `ValueError`
    for what is no record, and where one is missing."""
    hands: dict[int, HandRow] = {}
    incidents: dict[int, IncidentRow] = {}
    floats: dict[int, FloatRow] = {}
    alarms: dict[int, AlarmRow] = {}
    phases: list[PhaseRow] = []
    withdrawn: set[int] = set()
    last: Mapping[str, Any] | None = None
    for record in records:
        if int(record["seq"]) != totals.seq + 1:
            raise ValueError(f"record {record['seq']} after {totals.seq}")
        totals, made = fold(totals, decode_record(record))
        hands.update(made.hands)
        incidents.update(made.incidents)
        floats.update(made.floats)
        alarms.update(made.alarms)
        phases.extend(made.phases)
        withdrawn = (withdrawn - made.incidents.keys()) | made.withdrawn
        last = record
    if last is not None:
        totals = replace(totals, digest=digest_of(last))
    return totals, Changes(
        hands=hands,
        incidents=incidents,
        floats=floats,
        alarms=alarms,
        phases=tuple(phases),
        withdrawn=frozenset(withdrawn),
    )


def _timed(timed: TimedHand, record: PublicRecord) -> tuple[TimedHand, tuple[PhaseRow, ...]]:
    """The hand's time by phases after one more record, and the rows of a hand that ended with it."""
    rows: tuple[PhaseRow, ...] = ()
    for decision in first_told(record.decisions):
        match decision:
            case d.HandOpened(hand=number):
                timed = TimedHand(hand=number, phase=timed.phase, since_us=record.at_us)
            case d.PhaseEntered(phase=phase):
                timed = replace(timed.until(record.at_us), phase=phase)
            case d.HandClosed(hand=number) if number == timed.hand:
                lasted_us = timed.until(record.at_us).lasted_us
                there = [(phase, us) for phase, us in lasted_us.items() if us > 0]
                rows = tuple(
                    PhaseRow(hand=number, place=place, phase=phase, lasted_us=us)
                    for place, (phase, us) in enumerate(there)
                )
                timed = TimedHand(phase=timed.phase, since_us=record.at_us)
    return timed, rows


def _currency(totals: Totals, record: PublicRecord) -> tuple[str, int | None]:
    """Code and decimals from this record on: each hand and each start says it beside its software, or not at all."""
    if record.software is None:
        return totals.currency, totals.currency_exponent
    return record.currency or "", record.currency_exponent


def _floats(record: PublicRecord, totals: Totals) -> Iterator[tuple[int, FloatRow]]:
    """The row of a count, a fill or a credit, with its number; none of anything else."""
    event = record.event
    if isinstance(event, FloatNote):
        yield (
            record.seq,
            FloatRow(
                seq=record.seq,
                hand=record.hand,
                at_us=record.at_us,
                act=act_of(event).value,
                amount=event.amount,
                counted_on=event.expected if isinstance(event, FloatCounted) else None,
                expected=totals.tray.expected,
                by=event.by,
                second=event.second,
                chips=" ".join(f"{chip.count}x{chip.value}" for chip in chips_of(event)),
                currency=totals.currency,
                currency_exponent=totals.currency_exponent,
            ),
        )


def _closed(hand: HandRow, closed: d.HandClosed, at_us: int, expected: int | None) -> HandRow:
    has_bank = _has_bank(hand.game)
    return replace(
        hand,
        closed_us=at_us,
        cards=closed.drawn,
        presses=closed.presses,
        bank_net=closed.float_change if has_bank else None,
        fee=None if has_bank else closed.float_change,
        float_expected=expected,
    )


def _acknowledged(row: IncidentRow, seen: d.IncidentSeen, at_us: int) -> IncidentRow:
    """The first one who acknowledges it counts."""
    return row if row.acknowledged_us is not None else replace(row, acknowledged_us=at_us, acknowledged_by=seen.by)


def _ended(row: IncidentRow, closed: d.IncidentClosed, event: Event, at_us: int) -> IncidentRow:
    names = ""
    if isinstance(event, Ruled) and event.incident == row.incident:
        names = "+".join(filter(None, (event.by, event.second)))
    return replace(row, closed_us=at_us, closed_by=names or closed.by.value, remedy=closed.remedy.value)


def _fallen(row: IncidentRow, event: Event, at_us: int) -> IncidentRow:
    """The entry that had raised it was put right, or undone by the croupier."""
    names = (event.by, event.second) if isinstance(event, Corrected) else ()
    closed_by = "+".join(filter(None, names)) or Chooser.CROUPIER.value
    return replace(row, closed_us=at_us, closed_by=closed_by, remedy=Remedy.CORRECT.value, withdrawn=True)


def _device(event: Event) -> str:
    """The device that a fact is about: by the name that the configuration gives it, or as USB describes it."""
    match event:
        case TopologyChanged():
            return event.what
        case DeviceLost() | DeviceBack() | DeviceSaid():
            return event.device
        case _:
            return ""


@cache
def _has_bank(game: str) -> bool:
    """Whether players of a game bet against the bank; a game that this version does not know is taken for one."""
    return game not in CIRCLE_GAMES
