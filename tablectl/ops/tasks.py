"""What runs beside the pages as long as the screens do, and is looked after."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Never, TypeAlias

from tablectl.ops.log import LateLog

#: How long it rests after it failed, in seconds.
REST_S: Final = 2.0

#: Runs until it is cancelled.
Run: TypeAlias = Callable[[], Coroutine[Any, Any, None]]

_LOG: Final = LateLog()


async def repeated(look: Callable[[], Awaitable[None]], every_s: float) -> Never:
    """Look, and rest for so long, again and again. Ends only when it is cancelled."""
    while True:
        await look()
        await asyncio.sleep(every_s)


async def kept_running(
    name: str,
    run: Run,
    *,
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Run it for ever: where it ends, it is said and begun again. Ends only when it is cancelled."""
    while True:
        task = asyncio.create_task(run(), name=name)
        try:
            await asyncio.wait([task])
        finally:
            task.cancel()
        wrong = None if task.cancelled() else task.exception()
        _LOG.warning("part ended", name=name, trace=wrong)
        await rest(REST_S)
