"""The controller's log: one line an event on standard error, JSON for a service, readable on a terminal.

No card and no secret is ever a field of an event. structlog is loaded at the first event, not before: loading it takes
as long as everything else that a table needs to be ready.
"""

from __future__ import annotations

import importlib
import sys
import threading
from typing import Any

from drivers.port import Log


class SilentLog:
    """For a command that prints words of its own."""

    def info(self, event: str, **fields: object) -> None:
        """Nobody listens."""

    def warning(self, event: str, **fields: object) -> None:
        """Nobody listens."""

    def error(self, event: str, **fields: object) -> None:
        """Nobody listens."""


class LateLog:
    """A log that is set up when something is said for the first time, from any thread."""

    def __init__(self, **context: object) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._log: Log | None = None

    def info(self, event: str, **fields: object) -> None:
        """Something happened, as it should."""
        self._set_up().info(event, **fields)

    def warning(self, event: str, **fields: object) -> None:
        """Somebody should look at this."""
        self._set_up().warning(event, **fields)

    def error(self, event: str, **fields: object) -> None:
        """Somebody has to do something."""
        self._set_up().error(event, **fields)

    def _set_up(self) -> Log:
        with self._lock:
            if self._log is None:
                self._log = _structured(self._context)
            return self._log


def _structured(context: dict[str, object]) -> Log:
    structlog: Any = importlib.import_module("structlog")
    if sys.stderr.isatty():
        render = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    else:
        render = structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            render,
        ],
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    bound: Log = structlog.get_logger().bind(**context)
    return bound
