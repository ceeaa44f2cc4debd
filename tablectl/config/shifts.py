"""When the shifts of a house begin, as a file says it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import time
from typing import Final

from tablectl.core.validation import sentence

#: The shifts of a house whose file does not say which.
DEFAULT: Final = ("06:00", "14:00", "22:00")
_MOST: Final = 8
#: What would be right.
RIGHT: Final = sentence('1 to {most} times such as "06:00", each later than the one before', most=_MOST)
_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")


def begins_of(texts: Sequence[object]) -> tuple[time, ...]:
    """Times of a clock, in their order. Raises `ValueError` for what is none, or comes twice."""
    found = [_TIME.fullmatch(text) if isinstance(text, str) else None for text in texts]
    begins = tuple(time(int(match[1]), int(match[2])) for match in found if match is not None)
    if not 0 < len(begins) <= _MOST or len(begins) != len(texts) or list(begins) != sorted(set(begins)):
        raise ValueError(f"{list(texts)!r}: expected {RIGHT}")
    return begins
