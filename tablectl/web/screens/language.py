"""In which language a page is: the one that its person chose, otherwise the table's.

Who chooses one at a page, before or after signing on, has it in all pages of his browser until he signs off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablectl.i18n.languages import DEFAULT

#: Keeps what was chosen, until the browser is closed.
LANGUAGE_COOKIE: Final = "tablectl-language"
#: By this an address asks for a language.
_ASKED: Final = "lang"


def language(request: Request) -> str:
    """The language of what is answered."""
    return str(request.scope.get("state", {}).get("language", DEFAULT))


class ChosenLanguage:
    """ASGI middleware that finds the language of each request out of those that are `offered()`, the table's first,
    and has the browser keep the one that a page was opened in by its address."""

    def __init__(self, app: ASGIApp, offered: Callable[[], tuple[str, ...]]) -> None:
        self._app = app
        self._offered = offered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, in its language."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, offered = Request(scope), self._offered()
        asked, kept = request.query_params.get(_ASKED), request.cookies.get(LANGUAGE_COOKIE)
        chosen = next((found for found in (asked, kept) if found in offered), offered[0])
        scope.setdefault("state", {})["language"] = chosen

        async def send_and_keep(message: Message) -> None:
            if message["type"] == "http.response.start" and chosen == asked != kept and request.method == "GET":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", _kept(chosen, is_secure=scope.get("scheme") == "https"))
            await send(message)

        await self._app(scope, receive, send_and_keep)


def _kept(chosen: str, *, is_secure: bool) -> str:
    carrier = Response()
    carrier.set_cookie(LANGUAGE_COOKIE, chosen, path="/", httponly=True, samesite="strict", secure=is_secure)
    return carrier.headers["set-cookie"]
