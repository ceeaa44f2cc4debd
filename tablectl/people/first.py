"""The first start, and secrets that are given to somebody: no account exists before, and no default password ever."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

FIRST_MANAGER: Final = "manager"
#: Without those that look alike: 31 characters, 20 of them are 99 bits.
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS: Final = 4
_GROUP: Final = 5


def first_file(accounts: Path) -> Path:
    """Where the first manager's password stands until he signed on, where nobody sat at the first start's terminal."""
    return accounts.with_name(f"{accounts.name}.first")


def keep_first(accounts: Path, password: str) -> Path:
    """Write it there, for the owner alone; the file. Raises `OSError`."""
    path = first_file(accounts)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as file:
        file.write(f"{password}\n")
        file.flush()
        os.fsync(file.fileno())
    return path


def one_time_password() -> str:
    """Good for one sign-on, at which another one has to be chosen. Shown once, kept as a hash alone."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS))
