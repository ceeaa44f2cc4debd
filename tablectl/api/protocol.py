"""The line protocol of the controller's interface, as both ends know it: a JSON object a line, UTF-8. `docs/api.md`."""

from __future__ import annotations

import json
from typing import Any, Final

#: Of the interface. It grows when a program that was written for this version would misunderstand the next one;
#: a new method, argument or member of an answer changes nothing.
VERSION: Final = 1
#: The longest line that the controller reads. Only what follows a longer one is lost.
REQUEST_BYTES: Final = 65_536
#: The longest line that a client reads. One record with a whole settlement has a few kilobytes.
ANSWER_BYTES: Final = 1 << 22


def encode(value: object) -> bytes:
    """A value as a line."""
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """What a line says. Raises `ValueError`."""
    value = json.loads(line)
    if not isinstance(value, dict):
        raise ValueError("a line that is no JSON object")
    return value
