"""What goes out of the door."""

from __future__ import annotations

import json
from typing import Final

#: Nothing to tell a reader: a moment to see whether it is still there.
NOTHING: Final = b""
#: What a reader was told does not hold any more: it is hung up, and asks again.
OVER: Final = b"over"
#: How often a waiting reader looks whether it should end, in seconds.
LOOK_S: Final = 0.5


def said(value: object) -> bytes:
    """A value as a line, without its end."""
    return json.dumps(value, ensure_ascii=False).encode()
