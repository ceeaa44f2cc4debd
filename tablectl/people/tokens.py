"""Random numbers that browsers keep, of a session or a browser that is known. The file of accounts has digests."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

#: 256 bits.
TOKEN_BYTES: Final = 32


def new_token() -> str:
    """A new one, as it goes into a cookie."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_digest(token: str) -> str:
    """What the file of accounts keeps of it, in hex."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
