"""The accounts as the pages know them where another process keeps them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from tablectl.api.protocol import ANSWER_BYTES
from tablectl.journal.clock import now_us as clock_us
from tablectl.people.service.questions import Act, NoAccounts, Question, Refused, answer_from, raised
from tablectl.people.service.server import ANSWER, LINE, REFUSED, Progress

T = TypeVar("T")

#: How long an answer may take: secrets are hashed two at a time, and each takes its time.
ANSWER_S: Final = 30.0


class RemoteAccounts:
    """Asks at a Unix socket, with a connection for each question."""

    def __init__(self, path: Path, *, clock: Callable[[], int] = clock_us) -> None:
        self._path = path
        self._clock = clock

    def now_us(self) -> int:
        """The time by which sessions end."""
        return self._clock()

    async def ask(self, question: Question[T]) -> T:
        """The answer. Raises one of `REFUSALS`, `NoAccounts`, `NoController`."""
        async with self._asked(question) as lines:
            async for said in lines:
                return answer_from(question, said[ANSWER])
        raise NoAccounts("the accounts hung up")

    async def progress(self, act: Act) -> AsyncGenerator[Mapping[str, Any]]:
        """Every line of the controller's answer. Raises as `ask`."""
        async with self._asked(Progress(act=act)) as lines:
            async for said in lines:
                if LINE not in said:
                    return
                yield said[LINE]

    @asynccontextmanager
    async def _asked(self, question: Question[Any] | Progress) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
        try:
            reader, writer = await asyncio.open_unix_connection(self._path, limit=ANSWER_BYTES)
        except OSError as wrong:
            raise NoAccounts(f"{self._path}: {wrong.strerror}") from None
        try:
            writer.write(msgspec.json.encode(question) + b"\n")
            yield _received(reader)
        finally:
            writer.close()


async def _received(reader: asyncio.StreamReader) -> AsyncIterator[dict[str, Any]]:
    while True:
        try:
            async with asyncio.timeout(ANSWER_S):
                line = await reader.readline()
        except TimeoutError:
            raise NoAccounts("no answer in time") from None
        except (OSError, ValueError) as wrong:
            raise NoAccounts(str(wrong)) from None
        if not line:
            raise NoAccounts("the accounts hung up")
        said: dict[str, Any] = msgspec.json.decode(line)
        if REFUSED in said:
            raise raised(msgspec.convert(said[REFUSED], Refused))
        yield said
