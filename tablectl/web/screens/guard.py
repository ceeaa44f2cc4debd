"""Who may talk to the screens: this machine's own browser, or one that came by TLS; from our own pages alone.

Bound to loopback, a page of any other site that the same browser has open could still send requests here, or point a
name of its own at 127.0.0.1; so the Host, the Origin and the Sec-Fetch-Site headers are looked at. By TLS such a name
is none of the certificate's, and the browser does not get so far.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def _content_policy(form_action: str) -> str:
    return "; ".join(
        (
            "default-src 'self'",
            "base-uri 'none'",
            f"form-action {form_action}",
            "frame-ancestors 'none'",
            "object-src 'none'",
        )
    )


HEADERS: Final = {
    "Content-Security-Policy": _content_policy("'none'"),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With "no-referrer" browsers say Origin: null in a form that is sent without script.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), serial=(), hid=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
#: Of a page whose forms work without script.
FORM_POLICY: Final = _content_policy("'self'")
#: More than a page sends.
BODY_MOST_BYTES: Final = 65_536
_ELSEWHERE: Final = (
    "Sin TLS estas pantallas solo responden en este equipo.\nWithout TLS these screens answer on loopback only.\n"
)
#: Under TLS: a year without going back (RFC 6797).
STRICT_TRANSPORT: Final = "max-age=31536000"


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
    try:
        return urlsplit(origin).netloc == request.headers.get("host")
    except ValueError:  # as "http://["
        return False


def guarded_headers(request: Request) -> dict[str, str]:
    """The headers of every answer, for one that is given outside the guard."""
    strict = {"Strict-Transport-Security": STRICT_TRANSPORT} if request.scope.get("scheme") == "https" else {}
    return HEADERS | strict


async def _too_long(_request: Request) -> Response:
    return PlainTextResponse("Demasiado largo.\nToo long.\n", status_code=413)


class _TooLong(Exception):
    """Somebody sends more than any page does."""


class Guard:
    """ASGI middleware: strict headers on every answer, and without TLS no answer to a Host that is not loopback.
    `too_long` answers more than any page sends."""

    def __init__(self, app: ASGIApp, too_long: Callable[[Request], Awaitable[Response]] = _too_long) -> None:
        self._app = app
        self._too_long = too_long

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if scope.get("state", {}).get("has_form"):
                    headers["Content-Security-Policy"] = FORM_POLICY
                if is_secure:
                    headers["Strict-Transport-Security"] = STRICT_TRANSPORT
            await send(message)

        heard_bytes = 0

        async def receive_little() -> Message:
            nonlocal heard_bytes
            message = await receive()
            heard_bytes += len(message.get("body", b""))
            if heard_bytes > BODY_MOST_BYTES:
                raise _TooLong
            return message

        is_secure = scope.get("scheme") == "https"
        if is_secure or is_loopback(_host(scope)):
            try:
                await self._app(scope, receive_little, send_with_headers)
            except _TooLong:
                answer = await self._too_long(Request(scope))
                await answer(scope, receive, send_with_headers)
        else:
            refusal = PlainTextResponse(_ELSEWHERE, status_code=421)
            await refusal(scope, receive, send_with_headers)


def _host(scope: Scope) -> str:
    try:
        return urlsplit(f"//{Request(scope).headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""  # as "[": no name at all
