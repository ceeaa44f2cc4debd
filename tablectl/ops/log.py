"""What happens, said to whoever keeps the log: an event's name, and fields.

No card and no secret is ever a field of an event. What is said goes through the standard library's `logging`, as what
libraries say does, so that there is one way out; `tablectl.ops.logs` makes lines of it, one an event. It is set up once
a process (`tablectl.ops.logs.begin`); a command that sets up nothing says its warnings on standard error, in words.

Every event has its line in docs/logs.md, and its level is chosen by the rule there.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

#: The logger of everything that is said here. Libraries have their own.
LOGGER: Final = "tablectl"


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """An event as it travels through `logging`."""

    event: str
    fields: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """For whoever has set up nothing: objects by their type, since their text may hold anything."""
        words = (f"{name}={_in_words(value)}" for name, value in self.fields.items())
        return " ".join((self.event, *words))


def _in_words(value: object) -> str:
    return repr(value) if isinstance(value, str | int | float | list | None) else type(value).__name__


class SilentLog:
    """For a command that prints words of its own."""

    def debug(self, event: str, **fields: object) -> None:
        """Nobody listens."""

    def info(self, event: str, **fields: object) -> None:
        """Nobody listens."""

    def warning(self, event: str, **fields: object) -> None:
        """Nobody listens."""

    def error(self, event: str, **fields: object) -> None:
        """Nobody listens."""


class LateLog:
    """Says events, from any thread. What makes lines of them is loaded when there is the first one: that takes as long
    as everything else that a table needs to be ready. An error as a field is told by type and place, never by its text.
    """

    def debug(self, event: str, **fields: object) -> None:
        """For whoever looks for a fault."""
        _say(logging.DEBUG, event, fields)

    def info(self, event: str, **fields: object) -> None:
        """Something happened, as it should."""
        _say(logging.INFO, event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Somebody should look at this in the morning."""
        _say(logging.WARNING, event, fields)

    def error(self, event: str, **fields: object) -> None:
        """Somebody has to do something now."""
        _say(logging.ERROR, event, fields)


def _say(level: int, event: str, fields: Mapping[str, object]) -> None:
    logger = logging.getLogger(LOGGER)
    if logger.isEnabledFor(level):
        logger.log(level, Said(event=event, fields=fields))
