"""Opening a sealed trace: with the key, never while it is being recorded, its cards not without a name and a reason.

The file itself cannot know who opens it. Whoever uses this program to see bytes leaves a line in `unsealed.log` beside
the trace, before anything is shown. What that is worth, and what it is not, stands in `docs/traces.md`.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.core.timestamps import time_text
from tablectl.ops.trace.file import TraceFile
from tablectl.ops.trace.kept import is_recording

#: Beside the trace.
LOG_NAME: Final = "unsealed.log"


class NotOpened(Exception):
    """A trace that is not opened now. The text says why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking:
    """Who wants to see the bytes, and why."""

    by: str
    reason: str
    now_us: int


def must_be_over(trace: TraceFile) -> None:
    """A table that records into it is playing: its cards are not for reading. Raises `NotOpened`, or `OSError`."""
    with trace.path.open("rb") as file:
        if is_recording(file.fileno()):
            raise NotOpened(f"{trace.path}: a table is recording into it; stop it, or wait for the next file")


def put_on_record(trace: TraceFile, asking: Asking) -> Path:
    """Write down who asks, durably, before anything is shown; where. Raises `OSError`."""
    with trace.path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    line = {
        "at": time_text(asking.now_us),
        "by": asking.by,
        "reason": asking.reason,
        "trace": trace.path.name,
        "sha256": digest,
        "user": os.getuid(),
    }
    log = trace.path.with_name(LOG_NAME)
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return log
