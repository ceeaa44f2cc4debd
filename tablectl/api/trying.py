"""The word by which a technician tries lamps and keys, between two hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tablectl.api.behind import Behind, NotAsked
from tablectl.api.entry import Trying
from tablectl.api.lines import said
from tablectl.people.roles import NAME
from tablectl.table.controller.trying import What

OVER: Final = "over"


def test(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """Begin a test, or end the one that runs."""
    match asked:
        case {"test": "over"}:
            trying = Trying(None, "")
        case {"test": str(what), "by": str(by)} if what in list(What) and NAME.fullmatch(by):
            trying = Trying(What(what), by)
        case _:
            raise NotAsked(f'{{"test": one of {", ".join(What)}, "by": a name}} or {{"test": "{OVER}"}}')
    behind.enter(trying)
    yield said(trying.wait(behind.answer_s))
