"""One's own secrets: a password of one's own in place of one that was given, and a croupier's PIN."""

from __future__ import annotations

from typing import Literal

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tablectl.accounts.questions import ChangeSecret
from tablectl.people.accounts import Way
from tablectl.people.people import Denied, SignedOn
from tablectl.people.roles import Role
from tablectl.people.rules import WeakSecret
from tablectl.people.sessions import Place
from tablectl.web.screens.web.gate import ACCOUNT, SEE_OTHER, SIGN_ON, fields_of, next_of
from tablectl.web.screens.web.guarded_routes import EVERYBODY, GuardedRoute, signed_on_of
from tablectl.web.screens.web.shared import Shared, source_of
from tablectl.web.screens.web.signing_on import with_session


class OwnAccount:
    """The page /account."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is."""
        return (
            GuardedRoute(path=ACCOUNT, endpoint=self.page, roles=EVERYBODY, signed_on=True, has_form=True),
            GuardedRoute(
                path=ACCOUNT, endpoint=self.change, roles=EVERYBODY, methods=("POST",), signed_on=True, has_form=True
            ),
        )

    async def page(self, request: Request) -> Response:
        """Who one is, and the forms."""
        done = request.query_params.get("done", "")
        return self._page(request, done=done if done in (Way.PASSWORD, Way.PIN) else "")

    async def change(self, request: Request) -> Response:
        """Another secret. All sessions of this person end, and this browser gets a new one."""
        found, fields = signed_on_of(request), fields_of(request)
        if found is None:
            return RedirectResponse(SIGN_ON, status_code=SEE_OTHER)
        way: Literal["password", "pin"] = "pin" if fields.get("way") == Way.PIN else "password"
        new, old = fields.get("new", ""), fields.get("old", "")
        if new != fields.get("again"):
            return self._page(request, why="not-the-same", status=400)
        change = ChangeSecret(token=found.token, way=way, old=old, new=new, source=source_of(request))
        try:
            token = await self._shared.house.ask(change)
        except WeakSecret as weak:
            return self._page(request, why=weak.why, status=400)
        except Denied as no:
            return self._page(request, why=no.why, pause=str(no.pause_s), status=403)
        self._shared.feed.wake()
        after = next_of(fields.get("next"))
        if not found.account.must_change or after == "/":
            after = f"{ACCOUNT}?done={way}"
        return with_session(RedirectResponse(after, status_code=SEE_OTHER), token, request)

    def _page(
        self, request: Request, *, done: str = "", why: str = "", pause: str = "0", status: int = 200
    ) -> Response:
        found = signed_on_of(request)
        return self._shared.page(
            request,
            "account",
            status,
            account=None if found is None else found.account,
            has_pin=_may_have_pin(found),
            done=done,
            says=self._shared.says(request, why, pause=pause) if why else [],
            after=next_of(request.query_params.get("next") or fields_of(request).get("next")),
        )


def _may_have_pin(found: SignedOn | None) -> bool:
    """At a desk: whoever has only a PIN must not be able to choose another one."""
    if found is None or found.account.must_change or found.session.place is not Place.DESK:
        return False
    return Role.CROUPIER in found.account.roles
