"""HTTP where anybody in the network may come: uvicorn's, with an end to what a request may take.

By itself uvicorn reads the head of a request however long it is, and waits for its end however long that takes. Whoever
says nothing, or headers without end, would take the memory and the descriptors that all others need.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: A head with more is no request of ours: browsers and proxies take less themselves.
HEAD_BYTES_MOST: Final = 65_536


class Deadline:
    """Something has to come in time, counted from the first `begin` since it was made or `stop` was called. `missed`:
    what happens where it does not. Used in one event loop."""

    def __init__(self, for_s: float, missed: Callable[[], None]) -> None:
        self._for_s = for_s
        self._missed = missed
        self._ending: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """It is waited for."""
        if self._ending is None:
            self._ending = asyncio.get_running_loop().call_later(self._for_s, self._missed)

    def stop(self) -> None:
        """It came, or nobody waits for it any more."""
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's. A request has to be here in time, its body too, and its head has a size that is taken at most."""

    #: seconds, from the beginning of the connection, and from the first byte of each later request
    request_s: ClassVar[float] = 30.0

    _deadline: Deadline | None = None
    _is_whole = False
    _has_head = False
    _head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """TLS, where there is any, is agreed on."""
        super().connection_made(cast("asyncio.Transport", transport))
        self._deadline = self.deadline_of(transport)
        self._look()

    def deadline_of(self, transport: asyncio.BaseTransport) -> Deadline | None:
        """Until when a request has to be here; None where it may take as long as it takes."""
        return Deadline(self.request_s, cast("asyncio.Transport", transport).abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody waits for a request any more."""
        super().connection_lost(exc)
        self._is_whole = True
        self._look()

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request, or all of them."""
        super().data_received(data)
        self._look()
        self._head_bytes = 0 if self._has_head else self._head_bytes + len(data)
        if self._head_bytes > HEAD_BYTES_MOST:
            self.send_400_response(f"The head of a request has {HEAD_BYTES_MOST} bytes at most.")

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._is_whole = self._has_head = False

    def on_headers_complete(self) -> None:
        """Its body comes now, for which the application has a limit."""
        self._has_head = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of it is here; its answer takes as long as it takes."""
        self._is_whole = True
        super().on_message_complete()

    def _look(self) -> None:
        if self._deadline is not None and self._is_whole:
            self._deadline.stop()
        elif self._deadline is not None:
            self._deadline.begin()
