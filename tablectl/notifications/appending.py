"""A line more in a file that others keep."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from tablectl.core.os_error_text import happened

_NEW_FILE: Final = 0o640


class NotKept(Exception):
    """A place did not take a head. The text says why, for the technician."""


def append_line(path: Path, line: str) -> None:
    """The line is on the disk, of whichever machine, when this returns; what was torn before it ends there. Raises
    `NotKept`, also where the folder is not there."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, _NEW_FILE)
        with os.fdopen(descriptor, "r+b", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            is_torn = bool(end) and os.pread(descriptor, 1, end - 1) != b"\n"
            file.write(b"\n" * is_torn + f"{line}\n".encode())
            os.fsync(descriptor)
    except OSError as wrong:
        raise NotKept(f"{path}: {happened(wrong)}") from None
