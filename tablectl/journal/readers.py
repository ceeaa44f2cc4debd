"""Who besides the controller's user may follow a table: nobody, or the group of the folder in which its files lie.

What a group may read is what is public or sealed: journal, copy, the key that confirms them, the control socket. A key,
the register of decks and a trace are for their owner alone, whatever stands here.
"""

from __future__ import annotations

import errno
import os
import stat
from enum import StrEnum
from pathlib import Path


class Readers(StrEnum):
    """As the configuration says it (`journal.readers`, `control.readers`)."""

    OWNER = "owner"
    GROUP = "group"

    @property
    def file_mode(self) -> int:
        """Of what they read."""
        return 0o640 if self is Readers.GROUP else 0o600

    @property
    def shared_mode(self) -> int:
        """Of what they have to write to, in order to read: a socket, the index of a write-ahead log."""
        return 0o660 if self is Readers.GROUP else 0o600

    def give(self, path: Path, mode: int) -> None:
        """This mode, and to a group of readers the folder's group. Raises `OSError`.

        By its name: to open and close a database's file would end the locks that SQLite holds on it in this process
        (sqlite.org/howtocorrupt.html, 2.2).
        """
        now = path.stat()
        if self is Readers.GROUP and now.st_gid != (group := path.parent.stat().st_gid):
            os.chown(path, -1, group)
        if stat.S_IMODE(now.st_mode) != mode:
            path.chmod(mode)


def not_let_in(path: Path, access: int = os.R_OK) -> str | None:
    """Why the user of this process cannot use a file, or look whether it is there (`access` as in `os.access`); None
    where it can, or where there is none."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as wrong:
        return f"{path}: {wrong.strerror}"
    return None if os.access(path, access) else f"{path}: {os.strerror(errno.EACCES)}"
