"""The accounts at a Unix socket: a question a line, an answer a line. Each connection is served in its order."""

from __future__ import annotations

import asyncio
import errno
import os
from contextlib import suppress
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Final

import msgspec

from tablectl.api.client import NoController
from tablectl.api.protocol import REQUEST_BYTES
from tablectl.api.unix_socket import is_listening
from tablectl.core.unreadable import UNREADABLE
from tablectl.people.service.questions import QUESTIONS, REFUSALS, Act, House, Question, RefusalKind, Refused, refused

#: Connections at the same time: pages hold none longer than a question.
CONNECTIONS_MAX: Final = 256
_KNOCK_S: Final = 1.0
#: Members of a line that is sent.
ANSWER: Final = "answer"
REFUSED: Final = "refused"
LINE: Final = "line"


class Progress(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask", tag="progress"):
    """Every line of the controller's answer, as it comes."""

    act: Act


#: Made once: what may come in a line.
_DECODER: Final[msgspec.json.Decoder[Question[Any] | Progress]] = msgspec.json.Decoder(reduce(or_, QUESTIONS, Progress))


class AccountsServer:
    """At a path that only those come to whom its folder lets in."""

    def __init__(self, path: Path, house: House) -> None:
        self._path = path
        self._house = house
        self._server: asyncio.Server | None = None
        self._open: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Listen. Raises `OSError`, also where somebody listens already."""
        if self._path.is_socket():
            if is_listening(self._path, _KNOCK_S):
                raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
            self._path.unlink()
        before = os.umask(0o117)  # its owner, and the group that its folder gives to what is made there
        try:
            self._server = await asyncio.start_unix_server(self._connected, self._path, limit=REQUEST_BYTES)
        finally:
            os.umask(before)

    async def end(self) -> None:
        """Stop listening, and hang up on everybody."""
        if self._server is not None:
            self._server.close()
            self._path.unlink(missing_ok=True)
        for task in self._open.values():
            task.cancel()
        await asyncio.gather(*self._open.values(), return_exceptions=True)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._open) >= CONNECTIONS_MAX:
            writer.close()
            return
        self._open[writer] = asyncio.create_task(self._attend(reader, writer))

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, ValueError):  # the other end is gone, or a line is longer than any may be
                while line := await reader.readline():
                    await self._serve(line, writer)
        finally:
            del self._open[writer]
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _serve(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        try:
            asked = _DECODER.decode(line)
        except UNREADABLE as wrong:
            await _send(writer, REFUSED, Refused(kind=RefusalKind.BAD_QUESTION, why=str(wrong)))
            return
        try:
            if isinstance(asked, Progress):
                async for told in self._house.progress(asked.act):
                    await _send(writer, LINE, told)
                await _send(writer, ANSWER, None)
            else:
                await _send(writer, ANSWER, await self._house.ask(asked))
        except (*REFUSALS, NoController) as wrong:
            await _send(writer, REFUSED, refused(wrong))


async def _send(writer: asyncio.StreamWriter, member: str, value: object) -> None:
    writer.write(msgspec.json.encode({member: value}) + b"\n")
    await writer.drain()
