"""A small file that is there whole or not at all, whatever happens while it is written."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

#: What a new file may be, as far as the umask lets it.
_ANYBODY: Final = 0o666


def write_whole(
    path: Path,
    content: bytes,
    *,
    mode: int = _ANYBODY,
    prepare: Callable[[Path], object] | None = None,
    is_synced: bool = True,
) -> None:
    """The file with these bytes, or what was there before; never half of it, and after a power cut neither. `mode`: as
    far as the umask lets it; `prepare` is given the file before it has its name. Without `is_synced` no disk is waited
    for: after a power cut there is an earlier file, or one without bytes. Raises `OSError`."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if is_synced:
                os.fsync(file.fileno())
        if prepare is not None:
            prepare(unfinished)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    if is_synced:
        sync_folder(path.parent)


def remove_left_over(path: Path) -> None:
    """What processes that were killed left of a file with this name. For whoever is the only one to write it. Raises
    `OSError`."""
    left_over = re.compile(rf"{re.escape(path.name)}\.\d+\.new")
    for sibling in path.parent.iterdir():
        if left_over.fullmatch(sibling.name):
            sibling.unlink()


def sync_folder(folder: Path) -> None:
    """The names in it, too, outlive a power cut. Raises `OSError`."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
