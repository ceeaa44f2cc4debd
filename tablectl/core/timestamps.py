"""Times of records: microseconds since the Unix epoch, as text in RFC 3339, UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

#: Read several times as quickly as by its format, and a hand has hundreds of them.
_WRITTEN_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")


def time_text(at_us: int) -> str:
    """RFC 3339, UTC, microseconds."""
    seconds, us = divmod(at_us, 1_000_000)
    return f"{_second_text(seconds)}.{us:06d}Z"


@lru_cache(maxsize=4)
def _second_text(seconds: int) -> str:
    """Many records fall into one second."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


def time_us(text: str) -> int:
    """The other way round. Raises `ValueError` for what `time_text` does not write."""
    if not _WRITTEN_TIME.fullmatch(text):
        raise ValueError(f"{text!r} is no time of a record")
    moment = datetime.fromisoformat(text)
    return int(moment.replace(microsecond=0).timestamp()) * 1_000_000 + moment.microsecond
