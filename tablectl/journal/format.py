"""Which members and kinds of notes a journal takes: so that the version before can be put back until a hand was dealt.

The first hand that is closed by a version with new members or new kinds of notes ends with one `format` note. Before
it nothing is written that the version before could not read; after it each record that carries the table over says the
number again (member `format`), so that a start finds it without reading the journal from its beginning.

docs/journal.md ("New members") says what each number brought.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tablectl.core.events.notes import Format
from tablectl.journal.store import Stored

#: What a journal without a `format` note takes.
FIRST: Final = 2
#: What this program writes after its first closed hand.
NEWEST: Final = 3
#: The oldest version of the program that can go on with a journal of each number.
VERSIONS: Final[Mapping[int, str]] = {FIRST: "0.1.0", NEWEST: "0.2.0"}


class NotYet(Exception):
    """Something new was to be written before the journal takes it: a fault of the program that asked for it."""


def format_of(newest_first: Iterable[Stored]) -> int:
    """The number that holds at the end of a journal: its newest `format` note, or the newest record that carries the
    table over. Raises `UnreadableRecord`."""
    for stored in newest_first:
        record = stored.decoded()
        if isinstance(record.event, Format):
            return record.event.number
        if stored.boundary:
            return record.format or FIRST
    return FIRST
