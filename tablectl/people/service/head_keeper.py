"""What a process with an event loop that follows the table remembers of it: written down, and asked about."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from tablectl.api.async_client import ask_about
from tablectl.api.client import NoController
from tablectl.journal.known_heads import KnownHeads
from tablectl.ops.log import LateLog
from tablectl.ops.tasks import Run, repeated

#: How often what is new is written down, and how often the controller is asked, in seconds.
KEEP_S: Final = 1.0
ASK_S: Final = 60.0

_LOG: Final = LateLog()


class HeadKeeper:
    """Writes down what the table signed, a moment after it came, and asks the controller about it now and then."""

    def __init__(self, socket: Path, heads: KnownHeads) -> None:
        self._socket = socket
        self._heads = heads
        self._is_wrong = False

    async def keep(self) -> None:
        """Where it cannot be written it is said once: until it can be, only these screens know it."""
        try:
            await asyncio.to_thread(self._heads.keep)
        except OSError as wrong:
            if not self._is_wrong:
                _LOG.warning("heads not kept", reason=str(wrong))
            self._is_wrong = True
        else:
            self._is_wrong = False

    async def ask(self) -> None:
        """Whether the journal still has it. A controller that does not answer is asked when the link is there again."""
        with suppress(NoController):
            await ask_about(self._socket, self._heads)

    def running(self) -> Mapping[str, Run]:
        """Both, as long as the process lives, by what they are called."""
        return {
            "the keeping of heads": partial(repeated, self.keep, KEEP_S),
            "the asking about heads": partial(repeated, self.ask, ASK_S),
        }
