"""One's own secrets: a password of one's own in place of one that was given, a croupier's PIN, and passkeys."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tablectl.core.roles import Role
from tablectl.core.timestamps import time_text
from tablectl.people.accounts import Way
from tablectl.people.people import Denied, SignedOn
from tablectl.people.rules import WeakSecret
from tablectl.people.service.questions import (
    AddPasskey,
    AskPasskeys,
    BeginPasskey,
    ChangeSecret,
    NotYours,
    RemovePasskey,
)
from tablectl.people.sessions import Place
from tablectl.web.screens.web.gate import ACCOUNT, SEE_OTHER, SIGN_ON, fields_of, next_of
from tablectl.web.screens.web.guarded_routes import EVERYBODY, GuardedRoute, signed_on_of
from tablectl.web.screens.web.posted import takes_json
from tablectl.web.screens.web.shared import Shared, source_of, token_of
from tablectl.web.screens.web.signing_on import with_session

#: What a page asks about one's own passkeys, by its member `ask`.
_STEPS: Final = BeginPasskey | AddPasskey | RemovePasskey


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
            GuardedRoute(
                path=f"{ACCOUNT}/passkey",
                endpoint=takes_json(self.passkey),
                roles=frozenset(Role),
                methods=("POST",),
            ),
        )

    async def page(self, request: Request) -> Response:
        """Who one is, and the forms."""
        done = request.query_params.get("done", "")
        return await self._page(request, done=done if done in (Way.PASSWORD, Way.PIN, "passkey") else "")

    async def passkey(self, request: Request, said: dict[str, Any]) -> Response:
        """One step in the life of a passkey of one's own: what a browser needs to make one, the one that it made, or
        one that is to go."""
        try:
            told = {**said, "token": token_of(request)}
            if said.get("ask") != "add-passkey":
                told["source"] = asdict(source_of(request))
            options = await self._shared.house.ask(msgspec.convert(told, _STEPS))
        except msgspec.ValidationError:
            return self._no(request, 400, "bad-entry")
        except Denied as no:
            return self._no(request, 403, no.why, pause=str(no.pause_s))
        except NotYours as no:
            return self._no(request, 403, no.why, **no.values)
        return JSONResponse({"ok": True, "options": options})

    def _no(self, request: Request, status: int, why: str, **values: str) -> Response:
        says = self._shared.says(request, why, **values)
        return JSONResponse({"ok": False, "error": why, "says": says}, status_code=status)

    async def change(self, request: Request) -> Response:
        """Another secret. All sessions of this person end, and this browser gets a new one."""
        found, fields = signed_on_of(request), fields_of(request)
        if found is None:
            return RedirectResponse(SIGN_ON, status_code=SEE_OTHER)
        way: Literal["password", "pin"] = "pin" if fields.get("way") == Way.PIN else "password"
        new, old = fields.get("new", ""), fields.get("old", "")
        if new != fields.get("again"):
            return await self._page(request, why="not-the-same", status=400)
        change = ChangeSecret(token=found.token, way=way, old=old, new=new, source=source_of(request))
        try:
            token = await self._shared.house.ask(change)
        except WeakSecret as weak:
            return await self._page(request, why=weak.why, status=400)
        except Denied as no:
            return await self._page(request, why=no.why, pause=str(no.pause_s), status=403)
        self._shared.feed.wake()
        after = next_of(fields.get("next"))
        if not found.account.must_change or after == "/":
            after = f"{ACCOUNT}?done={way}"
        return with_session(RedirectResponse(after, status_code=SEE_OTHER), token, request)

    async def _page(
        self, request: Request, *, done: str = "", why: str = "", pause: str = "0", status: int = 200
    ) -> Response:
        found = signed_on_of(request)
        keys = None if found is None or found.account.must_change else await self._passkeys(request)
        return self._shared.page(
            request,
            "account",
            status,
            account=None if found is None else found.account,
            has_pin=_may_have_pin(found),
            own_passkeys=keys,
            done=done,
            says=self._shared.says(request, why, pause=pause) if why else [],
            after=next_of(request.query_params.get("next") or fields_of(request).get("next")),
        )

    async def _passkeys(self, request: Request) -> list[dict[str, str]] | None:
        """One's own, each with the moment since when; None where the house has none."""
        found = await self._shared.house.ask(AskPasskeys(token=token_of(request)))
        if found is None:
            return None
        return [{"credential": key.credential, "label": key.label, "at": time_text(key.added_us)} for key in found]


def _may_have_pin(found: SignedOn | None) -> bool:
    """At a desk: whoever has only a PIN must not be able to choose another one."""
    if found is None or found.account.must_change or found.session.place is not Place.DESK:
        return False
    return Role.CROUPIER in found.account.roles
