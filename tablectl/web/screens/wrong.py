"""What is answered where a request leads nowhere, or went wrong: a page with a way back.

Whoever follows a link sees it; what pages send by themselves is answered in plain text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from drivers.error_boundary import ErrorBoundary
from tablectl.i18n.languages import LANGUAGES
from tablectl.people.service.questions import NoAccounts, NotYours
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.guard import guarded_headers
from tablectl.web.screens.language import language
from tablectl.web.screens.render import Pages
from tablectl.web.screens.screen_texts import ScreenTexts

#: Statuses with sentences of their own; any other one is told as `_OTHER`.
TOLD: Final = frozenset(
    {
        HTTPStatus.NOT_FOUND,
        HTTPStatus.METHOD_NOT_ALLOWED,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        HTTPStatus.SERVICE_UNAVAILABLE,
    }
)
_OTHER: Final = "other"


class Wrong:
    """Answers instead of a page. `picture()` is the table as it is now; `look(request)` finds out who is asking, so
    that the page has his name; without it nobody signs on."""

    def __init__(
        self, pages: Pages, picture: Callable[[], Picture], look: Callable[[Request], Awaitable[None]] | None = None
    ) -> None:
        self._pages = pages
        self._picture = picture
        self._look = look
        #: answered where even the page that says so cannot be made
        self._last_resort = {spoken: _sentences(pages.texts(spoken, Picture())) for spoken in LANGUAGES}

    async def answered(self, request: Request, no: Exception) -> Response:
        """For `HTTPException`: there is no such page, or it is not asked for in this way."""
        status = no.status_code if isinstance(no, HTTPException) else HTTPStatus.INTERNAL_SERVER_ERROR
        headers = dict(no.headers or {}) if isinstance(no, HTTPException) else {}
        with suppress(NoAccounts):
            if self._look is not None:
                await self._look(request)
        return self._answer(request, status, headers)

    async def too_long(self, request: Request) -> Response:
        """For more than any page sends."""
        return self._answer(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {})

    async def no_accounts(self, request: Request, _no: Exception) -> Response:
        """For `NoAccounts`: nobody can say who is asking. What is shown of the table goes on where a page is open."""
        return self._answer(request, HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": "1"})

    async def not_yours(self, request: Request, no: Exception) -> Response:
        """For `NotYours` where a page said nothing about it: the session ended while the page was made."""
        why, values = (no.why, no.values) if isinstance(no, NotYours) else ("not-yours", {})
        says = self._pages.says(language(request), self._picture(), why, **values)
        return JSONResponse({"ok": False, "error": why, "says": says}, status_code=403)

    async def broken(self, request: Request, _wrong: Exception) -> Response:
        """For what we did wrong ourselves: it is given outside the guard, and has the same headers. Who is asking is
        not looked up, since that may be what is broken."""
        headers = guarded_headers(request)
        with ErrorBoundary():  # whatever it is that can make no page: the log has the fault itself
            return self._answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, headers)
        return PlainTextResponse(self._last_resort[language(request)], status_code=500, headers=headers)

    def _answer(self, request: Request, status: int, headers: dict[str, str]) -> Response:
        why = str(int(status)) if status in TOLD else _OTHER
        if "text/html" not in request.headers.get("accept", ""):
            text = self._pages.texts(language(request), Picture()).say("wrong", why)
            return PlainTextResponse(f"{text}\n", status_code=status, headers=headers)
        html = self._pages.plain("wrong", language(request), self._picture(), status=status, why=why)
        return HTMLResponse(html, status_code=status, headers=headers)


def _sentences(texts: ScreenTexts) -> str:
    """What is said of a fault of ours."""
    why = str(int(HTTPStatus.INTERNAL_SERVER_ERROR))
    return f"{texts.say('wrong', why)}. {texts.say('wrong-what', why)}\n"
