"""Which processes have a device node open, for whoever has to end one of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
#: Longest name of a process that is told, in characters; the kernel keeps 15.
NAME_CHARS: Final = 15


def who_has(node: str, *, but_us: int = 0) -> str:
    """For a sentence: `process 812 (minicom)`, several joined by commas; `another process` where nobody can be named.

    `node` is a path; links are followed. Only the processes of this user can be looked into, and those of everybody by
    root. This process is named too where it has the node open more often than `but_us`, which the caller knows of: then
    two devices of the configuration are the same port.
    """
    real = os.path.realpath(node)
    found = [f"process {pid} ({_name(PROC / str(pid))})" for pid in sorted(_holders(real, but_us))]
    return ", ".join(found) or "another process"


def _holders(real: str, but_us: int) -> Iterator[int]:
    for folder in PROC.glob("[0-9]*"):
        pid = int(folder.name)
        if _times_open(folder / "fd", real) > (but_us if pid == os.getpid() else 0):
            yield pid


def _times_open(fds: Path, real: str) -> int:
    try:
        links = list(fds.iterdir())
    except OSError:
        return 0  # it has ended, or is somebody else's
    return sum(_leads_to(link, real) for link in links)


def _leads_to(link: Path, real: str) -> bool:
    try:
        return str(link.readlink()) == real and _is_same(link, real)
    except OSError:
        return False  # closed meanwhile


def _is_same(link: Path, real: str) -> bool:
    """Whether it is this very node: in a container another one can have its name. One that is gone has only that."""
    try:
        return link.samefile(real)
    except FileNotFoundError:
        return True


def _name(folder: Path) -> str:
    """What the process calls itself, without what a line of text cannot hold: it chose that name."""
    try:
        name = (folder / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "ended"
    return "".join(text if " " <= text <= "~" else "_" for text in name[:NAME_CHARS])
