"""Signing on and off: with a password anywhere, at the table's own screen with a PIN or a badge; all but the badge
works without script."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tablectl.api.client import NoController
from tablectl.people.accounts import Account, Way
from tablectl.people.demo_pin import kept
from tablectl.people.people import COOKIE, Denial, Denied, SignedOn
from tablectl.people.roles import Role
from tablectl.people.sessions import Place
from tablectl.people.source import BROWSER_COOKIE, KNOWN_US
from tablectl.web.screens.cookies import forget, keep
from tablectl.web.screens.language import LANGUAGE_COOKIE
from tablectl.web.screens.web.gate import SEE_OTHER, SIGN_ON, fields_of, next_of
from tablectl.web.screens.web.guarded_routes import EVERYBODY, Endpoint, GuardedRoute, alarm_view_of, signed_on_of
from tablectl.web.screens.web.shared import Shared, is_at_table, source_of

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
        return self._page(request, next_of(request.query_params.get("next")))

    async def sign_on(self, request: Request) -> Response:
        """What the form sent."""
        fields, people, before = fields_of(request), self._shared.people, signed_on_of(request)
        way = Way.PIN if fields.get("way") == Way.PIN else Way.PASSWORD
        name, after = fields.get("name", "").strip().lower(), next_of(fields.get("next"))
        try:
            token = await people.sign_on(
                name,
                fields.get("secret", ""),
                way=way,
                source=source_of(request),
                instead_of=before,
            )
        except Denied as no:
            return self._page(request, after, denied=no, name=name, status=_STATUS.get(no.why, 403))
        self._replaced(request)
        if before is not None and way is Way.PASSWORD and before.person.name != name:
            await self._leaves_table(request, before)
        if way is Way.PASSWORD:
            leads = RedirectResponse(after, status_code=SEE_OTHER)
            return with_session(self._known(leads, name, request), token, request)
        says = await self._takes_table(request, name)
        if says:
            return with_session(self._shared.page(request, "signed-on", says=says), token, request)
        return with_session(RedirectResponse(_AT_TABLE, status_code=SEE_OTHER), token, request)

    async def badge(self, request: Request) -> Response:
        """Wait a moment for a badge, and sign its croupier on. Only the table's own page asks."""
        if not is_at_table(request):
            return self._no_badge(request, Denied(Denial.NOT_HERE))
        shared = self._shared
        picture, until_us = shared.feed.picture, shared.people.now_us() + int(BADGE_WAIT_S * 1_000_000)
        while (badge := shared.badges.take(shared.people.now_us())) is None:
            left_s = (until_us - shared.people.now_us()) / 1_000_000
            if left_s <= 0 or shared.stopping() or await request.is_disconnected():
                return JSONResponse({"ok": True, "badge": False, "tilted": self._is_tilted()})
            picture = await shared.feed.after(picture, at_most_s=min(left_s, 1.0))
        try:
            token = shared.people.sign_on_by_badge(badge, at_table=True, instead_of=signed_on_of(request))
        except Denied as no:
            return self._no_badge(request, no)
        self._replaced(request)
        account = shared.people.accounts.of_badge(badge)
        says = await self._takes_table(request, "" if account is None else account.name)
        reply = JSONResponse({"ok": True, "badge": True, "next": _AT_TABLE, "says": says})
        return with_session(reply, token, request)

    def _known(self, response: Response, name: str, request: Request) -> Response:
        """From now on nobody who guesses elsewhere keeps this person from this browser."""
        people, browser = self._shared.people, request.cookies.get(BROWSER_COOKIE, "")
        token = people.browsers.remember(browser, name, people.now_us())
        keep(response, BROWSER_COOKIE, token, is_secure=_is_secure(request), for_s=KNOWN_US // 1_000_000)
        return response

    def _replaced(self, request: Request) -> None:
        """This browser has another session now: of the one before not even the alarms are left."""
        view = alarm_view_of(request)
        if view is not None:
            self._shared.people.sessions.end(view.token)
        self._shared.feed.wake()

    def _is_tilted(self) -> bool:
        """Whether the page that waits at the table has to say that nothing is dealt."""
        picture = self._shared.feed.picture
        return picture.tilt is not None and not picture.connected

    async def leaving(self, request: Request) -> Response:
        """Asks once more, with a button: a link alone must not end anything."""
        return self._shared.page(request, "sign-off")

    async def sign_off(self, request: Request) -> Response:
        """End the session; a croupier leaves the table."""
        found, view = signed_on_of(request), alarm_view_of(request)
        says = []
        if view is not None:
            self._shared.people.end_alarm_view(view)
            self._shared.feed.wake()
        if found is not None:
            says = await self._leaves_table(request, found)
            self._shared.people.sign_off(found)
            self._shared.feed.wake()
        if says:
            return _without_session(self._shared.page(request, "signed-off", says=says))
        return _without_session(RedirectResponse(SIGN_ON, status_code=SEE_OTHER))

    # --- the table --------------------------------------------------------------------------------------------------

    async def _takes_table(self, request: Request, name: str) -> list[str]:
        """The controller is told who deals; sentences where it was not, or will not have it."""
        return await self._tell(request, f"croupier {name}", name)

    async def _leaves_table(self, request: Request, found: SignedOn) -> list[str]:
        view, name = self._shared.feed.picture.view, found.person.name
        if found.session.place is not Place.TABLE and name not in (view.croupier, view.next_croupier):
            return []
        return await self._tell(request, f"croupier-off {name}", name)

    async def _tell(self, request: Request, line: str, name: str) -> list[str]:
        try:
            reply = await self._shared.link.enter(line, by=name)
        except NoController:
            return self._shared.says(request, "table-not-told")
        if not reply.ok:
            return self._shared.says(request, "table-knows-no-croupier", error=reply.error)
        if reply.refused:
            return self._shared.says(request, "table-refuses", error=str(reply.refused.get("detail", "")))
        return []

    # --- pages ------------------------------------------------------------------------------------------------------

    def _page(
        self, request: Request, after: str, *, denied: Denied | None = None, name: str = "", status: int = 200
    ) -> Response:
        says = [] if denied is None else self._said(request, denied)
        at_table = is_at_table(request)
        croupiers = [account for account in self._shared.people.accounts.all() if at_table and _has_tile(account)]
        demo = self._shared.feed.picture.is_demo and kept(self._shared.people.file.path)
        values = {
            "says": says,
            "croupiers": croupiers,
            "after": after,
            "name": name,
            "at_table": at_table,
            "demo_pin": demo or "",
        }
        return self._shared.page(request, "sign-on", status, **values)

    def _said(self, request: Request, no: Denied) -> list[str]:
        return self._shared.says(request, no.why, pause=str(no.pause_s))

    def _no_badge(self, request: Request, no: Denied) -> Response:
        return JSONResponse({"ok": False, "error": no.why, "says": self._said(request, no)}, status_code=403)


def _has_tile(account: Account) -> bool:
    return account.has_pin and Role.CROUPIER in account.roles and not account.disabled and not account.must_change


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
