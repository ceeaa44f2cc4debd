"""One line on a terminal that says how far a command is, and is gone when it has ended."""

from __future__ import annotations

import sys
import time
from typing import Final

#: How often the line changes.
_EACH_S: Final = 0.2


class ProgressLine:
    """Where a person looks at both outputs; nothing where these go into a file or a pipe."""

    def __init__(self) -> None:
        self._is_shown = sys.stdout.isatty() and sys.stderr.isatty()
        self._next_s = 0.0

    def show(self, text: str) -> None:
        """In place of what the line said."""
        if self._is_shown and time.monotonic() >= self._next_s:
            self._next_s = time.monotonic() + _EACH_S
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Before something else is printed."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._next_s = 0.0
