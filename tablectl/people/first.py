"""The first start, and secrets that are given to somebody: no account exists before, and no default password ever."""

from __future__ import annotations

import secrets
from typing import Final

FIRST_MANAGER: Final = "manager"
#: Without those that look alike: 31 characters, 20 of them are 99 bits.
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS: Final = 4
_GROUP: Final = 5


def one_time_password() -> str:
    """Good for one sign-on, at which another one has to be chosen. Shown once, kept as a hash alone."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS))
