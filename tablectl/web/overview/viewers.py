"""Who may look at the overview from elsewhere: each by a token, which he says once in his browser.

A file has a line for each, `NAME HASH`: whoever reads it cannot look by it. A line that is taken out ends what it let
in within the quarter of an hour that a stream lasts.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_LINE: Final = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,62}) (?P<hash>[0-9a-f]{64})")
_TOKEN_BYTES: Final = 24


class BadViewers(Exception):
    """The file cannot be used, or there is a viewer with this name. The text says what to do."""


class Viewers:
    """Those of a file, which may change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changed_ns = -1
        self._known: Mapping[str, str] = {}

    def names(self) -> tuple[str, ...]:
        """All of them. Raises `BadViewers`."""
        return tuple(_read(self._path).values())

    def name_of(self, token: str) -> str | None:
        """Whose token it is; None where it is nobody's, or nobody can read the file any more."""
        try:
            changed_ns = self._path.stat().st_mtime_ns
            if changed_ns != self._changed_ns:
                self._known, self._changed_ns = _read(self._path), changed_ns
        except (OSError, BadViewers):
            return None
        said = _hash_of(token)
        return next((name for known, name in self._known.items() if hmac.compare_digest(known, said)), None)


def add_viewer(path: Path, name: str) -> str:
    """The token of a new viewer, which stands nowhere else. Raises `BadViewers`, `OSError`."""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    line = f"{name} {_hash_of(token)}"
    if _LINE.fullmatch(line) is None:
        raise BadViewers(f"{name}: a name of letters, digits, dots, hyphens and underscores, 63 at most")
    if path.exists() and name in _read(path).values():
        raise BadViewers(f"{path}: there is a viewer {name} already; take out the line, or choose another name")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{line}\n")
    return token


def _read(path: Path) -> Mapping[str, str]:
    """The name of each hash."""
    found = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadViewers(f"{path}: {wrong}; the pit server's user has to be able to read it") from None
    for number, line in enumerate(lines, start=1):
        match = _LINE.fullmatch(line.strip())
        if match is None and line.strip():
            raise BadViewers(f"{path}, line {number}: NAME HASH, as `tablectl pit viewer` writes it")
        if match is not None:
            found[match["hash"]] = match["name"]
    return found


def _hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
