"""Waiting for what happens in another thread or process, for as long as a busy machine may take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 100.0


def until(holds: Callable[[], bool]) -> None:
    """Wait for it, for as long as a busy machine may take."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)
