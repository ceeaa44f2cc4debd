"""Questions to the controller's door that are no entries: one line there, and one or several back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

ANSWER_WITHIN_S: Final = 6.0
#: The settings of a table have some kilobytes; a line this long is none of ours.
_MAX_LINE_BYTES: Final = 1 << 20


class NoAnswer(Exception):
    """The controller is not there, or does not answer in time."""


async def ask(path: Path, question: Mapping[str, Any]) -> dict[str, Any]:
    """One question, one line. Raises `NoAnswer`."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S), asking(path, question) as lines:
            async for line in lines:
                return line
    except TimeoutError:
        raise NoAnswer("no answer in time") from None
    raise NoAnswer("hung up")


@asynccontextmanager
async def asking(path: Path, question: Mapping[str, Any]) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """One question, and lines until the controller hangs up, or we do at the end of the context. Raises `NoAnswer`."""
    try:
        reader, writer = await asyncio.open_unix_connection(path, limit=_MAX_LINE_BYTES)
    except OSError as wrong:
        raise NoAnswer(str(wrong)) from None
    try:
        writer.write(json.dumps(question).encode() + b"\n")
        yield _lines(reader)
    finally:
        writer.close()


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[dict[str, Any]]:
    try:
        while line := await reader.readline():
            said = json.loads(line)
            if not isinstance(said, dict):
                raise NoAnswer("a line that is no JSON object")
            yield said
    except (OSError, ValueError) as wrong:
        raise NoAnswer(str(wrong)) from None
