"""Who puts on record what people read, as far as those who show it need to know."""

from __future__ import annotations

from itertools import count
from typing import Final, Protocol

from tablectl.core.access import AccessKind
from tablectl.ops.log import LateLog


class Audited(Protocol):
    """Whoever shows evidence says so here first; when this returns it is on the disk, and it goes into the journal."""

    def audit(self, kind: AccessKind, who: str, role: str, about: str, *, granted: bool) -> int:
        """Put on record what somebody did or was not let do; its number."""


class Logged:
    """Where there are no accounts it stands in the log of the screens, and there alone."""

    _LOG: Final = LateLog()

    def __init__(self) -> None:
        self._numbers = count(1)

    def audit(self, kind: AccessKind, who: str, role: str, about: str, *, granted: bool) -> int:
        """Say it."""
        self._LOG.warning("evidence read", kind=kind.value, by=who, role=role, granted=granted, about=about)
        return next(self._numbers)
