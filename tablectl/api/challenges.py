"""What people are about to sign with a passkey: given out by the controller, good once and for two minutes."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

#: How long somebody may look for his passkey, in seconds.
GOOD_S: Final = 120.0
#: More than people of a table sign at the same moment; the oldest one goes.
_MOST: Final = 64
NONCE_BYTES: Final = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """An action at a moment of the journal: its newest record and that one's hash, in hexadecimal digits."""

    action: str
    seq: int
    link: str
    at_s: float


class Challenges:
    """Those of one table. Used by many threads."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()
        self._given: dict[str, Given] = {}

    def give(self, action: str, seq: int, link: str) -> str:
        """The nonce of a new one."""
        nonce = secrets.token_hex(NONCE_BYTES)
        with self._lock:
            while len(self._given) >= _MOST:
                del self._given[next(iter(self._given))]
            self._given[nonce] = Given(action=action, seq=seq, link=link, at_s=self._now_s())
        return nonce

    def take(self, nonce: str) -> Given | None:
        """What it was given for; None where it never was, was taken already, or is too old."""
        with self._lock:
            given = self._given.pop(nonce, None)
        return given if given is not None and self._now_s() - given.at_s < GOOD_S else None
