"""What is read at a page is on record before it is shown: told to the controller, and nothing is shown without."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from tablectl.people.access import AccessKind
from tablectl.people.roles import Person, Role
from tablectl.screens.door import NoAnswer, ask

#: Kind, who, as what, about what. Raises `NoAnswer` where it is not on record.
OnRecord: TypeAlias = Callable[[AccessKind, Person, Role, str], Awaitable[None]]


class AtTheDoor:
    """Tells the controller at once. Its numbers are those of this process."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._id = secrets.token_hex(16)
        self._number = 0

    async def __call__(self, kind: AccessKind, who: Person, role: Role, about: str) -> None:
        """On record when this returns. Raises `NoAnswer`."""
        self._number += 1
        said = {
            "id": self._id,
            "number": self._number,
            "at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
            "what": kind.value,
            "who": who.name,
            "role": role.value,
            "about": about,
            "granted": True,
        }
        reply = await ask(self._socket, {"access": said})
        if reply.get("ok") is not True:
            raise NoAnswer(str(reply.get("error")))
