"""Rows as CSV (RFC 4180): a header in English, times RFC 3339 UTC, money in whole numbers of the smallest unit, and the
currency of each row, where its records say it.

A text that a spreadsheet would take for a formula gets an apostrophe before it: names of devices come from USB, and
whoever plugs one in writes them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Final

from tablectl.statistics.alarm_rows import AlarmRow
from tablectl.statistics.figures import RateFigure
from tablectl.statistics.rows import FloatRow, HandRow, IncidentRow, rfc3339

#: With what a formula begins, in the spreadsheets that there are.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_SECOND_US: Final = 1_000_000


def hands_csv(rows: Iterable[HandRow]) -> str:
    """One line a hand."""
    return _csv((_hand(row) | _unit(row) for row in rows), _HAND + _UNIT)


def incidents_csv(rows: Iterable[IncidentRow]) -> str:
    """One line an incident."""
    return _csv(map(_incident, rows), _INCIDENT)


def floats_csv(rows: Iterable[FloatRow]) -> str:
    """One line a count, a fill or a credit."""
    return _csv((_float(row) | _unit(row) for row in rows), _FLOAT + _UNIT)


def alarms_csv(rows: Iterable[AlarmRow]) -> str:
    """One line an alarm."""
    return _csv(map(_alarm, rows), _ALARM)


def rates_csv(rates: Iterable[RateFigure]) -> str:
    """One line a croupier: errors of the deal, and how many in a hundred hands with the exact limits of that."""
    return _csv(map(_rate, rates), _RATE)


_HAND: Final = (
    "hand",
    "game",
    "opened_at",
    "closed_at",
    "duration_s",
    "croupier",
    "void_clause",
    "cards",
    "presses",
    "bank_net",
    "fee",
    "float_expected",
)
_INCIDENT: Final = (
    "incident",
    "hand",
    "clause",
    "severity",
    "croupier",
    "device",
    "raised_at",
    "acknowledged_at",
    "acknowledged_by",
    "acknowledged_after_s",
    "decided_at",
    "decided_by",
    "decided_after_s",
    "remedy",
)
_ALARM: Final = (
    "alarm",
    "kind",
    "about",
    "priority",
    "must_respond",
    "losses",
    "raised_at",
    "answered_at",
    "answered_by",
    "answered_after_s",
    "over_at",
)
_RATE: Final = ("croupier", "hands", "errors", "errors_per_100_hands", "from", "to")
_UNIT: Final = ("currency", "currency_exponent")
_FLOAT: Final = ("record", "hand", "at", "entry", "amount", "expected", "difference", "by", "second", "chips")


def _unit(row: HandRow | FloatRow) -> dict[str, str | int | None]:
    return {"currency": row.currency, "currency_exponent": row.currency_exponent}


def _hand(row: HandRow) -> dict[str, str | int | None]:
    return {
        "hand": row.hand,
        "game": row.game,
        "opened_at": rfc3339(row.opened_us),
        "closed_at": _time(row.closed_us),
        "duration_s": _seconds(row.duration_us),
        "croupier": row.croupier,
        "void_clause": row.void,
        "cards": row.cards,
        "presses": row.presses,
        "bank_net": row.bank_net,
        "fee": row.fee,
        "float_expected": row.float_expected,
    }


def _incident(row: IncidentRow) -> Mapping[str, str | int | None]:
    return {
        "incident": row.incident,
        "hand": row.hand,
        "clause": row.clause,
        "severity": row.severity,
        "croupier": row.croupier,
        "device": row.device,
        "raised_at": rfc3339(row.raised_us),
        "acknowledged_at": _time(row.acknowledged_us),
        "acknowledged_by": row.acknowledged_by,
        "acknowledged_after_s": _seconds(row.until_acknowledged_us),
        "decided_at": _time(row.closed_us),
        "decided_by": row.closed_by,
        "decided_after_s": _seconds(row.until_closed_us),
        "remedy": row.remedy,
    }


def _float(row: FloatRow) -> dict[str, str | int | None]:
    return {
        "record": row.seq,
        "hand": row.hand,
        "at": rfc3339(row.at_us),
        "entry": row.act,
        "amount": row.amount,
        "expected": row.counted_on,
        "difference": row.difference,
        "by": row.by,
        "second": row.second,
        "chips": row.chips,
    }


def _alarm(row: AlarmRow) -> dict[str, str | int | None]:
    return {
        "alarm": row.number,
        "kind": row.kind,
        "about": row.about,
        "priority": row.priority,
        "must_respond": row.responder,
        "losses": row.losses,
        "raised_at": rfc3339(row.raised_us),
        "answered_at": _time(row.answered_us),
        "answered_by": row.answered_by,
        "answered_after_s": _seconds(row.until_answered_us),
        "over_at": _time(row.over_us),
    }


def _rate(rate: RateFigure) -> dict[str, str | int | None]:
    low, high = rate.interval
    return {
        "croupier": rate.name,
        "hands": rate.hands,
        "errors": rate.errors,
        "errors_per_100_hands": f"{rate.per_100:.3f}",
        "from": f"{low:.3f}",
        "to": f"{high:.3f}",
    }


def _csv(rows: Iterable[Mapping[str, str | int | None]], columns: tuple[str, ...]) -> str:
    made = StringIO()
    writer = csv.DictWriter(made, columns, lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _plain(value) if isinstance(value, str) else value for name, value in row.items()})
    return made.getvalue()


def _plain(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _time(us: int | None) -> str:
    return "" if us is None else rfc3339(us)


def _seconds(us: int | None) -> str:
    return "" if us is None else f"{us / _SECOND_US:.3f}"
