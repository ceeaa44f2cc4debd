"""Code of others, run so that it cannot end the thread it runs in."""

from __future__ import annotations

import traceback
from types import TracebackType
from typing import Self


class ErrorBoundary:
    """Keeps what the code inside raises, `SystemExit` too, from ending the thread: `error` holds it, for whoever has to
    say so."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.error = error
        return error is not None


def where_of(bug: BaseException) -> str:
    """File and line a bug came from. Its text is left out: it may hold the value of a card."""
    frames = traceback.extract_tb(bug.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "unknown"
