"""What systemd is told: a datagram on the socket that it names in the environment (`sd_notify(3)`).

Started by anything else, there is no such socket, and nothing is said.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from typing import Final

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
#: It lives; systemd ends a program that does not say so for `WatchdogSec=`, and starts it again.
ALIVE: Final = "WATCHDOG=1"


def notify(state: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Say one line of `sd_notify(3)`; whether somebody could be told. Never waits, never raises."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):  # the abstract namespace of Linux
        address = f"\0{address[1:]}"
    try:
        # Making the socket may fail too: no descriptor is left.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as line:
            line.sendto(state.encode(), address)
    except OSError:
        return False
    return True
