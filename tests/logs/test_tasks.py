"""What runs beside the pages begins again where it ended."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from tablectl.ops.log import LOGGER
from tablectl.ops.tasks import REST_S, kept_running


def test_what_fails_or_ends_is_said_and_begun_again(caplog: pytest.LogCaptureFixture) -> None:
    rests: list[float] = []

    async def once() -> None:
        begun = asyncio.Event()
        times = 0

        async def run() -> None:
            nonlocal times
            times += 1
            if times == 1:
                raise RuntimeError("a fault of ours")
            if times == 3:
                begun.set()
                await asyncio.Event().wait()

        async def rest(pause_s: float) -> None:
            rests.append(pause_s)

        task = asyncio.create_task(kept_running("the telling", run, rest=rest))
        await asyncio.wait_for(begun.wait(), 10)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()

    asyncio.run(once())
    assert rests == [REST_S, REST_S]
    said = [record.getMessage() for record in caplog.records if record.name == LOGGER]
    assert said == [
        "part ended name='the telling' trace=RuntimeError",
        "part ended name='the telling' trace=None",
    ]


def test_cancelling_it_cancels_what_runs() -> None:
    ended = []

    async def once() -> None:
        begun = asyncio.Event()

        async def run() -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(True)

        task = asyncio.create_task(kept_running("it", run))
        await asyncio.wait_for(begun.wait(), 10)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(once())
    assert ended == [True]
