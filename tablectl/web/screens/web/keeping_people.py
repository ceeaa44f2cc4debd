"""The accounts of a house, for its manager: who there is, who comes and goes, badges, and lost secrets."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tablectl.core.roles import Role
from tablectl.people.accounts import UnknownAccount
from tablectl.people.administration import NotPossible
from tablectl.people.service.questions import Administer, AskRegister
from tablectl.web.screens.web.gate import fields_of
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.shared import Shared, source_of, token_of

_WHO: Final = frozenset({Role.MANAGER})


class KeepingPeople:
    """The page /people."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is."""
        return (
            GuardedRoute(path="/people", endpoint=self.page, roles=_WHO, has_form=True),
            GuardedRoute(path="/people", endpoint=self.change, roles=_WHO, methods=("POST",), has_form=True),
        )

    async def page(self, request: Request) -> Response:
        """All of them."""
        return await self._page(request)

    async def change(self, request: Request) -> Response:
        """One change. A one-time password is shown on this answer and never again."""
        fields = fields_of(request)
        name = fields.get("name", "").strip()
        try:
            password = await self._done(request, fields, name)
        except NotPossible as no:
            return await self._page(request, why=no.why, status=409)
        except UnknownAccount:
            return await self._page(request, why="unknown-account", status=409)
        self._shared.feed.wake()
        return await self._page(request, given=(name, password) if password else None, done=name)

    async def _done(self, request: Request, fields: dict[str, str], name: str) -> str:
        """The one-time password, where one was made. Raises `NotPossible`, `UnknownAccount`."""
        asked: dict[str, Any] = {
            "token": token_of(request),
            "do": fields.get("do", ""),
            "name": name,
            "display": fields.get("display", ""),
            "roles": _roles(fields),
            "source": asdict(source_of(request)),
        }
        if fields.get("second-name", "").strip():
            second = fields["second-name"].strip().lower()
            asked["second"] = {"name": second, "secret": fields.get("second-secret", "")}
        try:
            question = msgspec.convert(asked, Administer)
        except msgspec.ValidationError:
            raise NotPossible("bad-entry") from None
        return await self._shared.house.ask(question)

    async def _page(
        self,
        request: Request,
        *,
        why: str = "",
        given: tuple[str, str] | None = None,
        done: str = "",
        status: int = 200,
    ) -> Response:
        register = await self._shared.house.ask(AskRegister(token=token_of(request)))
        return self._shared.page(
            request,
            "people",
            status,
            accounts=register.accounts,
            locked=register.locked,
            roles=tuple(Role),
            says=self._shared.says(request, why) if why else [],
            given=given,
            done=done,
        )


def _roles(fields: dict[str, str]) -> list[Role]:
    """Those that are ticked."""
    known = {role.value for role in Role}
    return [Role(part) for part in fields.get("roles", "").split() if part in known]
