"""Signing on and off: with a password anywhere, at the table's own screen with a PIN or a badge; all but the badge
works without script."""

from __future__ import annotations

from typing import Final, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tablectl.people.accounts import Way
from tablectl.people.people import COOKIE, Denial, Denied
from tablectl.people.service.questions import AskTiles, Opened, SignOff, SignOn, SignOnByBadge, TableReply
from tablectl.people.source import BROWSER_COOKIE, KNOWN_US, Source
from tablectl.web.screens.cookies import forget, keep
from tablectl.web.screens.language import LANGUAGE_COOKIE
from tablectl.web.screens.web.gate import SEE_OTHER, SIGN_ON, fields_of, next_of
from tablectl.web.screens.web.guarded_routes import EVERYBODY, Endpoint, GuardedRoute
from tablectl.web.screens.web.shared import Shared, is_at_table, source_of, token_of

#: How long a page's question for a badge waits for one, in seconds.
BADGE_WAIT_S: Final = 5.0
_AT_TABLE: Final = "/croupier"
_STATUS: Final = {Denial.TOO_MANY: 429, Denial.LOCKED: 429}


class SigningOn:
    """The pages /sign-on and /sign-off."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        return (
            self._form(SIGN_ON, self.page),
            self._form(SIGN_ON, self.sign_on, "POST"),
            GuardedRoute(
                path="/sign-on/badge",
                endpoint=self.badge,
                roles=EVERYBODY,
                methods=("POST",),
                is_page=False,
                has_alarm_view=True,
            ),
            self._form("/sign-off", self.leaving, signed_on=True),
            self._form("/sign-off", self.sign_off, "POST", signed_on=True),
        )

    def _form(self, path: str, endpoint: Endpoint, method: str = "GET", *, signed_on: bool = False) -> GuardedRoute:
        return GuardedRoute(
            path=path,
            endpoint=endpoint,
            roles=EVERYBODY,
            methods=(method,),
            signed_on=signed_on,
            has_form=True,
            has_alarm_view=True,
        )

    async def page(self, request: Request) -> Response:
        """The tiles and the pad at the table, the form anywhere."""
        return await self._page(request, next_of(request.query_params.get("next")))

    async def sign_on(self, request: Request) -> Response:
        """What the form sent."""
        fields = fields_of(request)
        way: Literal["password", "pin"] = "pin" if fields.get("way") == Way.PIN else "password"
        name, after = fields.get("name", "").strip().lower(), next_of(fields.get("next"))
        asked = SignOn(
            name=name,
            secret=fields.get("secret", ""),
            way=way,
            source=source_of(request),
            replaces=token_of(request),
        )
        try:
            opened = await self._shared.house.ask(asked)
        except Denied as no:
            return await self._page(request, after, denied=no, name=name, status=_STATUS.get(no.why, 403))
        self._shared.feed.wake()
        if opened.taken is None:
            return with_session(
                self._known(RedirectResponse(after, status_code=SEE_OTHER), opened, request), opened.token, request
            )
        says = self._said_by_table(request, opened.taken)
        if says:
            return with_session(self._shared.page(request, "signed-on", says=says), opened.token, request)
        return with_session(RedirectResponse(_AT_TABLE, status_code=SEE_OTHER), opened.token, request)

    async def badge(self, request: Request) -> Response:
        """Wait a moment for a badge, and sign its croupier on. Only the table's own page asks."""
        shared, source = self._shared, source_of(request)
        until_us = shared.house.now_us() + int(BADGE_WAIT_S * 1_000_000)
        try:
            while (opened := await shared.house.ask(self._badge_asked(request, source, until_us))) is None:
                is_over = shared.house.now_us() >= until_us
                if is_over or shared.stopping() or await request.is_disconnected():
                    return JSONResponse({"ok": True, "badge": False, "tilted": self._is_tilted()})
        except Denied as no:
            return self._no_badge(request, no)
        shared.feed.wake()
        says = [] if opened.taken is None else self._said_by_table(request, opened.taken)
        reply = JSONResponse({"ok": True, "badge": True, "next": _AT_TABLE, "says": says})
        return with_session(reply, opened.token, request)

    def _badge_asked(self, request: Request, source: Source, until_us: int) -> SignOnByBadge:
        left_s = (until_us - self._shared.house.now_us()) / 1_000_000
        return SignOnByBadge(source=source, wait_s=min(1.0, max(0.0, left_s)), replaces=token_of(request))

    def _known(self, response: Response, opened: Opened, request: Request) -> Response:
        """From now on nobody who guesses elsewhere keeps this person from this browser."""
        keep(response, BROWSER_COOKIE, opened.browser, is_secure=_is_secure(request), for_s=KNOWN_US // 1_000_000)
        return response

    def _is_tilted(self) -> bool:
        """Whether the page that waits at the table has to say that nothing is dealt."""
        picture = self._shared.feed.picture
        return picture.tilt is not None and not picture.connected

    async def leaving(self, request: Request) -> Response:
        """Asks once more, with a button: a link alone must not end anything."""
        return self._shared.page(request, "sign-off")

    async def sign_off(self, request: Request) -> Response:
        """End the session; a croupier leaves the table."""
        left = await self._shared.house.ask(SignOff(token=token_of(request)))
        self._shared.feed.wake()
        says = [] if left is None else self._said_by_table(request, left)
        if says:
            return _without_session(self._shared.page(request, "signed-off", says=says))
        return _without_session(RedirectResponse(SIGN_ON, status_code=SEE_OTHER))

    def _said_by_table(self, request: Request, reply: TableReply) -> list[str]:
        """Why the table does not have it so; nothing where it has."""
        if not reply.is_reached:
            return self._shared.says(request, "table-not-told")
        if not reply.ok:
            return self._shared.says(request, "table-knows-no-croupier", error=reply.error)
        return self._shared.says(request, "table-refuses", error=reply.refused) if reply.refused else []

    # --- pages ------------------------------------------------------------------------------------------------------

    async def _page(
        self, request: Request, after: str, *, denied: Denied | None = None, name: str = "", status: int = 200
    ) -> Response:
        says = [] if denied is None else self._said(request, denied)
        at_table = is_at_table(request)
        tiles = await self._shared.house.ask(AskTiles())
        values = {
            "says": says,
            "croupiers": tiles.croupiers if at_table else (),
            "after": after,
            "name": name,
            "at_table": at_table,
            "demo_pin": tiles.demo_pin,
            "demo_dealing": tiles.demo_dealing,
        }
        return self._shared.page(request, "sign-on", status, **values)

    def _said(self, request: Request, no: Denied) -> list[str]:
        return self._shared.says(request, no.why, pause=str(no.pause_s))

    def _no_badge(self, request: Request, no: Denied) -> Response:
        return JSONResponse({"ok": False, "error": no.why, "says": self._said(request, no)}, status_code=403)


def with_session(response: Response, token: str, request: Request) -> Response:
    """The browser keeps it until it is closed, shows it to no script, and sends it with no other site's request."""
    keep(response, COOKIE, token, is_secure=_is_secure(request))
    return response


def _is_secure(request: Request) -> bool:
    return request.url.scheme == "https"


def _without_session(response: Response) -> Response:
    for cookie in (COOKIE, LANGUAGE_COOKIE):
        forget(response, cookie)
    return response
