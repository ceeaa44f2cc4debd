"""In which language a page is: the one that its person chose, otherwise the table's.

Who is signed on and chooses one at a page has it from then on wherever he signs on: it is kept with his account. Where
nobody is signed on, the browser keeps it until somebody signs off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablectl.i18n.languages import DEFAULT
from tablectl.people.people import COOKIE
from tablectl.people.service.questions import ChooseLanguage, House, NoAccounts, Who
from tablectl.web.screens.cookies import keep

#: Keeps what was chosen where nobody is signed on, until the browser is closed.
LANGUAGE_COOKIE: Final = "tablectl-language"
#: By this an address asks for a language. Of the links of pages those that choose a language have it alone.
ASKED: Final = "lang"


def language(request: Request) -> str:
    """The language of what is answered."""
    return str(request.scope.get("state", {}).get("language", DEFAULT))


class ChosenLanguage:
    """ASGI middleware that finds the language of each request out of those that are `offered()`, the table's first, and
    keeps the one that a page was opened in by its address: for whoever of the `house` is signed on, otherwise in the
    browser. Without a `house` nobody signs on. `asks_browser`: who chose none has the first one that his browser says
    he reads, before the table's."""

    def __init__(
        self,
        app: ASGIApp,
        offered: Callable[[], tuple[str, ...]],
        house: House | None = None,
        *,
        asks_browser: bool = False,
    ) -> None:
        self._app = app
        self._offered = offered
        self._house = house
        self._asks_browser = asks_browser

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, in its language."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, offered = Request(scope), self._offered()
        asked = request.query_params.get(ASKED)
        own = await self._own(request)
        kept = request.cookies.get(LANGUAGE_COOKIE)
        read = languages_read(request.headers.get("accept-language", "")) if self._asks_browser else ()
        chosen = next((found for found in (asked, own, kept, *read) if found in offered), offered[0])
        scope.setdefault("state", {})["language"] = chosen

        async def send_and_keep(message: Message) -> None:
            if message["type"] == "http.response.start" and chosen == asked != own and request.method == "GET":
                headers = MutableHeaders(scope=message)
                is_page = headers.get("content-type", "").startswith("text/html")
                if is_page and not await self._is_kept(request, chosen) and chosen != kept:
                    headers.append("set-cookie", _kept(chosen, is_secure=scope.get("scheme") == "https"))
            await send(message)

        await self._app(scope, receive, send_and_keep)

    async def _own(self, request: Request) -> str:
        """The language of whoever is asking; "" where that is nobody, he chose none, or it cannot be known now."""
        token = request.cookies.get(COOKIE, "")
        if self._house is None or not token:
            return ""
        try:
            return (await self._house.ask(Who(token=token))).language
        except NoAccounts:
            return ""

    async def _is_kept(self, request: Request, chosen: str) -> bool:
        """Whether it is kept now with the account of whoever chose it."""
        token = request.cookies.get(COOKIE, "")
        if self._house is None or not token:
            return False
        try:
            return await self._house.ask(ChooseLanguage(token=token, language=chosen))
        except NoAccounts:
            return False


def languages_read(accepted: str) -> tuple[str, ...]:
    """The languages of an `Accept-Language`, the most welcome first, without their countries (RFC 9110, 12.5.4)."""
    found: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, quality = part.strip().partition(";")
        weight = quality.strip().removeprefix("q=") or "1"
        if tag and weight.replace(".", "", 1).isdecimal() and float(weight):
            found.append((-float(weight), tag.strip().partition("-")[0].lower()))
    return tuple(language for _, language in sorted(found, key=lambda one: one[0]))


def _kept(chosen: str, *, is_secure: bool) -> str:
    carrier = Response()
    keep(carrier, LANGUAGE_COOKIE, chosen, is_secure=is_secure)
    return carrier.headers["set-cookie"]
