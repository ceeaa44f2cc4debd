"""A table's connection to the pit server: HTTP/1.1 over TLS by asyncio, since a thousand of them share one thread.

The uplink itself uses `tablectl.fleet.uplink.transport`; this one can also break off in the middle of a request.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Any, Final, Protocol

import msgspec

#: Longer than the pit server needs where a thousand tables send at once.
ANSWER_S: Final = 60.0
_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length:"


class HungUp(Exception):
    """The pit server, or this end, broke off."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Status and JSON of what it answered."""

    status: int
    said: dict[str, Any]


class Connection(Protocol):
    """How a simulated table reaches the pit server, by whatever carries it. Raises `HungUp`."""

    async def get(self, path: str) -> Answer:
        """A question without a body."""
        ...

    async def post(self, path: str, body: bytes) -> Answer:
        """Records."""
        ...

    async def put(self, path: str, body: bytes) -> Answer:
        """What it is doing now."""
        ...

    async def break_off(self, path: str, body: bytes) -> None:
        """Begin to send, and hang up."""
        ...

    def hang_up(self) -> None:
        """At once."""
        ...


class Client:
    """One connection, which is opened where it is needed."""

    def __init__(self, host: str, port: int, context: ssl.SSLContext) -> None:
        self._host, self._port, self._context = host, port, context
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.sent_bytes = 0

    async def get(self, path: str) -> Answer:
        """Raises `HungUp`."""
        return await self._ask(b"GET %s HTTP/1.1\r\nHost: pit\r\n\r\n" % path.encode())

    async def post(self, path: str, body: bytes) -> Answer:
        """Raises `HungUp`."""
        return await self._ask(_sent("POST", path, body))

    async def put(self, path: str, body: bytes) -> Answer:
        """Raises `HungUp`."""
        return await self._ask(_sent("PUT", path, body))

    async def break_off(self, path: str, body: bytes) -> None:
        """Send half of a request, and hang up."""
        whole = _sent("POST", path, body)
        _, writer = await self._open()
        writer.write(whole[: len(whole) // 2])
        self.hang_up()

    def hang_up(self) -> None:
        """At once, without a farewell."""
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None

    async def _ask(self, request: bytes) -> Answer:
        try:
            reader, writer = await self._open()
            writer.write(request)
            self.sent_bytes += len(request)
            async with asyncio.timeout(ANSWER_S):
                head = await reader.readuntil(_END)
                return _answer(head, await reader.readexactly(_length(head)))
        except (OSError, EOFError, TimeoutError, asyncio.IncompleteReadError) as wrong:
            self.hang_up()
            raise HungUp(str(wrong) or type(wrong).__name__) from None
        except asyncio.CancelledError:
            self.hang_up()
            raise

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(
                self._host, self._port, ssl=self._context, server_hostname=self._host
            )
        return self._streams


def _sent(method: str, path: str, body: bytes) -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: pit\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"Content-Type: application/octet-stream\r\n\r\n" + body


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(_LENGTH):
            return int(line.removeprefix(_LENGTH))
    return 0


def _answer(head: bytes, body: bytes) -> Answer:
    return Answer(status=int(head.split(b" ", 2)[1]), said=msgspec.json.decode(body) if body else {})
