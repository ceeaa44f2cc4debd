"""How many streams of events one session may have: each holds a connection for as long as its page is open."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tablectl.people.people import COOKIE

#: A browser has six connections to one host; two more are for pages whose end was not heard of yet.
STREAMS_MOST: Final = 8


class Streams:
    """Those that are open, by session."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def of_session(self, request: Request, events: AsyncIterator[str]) -> Response:
        """The stream of these events; status 429 where the session has as many as it may have."""
        return _SessionStream(self._open, request.cookies.get(COOKIE, ""), events)


class _SessionStream(StreamingResponse):
    """Counted from its first byte to its end, however it ends."""

    def __init__(self, open_streams: Counter[str], token: str, events: AsyncIterator[str]) -> None:
        super().__init__(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self._open = open_streams
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._open[self._token] >= STREAMS_MOST:
            await Response(status_code=429)(scope, receive, send)
            return
        self._open[self._token] += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._open[self._token] -= 1
            if not self._open[self._token]:
                del self._open[self._token]
