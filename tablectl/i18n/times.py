"""Times as people at the table read them: in the house's zone, with the date where it is not today's; the form of a
date is the language's. Exports say RFC 3339 and use none of this.

Records say UTC (RFC 3339). The night that summer time ends has an hour twice; a time in it says which one it is.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cache
from typing import Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from tablectl.i18n.languages import LANGUAGES, SOURCE
from tablectl.i18n.texts import load_texts

#: Where no zone is known.
NO_ZONE: Final = "UTC"
#: To what an hour is said.
Precision: TypeAlias = Literal["minutes", "seconds", "milliseconds"]


def _format_of_a_day(language: str) -> str:
    """As the catalogue of the language has it."""
    return load_texts().text("number", "day", language if language in LANGUAGES else SOURCE)


@cache
def is_zone(name: str) -> bool:
    """Whether it is a name of the tz database that this machine knows."""
    try:
        ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return False
    return True


def local(at: str, zone: str) -> datetime:
    """A record's time in the house's zone. Raises `ValueError` for what is no time; without an offset it is UTC."""
    when = datetime.fromisoformat(at)
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(ZoneInfo(zone))


def date_text(day: date, language: str) -> str:
    """A day as the language writes it."""
    return day.strftime(_format_of_a_day(language))


def day(at: str, zone: str, language: str) -> str:
    """The day it was in the house's zone."""
    return date_text(local(at, zone).date(), language)


def hour(at: str, zone: str, *, to: Precision = "seconds") -> str:
    """The hour it was; "CEST" or "CET" after it where the clock showed it twice."""
    when = local(at, zone)
    shown = when.time().isoformat(timespec=to)
    return f"{shown} {when.tzname()}" if _was_twice(when) else shown


def moment(at: str, zone: str, language: str, *, to: Precision = "minutes") -> str:
    """Day and hour: 22/11/2026 18:54."""
    return f"{day(at, zone, language)} {hour(at, zone, to=to)}"


def time(at: str, zone: str, language: str, *, today: date | None) -> str:
    """The hour to the second; where that was not `today`, which is the house's, the day and the hour to the minute."""
    return hour(at, zone) if local(at, zone).date() == today else moment(at, zone, language)


def _was_twice(when: datetime) -> bool:
    return when.replace(fold=0).utcoffset() != when.replace(fold=1).utcoffset()
