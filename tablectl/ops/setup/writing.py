"""A configuration put in its place: checked first, whole or not at all, and never over one that is there.

What is written is read by `tablectl.config.table_file.load` before it gets its name, so that no file that would not
start a table ever has that name.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from tablectl.config.table_file import BadConfig, Config, load
from tablectl.journal.whole_file import sync_folder

#: Everybody may read it: there is no secret in it.
MODE: Final = 0o644


class IsThere(Exception):
    """There is such a file, and nobody said that it may be replaced."""


def checked(text: str, place: Path) -> Config:
    """The configuration that this text is. Raises `BadConfig`, its mistakes as of `place`."""
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        return _loaded(text, Path(folder) / place.name, place)


def write(text: str, place: Path, *, replaces: bool) -> Path | None:
    """Write it; where the old file was put, None where there was none.

    Raises `BadConfig`, `IsThere`, and `OSError` where the folder cannot be written; then nothing has changed."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with _beside(place) as new:
        _loaded(text, new, place)
        kept = _kept(place) if replaces else None
        if replaces:
            new.replace(place)
        else:
            _named(new, place)
    sync_folder(place.parent)
    return kept


def _loaded(text: str, file: Path, place: Path) -> Config:
    with os.fdopen(
        os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w", encoding="utf-8"
    ) as new:
        new.write(text)
        new.flush()
        os.fchmod(new.fileno(), MODE)
        os.fsync(new.fileno())
    try:
        return load(file)
    except BadConfig as wrong:
        raise BadConfig([replace(mistake, where=str(place)) for mistake in wrong.mistakes]) from None


@contextmanager
def _beside(place: Path) -> Iterator[Path]:
    """A name for the new file on the same disk, which no glob for `*.toml` finds and nobody else has."""
    with tempfile.TemporaryDirectory(prefix=f".{place.name}-", dir=place.parent) as folder:
        yield Path(folder) / "new"


def _named(new: Path, place: Path) -> None:
    """A link is made only where there is no such name, whoever else is at it."""
    try:
        place.hardlink_to(new)
    except FileExistsError:
        raise IsThere(str(place)) from None


def _kept(place: Path) -> Path | None:
    """A second name for the old file: `.old-1`, `.old-2`, … It never is without a name."""
    for number in range(1, 10_000):
        kept = place.with_name(f"{place.name}.old-{number}")
        try:
            kept.hardlink_to(place)
        except FileExistsError:
            continue
        except FileNotFoundError:
            return None
        return kept
    raise IsThere(str(place))
