"""Commands of this program that a page has run as a process of its own: whatever they load stays out of the screens."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from typing import Any, Final

#: The whole check of the software reads every file of it.
ENDS_WITHIN_S: Final = 120.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """What a command said, and with which status it ended; `None`: it did not end in time."""

    status: int | None
    said: str
    wrong: str

    @property
    def told(self) -> dict[str, Any] | None:
        """What it said as JSON; None where that is none."""
        try:
            found = json.loads(self.said)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None


async def run(*words: str) -> Ended:
    """`tablectl WORDS`, to its end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "tablectl",
        *words,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        said, wrong = await asyncio.wait_for(process.communicate(), ENDS_WITHIN_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        return Ended(status=None, said="", wrong="")
    return Ended(status=process.returncode, said=said.decode(errors="replace"), wrong=wrong.decode(errors="replace"))
