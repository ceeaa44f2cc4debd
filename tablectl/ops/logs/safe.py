"""What may stand in a line: short, printable, and nothing that nobody chose to say.

An object is told by its type and an error by its type and place: text that was made of either may hold the value of a
card. Addresses of services hold secrets, so of each only its kind is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from types import TracebackType
from typing import Final

from structlog.tracebacks import Trace, extract

#: The longest text, in characters; the most members of a list; how deep lists may stand in lists; the innermost frames
#: of an error, and the errors that led to it. Our choices.
TEXT_MOST: Final = 1000
MEMBERS_MOST: Final = 20
DEPTH_MOST: Final = 3
FRAMES_MOST: Final = 12
ERRORS_MOST: Final = 6

#: No field of an event is ever called so.
NEVER_FIELDS: Final = frozenset(
    {"address", "badge", "body", "card", "cards", "code", "cookie", "password", "pin", "salt", "secret", "session"}
    | {"signature", "tag", "tags", "title", "token", "url"}
)
LEFT_OUT: Final = "(left out)"

_ADDRESS: Final = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]*)://\S+")
_SECRET: Final = re.compile(
    r"\b((?:set-)?cookie|authorization|password|passwd|pin|secret|session|token)(\"?'?\s*[:=]\s*).*",
    re.IGNORECASE | re.DOTALL,
)


def text(said: str) -> str:
    """On one line, not too long, without addresses and whatever follows the name of a secret."""
    cut = said[:TEXT_MOST]
    cut = _SECRET.sub(rf"\1\2{LEFT_OUT}", _ADDRESS.sub(r"\1://...", cut))
    shown = "".join(word if word.isprintable() else word.encode("unicode_escape").decode("ascii") for word in cut)
    return shown if len(said) <= TEXT_MOST else f"{shown}... ({len(said)} characters)"


def value(said: object, depth: int = 0) -> object:
    """A field's value as JSON may have it."""
    match said:
        case None | bool() | int() | float():
            return said
        case str():
            return text(str(said))
        case PurePath():
            return text(str(said))
        case BaseException():
            return trace(said)
        case Mapping() if depth < DEPTH_MOST:
            return fields({str(name): item for name, item in list(said.items())[:MEMBERS_MOST]}, depth + 1)
        case bytes() | bytearray() | memoryview():
            return f"({len(said)} bytes)"
        case Sequence() | set() | frozenset() if depth < DEPTH_MOST:
            return [value(item, depth + 1) for item in list(said)[:MEMBERS_MOST]]
        case _:
            return f"({type(said).__name__})"


def fields(said: Mapping[str, object], depth: int = 0) -> dict[str, object]:
    """The fields of an event."""
    return {text(name): LEFT_OUT if name.lower() in NEVER_FIELDS else value(item, depth) for name, item in said.items()}


def trace(error: BaseException, where: TracebackType | None = None) -> list[str]:
    """An error and what led to it, the one that was raised last first: its type, and where, from the inside out. No
    text, no values of its frames."""
    found = extract(type(error), error, where or error.__traceback__, show_locals=False)
    return [text(word) for word in _told(found)[:ERRORS_MOST]]


def _told(found: Trace) -> list[str]:
    told: list[str] = []
    for stack in found.stacks:
        frames = [
            f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in reversed(stack.frames) if frame.filename
        ]
        told.append(" < ".join((stack.exc_type, *frames[:FRAMES_MOST])))
        for member in stack.exceptions:
            told += _told(member)
    return told
