"""HTTP where anybody in the network may come: uvicorn's, with an end to what a request may take.

By itself uvicorn reads the head of a request however long it is, and waits for its end however long that takes. Whoever
says nothing, or headers without end, would take the memory and the descriptors that all others need.
"""

from __future__ import annotations

import asyncio
from typing import Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tablectl.ops.connections import Deadline, NetworkConnection

#: A head with more is no request of ours: browsers and proxies take less themselves.
HEAD_BYTES_MOST: Final = 65_536


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's. A request has to be here in time, its body too, and its head has a size that is taken at most. The
    listener's limits say how long; that begins before TLS. Whoever comes by a Unix socket has all the time it takes."""

    _deadline: Deadline | None = None
    _is_whole = False
    _has_head = False
    _head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """TLS, where there is any, is agreed on."""
        super().connection_made(cast("asyncio.Transport", transport))
        connection = NetworkConnection.below(transport)
        self._deadline = None if connection is None else connection.deadline
        self._look()

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
