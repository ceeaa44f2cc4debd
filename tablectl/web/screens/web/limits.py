"""The limits in force, and the form by which two persons change them."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tablectl.core.roles import Role
from tablectl.web.screens.language import language
from tablectl.web.screens.limits_page import limits_page
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.shared import Shared

_WHO: Final = frozenset({Role.PIT_BOSS, Role.MANAGER})


class LimitsPage:
    """One page."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is."""
        return (GuardedRoute(path="/pit/limits", endpoint=self.page, roles=_WHO),)

    async def page(self, request: Request) -> Response:
        """The limits as they are; after a change (`seq` in the address), as its record left them."""
        picture = await self._shared.picture(request)
        return HTMLResponse(limits_page(self._shared.pages, language(request), picture))
