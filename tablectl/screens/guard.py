"""Who may talk to the screens: this machine's own browser, from our own pages, and nobody else.

Bound to loopback, a page of any other site that the same browser has open could still send requests here, or point a
name of its own at 127.0.0.1; so the Host, the Origin and the Sec-Fetch-Site headers are looked at.
"""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_CONTENT_POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": _CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def is_loopback(host: str) -> bool:
    """Whether a name or address means this machine and cannot be reached from another one."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def own_origin(request: Request) -> bool:
    """Whether a request comes from a page of ours: what a browser says of it, and no other site's."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None and site != "same-origin":
        return False
    if origin is None:
        return site == "same-origin"
    return urlsplit(origin).netloc == request.headers.get("host")


class Guard:
    """ASGI middleware: strict headers on every answer, and no answer to a Host that is not loopback."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        host = urlsplit(f"//{Request(scope).headers.get('host', '')}").hostname or ""
        if is_loopback(host):
            await self._app(scope, receive, send_with_headers)
        else:
            refusal = PlainTextResponse("These screens answer on loopback only.\n", status_code=421)
            await refusal(scope, receive, send_with_headers)
