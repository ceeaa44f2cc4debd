"""Times as tests write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def us_of(at: str) -> int:
    """An RFC 3339 time in microseconds since the epoch."""
    return (datetime.fromisoformat(at) - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)
