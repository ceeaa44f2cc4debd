"""A record as one line of text: what readers of the public stream get, and what the second copy is made of.

The line is the record's public form with its last `}` replaced by `,"hash":"…"` and, where there is one,
`,"signature":"…"`, both in hexadecimal digits, and `}`. In the second copy a sealed part stands after them,
`,"box":"…"` in base64; without it the line is what the public stream says. None of the three is part of what the chain
runs over.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from typing import Final

from tablectl.journal.store import Stored

_TAIL: Final = re.compile(
    rb',"hash":"(?P<hash>[0-9a-f]{64})"'
    rb'(?:,"signature":"(?P<signature>[0-9a-f]{128})")?'
    rb'(?:,"box":"(?P<box>[A-Za-z0-9+/=]+)")?\}'
)
#: The longest that a tail can be: hash, signature, and the box of a card.
_TAIL_BYTES: Final = 640


class NoLine(Exception):
    """A line that no version of this program wrote."""


def line(stored: Stored) -> bytes:
    """What everybody may read; without the line's end."""
    return stored.public[:-1] + _tail(stored) + b"}"


def line_with_box(stored: Stored) -> bytes:
    """What the second copy keeps, so that a journal can be made of it again."""
    box = b',"box":"' + b64encode(stored.sealed) + b'"' if stored.sealed is not None else b""
    return stored.public[:-1] + _tail(stored) + box + b"}"


def parse(text: bytes) -> Stored:
    """The other way round; without the line's end. Raises `NoLine`."""
    at = text.rfind(b',"hash":"', max(0, len(text) - _TAIL_BYTES))
    found = _TAIL.fullmatch(text, at) if at >= 0 else None
    if found is None:
        raise NoLine("no line of a journal: it does not end in a hash")
    public = text[:at] + b"}"
    try:
        told = json.loads(public)
        signature, box = found["signature"], found["box"]
        stored = Stored(
            seq=int(told["seq"]),
            hand=int(told["hand"]),
            boundary="carry" in told,
            public=public,
            hash=bytes.fromhex(found["hash"].decode()),
            signature=bytes.fromhex(signature.decode()) if signature is not None else None,
            sealed=b64decode(box, validate=True) if box is not None else None,
        )
    except (KeyError, OverflowError, TypeError, ValueError, RecursionError):
        raise NoLine("no line of a journal: what is before the hash is no record") from None
    if line_with_box(stored) != text:  # base64 has more than one way to say the same bytes
        raise NoLine("no line of a journal: its box is not written as this program does")
    return stored


def _tail(stored: Stored) -> bytes:
    signature = f',"signature":"{stored.signature.hex()}"' if stored.signature is not None else ""
    return f',"hash":"{stored.hash.hex()}"{signature}'.encode()
