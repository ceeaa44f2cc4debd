"""What a table runs with, as it was when its controller was started: for who wants to know whether that is still so."""

from __future__ import annotations

from typing import Any

from tablectl.config import Config
from tablectl.settings import NotRead, settings_of


def running(config: Config, software: str) -> dict[str, Any]:
    """Settings by their names, the identity of the software, and where traces are recorded, if they are."""
    try:
        settings = settings_of(config.file)
    except NotRead:
        settings = {}  # it was read a moment ago; then everything in the file is told as new
    trace = config.trace
    return {
        "ok": True,
        "file": str(config.file),
        "settings": settings,
        "software": software,
        "is_approved": config.manifest is not None,
        "traces": None if trace is None else {"folder": str(trace.folder), "devices": list(trace.devices)},
    }
