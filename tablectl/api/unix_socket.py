"""Whether somebody answers at a Unix socket."""

from __future__ import annotations

import socket
from pathlib import Path


def somebody_listens(path: Path, wait_s: float) -> bool:
    """Whether a process answers there, or the file, if there is one, is all that is left of one; after at most so
    long."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knock:
        knock.settimeout(wait_s)
        try:
            knock.connect(str(path))
        except (TimeoutError, BlockingIOError):
            return True  # so many wait there already that the kernel turns us away
        except OSError:
            return False
    return True
