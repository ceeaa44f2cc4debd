"""The client of the controller's interface for programs with an event loop. All of it raises `NoController`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tablectl.api.client import ANSWER_S, STORED_S, NoController, StreamPosition, decoded, nobody
from tablectl.api.heads import Heads
from tablectl.api.protocol import ANSWER_BYTES, encode


@asynccontextmanager
async def open_connection(path: Path, question: object) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """One question, and lines until the controller hangs up, or we do at the end of the context."""
    try:
        reader, writer = await asyncio.open_unix_connection(path, limit=ANSWER_BYTES)
    except OSError as wrong:
        raise nobody(path, wrong) from None
    try:
        writer.write(encode(question))
        yield _received(reader)
    finally:
        writer.close()


async def _received(reader: asyncio.StreamReader) -> AsyncIterator[dict[str, Any]]:
    while True:
        try:
            line = await reader.readline()
        except (OSError, ValueError) as wrong:
            raise NoController(str(wrong)) from None
        if not line:
            return
        yield decoded(line)


async def ask(path: Path, question: object, *, timeout_s: float = ANSWER_S) -> dict[str, Any]:
    """One question, the first line of the answer."""
    try:
        async with asyncio.timeout(timeout_s), open_connection(path, question) as answers:
            async for answer in answers:
                return answer
    except TimeoutError:
        raise NoController("no answer in time") from None
    raise NoController("the controller hung up")


async def lines(path: Path, question: object) -> AsyncIterator[dict[str, Any]]:
    """One question, and every line of the answer up to the one with `ok`."""
    async with open_connection(path, question) as answers:
        async for answer in answers:
            yield answer
            if "ok" in answer:
                return


async def ask_about(path: Path, heads: Heads) -> None:
    """Whether the journal has what is remembered of it."""
    for digest, question in heads.questions().items():
        heads.answered(digest, await ask(path, question))


@asynccontextmanager
async def subscribe(path: Path, position: StreamPosition) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """The records after a position, as they come; the greeting is known when the context begins."""
    await ask_about(path, position.heads)
    async with open_connection(path, position.request()) as answers:
        try:
            while not position.is_joined:
                async with asyncio.timeout(STORED_S if position.is_greeted else ANSWER_S):
                    position.take(await anext(answers))
        except TimeoutError:
            raise position.missing() from None
        except StopAsyncIteration:
            raise NoController("the controller hung up") from None
        yield _records(answers, position)


async def _records(answers: AsyncIterator[dict[str, Any]], position: StreamPosition) -> AsyncIterator[dict[str, Any]]:
    async for said in answers:
        record = position.take(said)
        if record is not None:
            yield record
