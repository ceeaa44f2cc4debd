"""What an auditor looks for, out of the fields of a page and back into an address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Final
from urllib.parse import urlencode

from tablectl.journal.search import Wanted


class Field(StrEnum):
    """What can be filled in, by the name that it has in an address."""

    SINCE = "since"
    UNTIL = "until"
    HAND = "hand"
    CLAUSE = "clause"
    PERSON = "person"
    KIND = "kind"
    TEXT = "text"


#: More characters than a field is good for.
_MOST: Final = 200
_DIGITS_MOST: Final = 15


class BadField(ValueError):
    """A field that cannot be understood; its name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The fields as they were filled in, what they mean, and after which record the page begins."""

    fields: Mapping[str, str]
    wanted: Wanted
    before: int | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was filled in."""
        return not self.fields

    def address(self, **more: object) -> str:
        """The same search as the query of an address."""
        return urlencode({**self.fields, **{name: str(value) for name, value in more.items()}})

    def about(self) -> str:
        """In one line, for the record."""
        return " ".join(f"{name}={value}" for name, value in self.fields.items()) or "all"


def asked(query: Mapping[str, str], zone: tzinfo = UTC) -> Asked:
    """Times of pages are those of `zone`. Raises `BadField`."""
    fields: dict[str, str] = {name.value: text for name in Field if (text := query.get(name, "").strip())}
    for name, text in fields.items():
        if len(text) > _MOST:
            raise BadField(name)
    return Asked(
        fields=fields,
        wanted=Wanted(
            since=_time(Field.SINCE, fields, zone),
            until=_time(Field.UNTIL, fields, zone),
            hand=_number(Field.HAND, fields.get(Field.HAND)),
            clause=fields.get(Field.CLAUSE, "").upper(),
            person=fields.get(Field.PERSON, ""),
            kinds=frozenset(fields.get(Field.KIND, "").replace(",", " ").split()),
            text=fields.get(Field.TEXT, ""),
        ),
        before=_number("before", query.get("before")),
    )


def _time(name: Field, fields: Mapping[str, str], zone: tzinfo) -> str:
    """As records have it; empty where none was filled in."""
    if name not in fields:
        return ""
    try:
        moment = datetime.fromisoformat(fields[name])
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=zone)
        return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
    except (OverflowError, ValueError):
        raise BadField(name) from None


def _number(name: str, text: str | None) -> int | None:
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > _DIGITS_MOST:
        raise BadField(name)
    return int(text)
