"""Who has a database open: the kernel knows, as each connection with a write-ahead log locks its index."""

from __future__ import annotations

import fcntl
import os
import struct
from pathlib import Path
from typing import Final

#: `struct flock` of fcntl(2) on 64-bit Linux: type, whence, start, length (0: to the end), process.
_FLOCK: Final = "hhqqi4x"


def user_of(database: Path) -> int | None:
    """The number of a process that has it open; None where no other one has. Raises `OSError`.

    SQLite's connections hold a shared lock in the `-shm` file for as long as they live (sqlite.org/walformat.html).
    """
    index = database.with_name(f"{database.name}-shm")
    try:
        descriptor = os.open(index, os.O_RDWR)
    except FileNotFoundError:
        return None
    try:
        asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        told = struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_GETLK, asked))
    finally:
        os.close(descriptor)
    return None if told[0] == fcntl.F_UNLCK else int(told[4])
