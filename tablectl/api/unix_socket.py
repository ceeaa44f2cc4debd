"""Whether somebody answers at a Unix socket."""

from __future__ import annotations

import socket
from pathlib import Path


def is_listening(path: Path, wait_s: float) -> bool:
    """Whether a process answers there, after at most so long. False also where the file is all that is left of one."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(wait_s)
        try:
            probe.connect(str(path))
        except (TimeoutError, BlockingIOError):
            return True  # so many wait there already that the kernel turns us away
        except OSError:
            return False
    return True
