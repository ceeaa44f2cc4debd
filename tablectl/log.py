"""The controller's log: one line an event on standard error, JSON for a service, readable on a terminal.

No card and no secret is ever a field of an event.
"""

from __future__ import annotations

import sys

import structlog
from structlog.typing import Processor

from drivers.port import Log


def logger(table: str) -> Log:
    """The log of a table."""
    readable = sys.stderr.isatty()
    render: Processor = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if readable
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            render,
        ],
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    bound: Log = structlog.get_logger().bind(table=table)
    return bound
