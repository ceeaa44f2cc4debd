"""From a record of `logging` to a line: structlog's processors, one chain for our events and for what libraries say.

Loaded at the first event, not before (`tablectl.ops.log`).
"""

from __future__ import annotations

import json
import logging
from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import Any, Final

import structlog
from structlog.stdlib import ProcessorFormatter

from tablectl.ops.log import Said
from tablectl.ops.logs import safe
from tablectl.ops.logs.choice import Choice, Level

#: journald cuts lines in two from 48 KiB on (journald.conf(5), LineMax=); a pipe takes 4 KiB in one piece. In
#: characters, all of them ASCII.
LINE_MOST: Final = 4000
#: After these, which every line has, come the event's own.
STABLE: Final = ("event", "level", "timestamp", "table", "process")
#: What a library says is an event of this name.
LIBRARY: Final = "a library said"

Event = MutableMapping[str, Any]


class LineMaker:
    """For one process."""

    def __init__(self, choice: Choice, *, process: str, table: str | None) -> None:
        self._choice = choice
        self._process = process
        self._table = table
        self._form = ProcessorFormatter(processors=[self._event, self._no_longer_than, self._render()])

    def line(self, record: logging.LogRecord) -> str:
        """Without its end; one line, whatever is in the record."""
        said = self._form.format(record)
        return f"<{level_of(record).priority}>{said}" if self._choice.has_priority else said

    def _event(self, _logger: object, _name: str, event: Event) -> Event:
        record: logging.LogRecord = event["_record"]
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        name, own = _own(record.msg) if isinstance(record.msg, Said) else (LIBRARY, _of_library(record, event))
        stable = (name, level_of(record).value, at, self._table, self._process)
        return {**dict(zip(STABLE, stable, strict=True)), **own}

    def _no_longer_than(self, _logger: object, _name: str, event: Event) -> Event:
        size = len(json.dumps(event))
        if size <= LINE_MOST:
            return event
        return {name: event[name] for name in STABLE} | {"left_out": f"its own fields: {size} characters"}

    def _render(self) -> structlog.types.Processor:
        if not self._choice.is_text:
            return structlog.processors.JSONRenderer()
        return structlog.dev.ConsoleRenderer(colors=self._choice.has_colours, sort_keys=False, pad_event_to=0)


def level_of(record: logging.LogRecord) -> Level:
    """The highest of ours that it reaches."""
    return next((level for level in reversed(Level) if record.levelno >= level.number), Level.DEBUG)


def _own(said: Said) -> tuple[str, dict[str, object]]:
    own = safe.fields(said.fields)
    return safe.text(said.event), {name: item for name, item in own.items() if name not in STABLE}


def _of_library(record: logging.LogRecord, event: Event) -> dict[str, object]:
    # asyncio puts a line each after it for what it knows: objects and errors, with all that their text holds.
    said = str(event["event"]).strip().partition("\n")[0]
    own: dict[str, object] = {"library": safe.text(record.name), "said": safe.text(said)}
    match event.get("exc_info"):
        case (_, BaseException() as error, where):
            own["trace"] = safe.trace(error, where)
    return own
