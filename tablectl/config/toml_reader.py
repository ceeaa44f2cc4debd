"""What a configuration is read with: a value where it is right, and a mistake with its key and remedy where it is not.

Nobody stops at the first mistake: each reader goes on with something in the value's place, and all are told at once.
"""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

from tablectl.config.validation import Mistake

#: A key that systemd gives to the service: `credential:NAME` (systemd.exec(5), `LoadCredential=`).
CREDENTIAL: Final = "credential:"
CREDENTIALS_FOLDER: Final = "CREDENTIALS_DIRECTORY"
NO_CREDENTIALS: Final = "/run/credentials/not-a-service"

T = TypeVar("T")


class TomlReader:
    """Reads one file; several readers may collect their mistakes in one list."""

    def __init__(self, path: Path, mistakes: list[Mistake]) -> None:
        self._path = path
        self._mistakes = mistakes

    def _right(self, section: str, found: T | list[Mistake]) -> T | None:
        """What another module read out of a section; None if something is wrong with that."""
        if not isinstance(found, list):
            return found
        self._mistakes += [
            Mistake(where=str(self._path), key=f"{section}.{each.key}", found=each.found, right=each.right)
            for each in found
        ]
        return None

    def _section(self, raw: dict[str, Any], name: str, keys: tuple[str, ...]) -> dict[str, Any]:
        found = self._table(raw, name)
        self._known(found, f"{name}.", keys)
        return found

    def _table(self, raw: dict[str, Any], name: str) -> dict[str, Any]:
        found = raw.get(name.rpartition(".")[2], {})
        if isinstance(found, dict):
            return found
        self._wrong(name, repr(found), f"a table [{name}]")
        return {}

    def _known(self, raw: dict[str, Any], prefix: str, keys: tuple[str, ...]) -> None:
        for name in raw:
            if name not in keys:
                self._wrong(f"{prefix}{name}", "a key that is not known here", guess(name, keys))

    def _choice(self, raw: dict[str, Any], key: str, allowed: tuple[str, ...], instead: str) -> str:
        found = raw.get(key.rpartition(".")[2])
        if isinstance(found, str) and found in allowed:
            return found
        self._wrong(key, "nothing" if found is None else repr(found), guess(str(found), allowed))
        return instead

    def _whole(self, raw: dict[str, Any], key: str, least: int, most: int, default: int) -> int:
        found = raw.get(key.rpartition(".")[2], default)
        if type(found) is int and least <= found <= most:
            return found
        self._wrong(key, repr(found), f"a whole number from {least} to {most}")
        return default

    def _said(self, raw: dict[str, Any], key: str, *, default: bool) -> bool:
        found = raw.get(key.rpartition(".")[2], default)
        if isinstance(found, bool):
            return found
        self._wrong(key, repr(found), "true or false")
        return default

    def _text(self, raw: dict[str, Any], key: str, default: str) -> str:
        found = raw.get(key.rpartition(".")[2], default)
        if isinstance(found, str) and found.strip():
            return found
        self._wrong(key, repr(found), "a text that is not empty")
        return default

    def _place(self, raw: dict[str, Any], key: str, default: str) -> Path:
        text = self._text(raw, key, default)
        if "\0" in text:
            self._wrong(key, repr(text), "a path without the character zero")
            text = default
        place = self._path.absolute().parent / text
        # Not the file itself: where a service's user put a link in its place, root has to see that it is one.
        return place.resolve() if place.name == ".." else place.parent.resolve() / place.name

    def _secret(self, raw: dict[str, Any], key: str, default: str) -> Path:
        """A file, or the credential of a service; outside of one nobody can read it, and the path says so."""
        text = raw.get(key.rpartition(".")[2], default)
        if not isinstance(text, str) or not text.startswith(CREDENTIAL):
            return self._place(raw, key, default)
        name = text.removeprefix(CREDENTIAL)
        if not name or "/" in name or "\0" in name:
            self._wrong(key, repr(text), "credential:NAME, as in LoadCredential=NAME:… of the service")
        return Path(os.environ.get(CREDENTIALS_FOLDER, NO_CREDENTIALS)) / (name or "missing")

    def _wrong(self, key: str, found: str, right: str) -> None:
        self._mistakes.append(Mistake(where=str(self._path), key=key, found=found, right=right))


def guess(found: str, allowed: tuple[str, ...]) -> str:
    """What may have been meant, and what there is."""
    close = get_close_matches(found, allowed, n=1)
    meant = f"did you mean {str(close[0])!r}? " if close else ""
    return f"{meant}one of {', '.join(allowed)}"
