"""The accounts of a house, for its manager: who there is, who comes and goes, badges, and lost secrets."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tablectl.people.accounts import UnknownAccount
from tablectl.people.administration import Administration, By, NotPossible
from tablectl.people.roles import Role
from tablectl.web.screens.web.gate import fields_of
from tablectl.web.screens.web.guarded_routes import GuardedRoute, person_of
from tablectl.web.screens.web.shared import Shared

_WHO: Final = frozenset({Role.MANAGER})


class KeepingPeople:
    """The page /people."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._administration = Administration(shared.people)

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is."""
        return (
            GuardedRoute(path="/people", endpoint=self.page, roles=_WHO, has_form=True),
            GuardedRoute(path="/people", endpoint=self.change, roles=_WHO, methods=("POST",), has_form=True),
        )

    async def page(self, request: Request) -> Response:
        """All of them."""
        return self._page(request)

    async def change(self, request: Request) -> Response:
        """One change. A one-time password is shown on this answer and never again."""
        fields, person = fields_of(request), person_of(request)
        name = fields.get("name", "").strip()
        by = By(name="" if person is None else person.name)
        try:
            password = await self._done(fields, name, by)
        except NotPossible as no:
            return self._page(request, why=no.why, status=409)
        except UnknownAccount:
            return self._page(request, why="unknown-account", status=409)
        self._shared.feed.wake()
        return self._page(request, given=(name, password) if password else None, done=name)

    async def _done(self, fields: dict[str, str], name: str, by: By) -> str:
        """The one-time password, where one was made. Raises `NotPossible`, `UnknownAccount`."""
        do, administration = fields.get("do", ""), self._administration
        if do == "add":
            return await administration.add(name, display=fields.get("display", ""), roles=_roles(fields), by=by)
        if do == "reset":
            return await administration.reset(name, by=by)
        if do in ("disable", "enable"):
            administration.set_disabled(name, disabled=do == "disable", by=by)
        elif do == "roles":
            administration.set_roles(name, _roles(fields), by=by)
        elif do == "badge":
            badge = self._shared.badges.take(self._shared.people.now_us())
            if badge is None:
                raise NotPossible("no-badge")
            administration.add_badge(name, badge, by=by)
        elif do == "no-badge":
            administration.remove_badges(name, by=by)
        else:
            raise NotPossible("bad-entry")
        return ""

    def _page(
        self,
        request: Request,
        *,
        why: str = "",
        given: tuple[str, str] | None = None,
        done: str = "",
        status: int = 200,
    ) -> Response:
        people = self._shared.people
        return self._shared.page(
            request,
            "people",
            status,
            accounts=people.accounts.all(),
            locked=people.lockout.locked(people.now_us()),
            roles=tuple(Role),
            says=self._shared.says(request, why) if why else [],
            given=given,
            done=done,
        )


def _roles(fields: dict[str, str]) -> list[Role]:
    """Those that are ticked."""
    known = {role.value for role in Role}
    return [Role(part) for part in fields.get("roles", "").split() if part in known]
