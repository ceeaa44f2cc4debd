"""The float: what should lie in the croupier's tray, and the form by which it is counted, filled and credited."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tablectl.api import async_client
from tablectl.api.client import NoController
from tablectl.people.roles import Role
from tablectl.web.screens.float_page import float_page, float_told
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.shared import Shared, language

_WHO: Final = frozenset({Role.PIT_BOSS, Role.MANAGER})
#: How long it waits for a controller that was not heard yet, as it is just after screens began.
_TABLE_WITHIN_S: Final = 2.0


class FloatPage:
    """One page."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is."""
        return (GuardedRoute(path="/pit/float", endpoint=self.page, roles=_WHO),)

    async def page(self, request: Request) -> Response:
        """As the controller says it now, by its newest record."""
        picture, told = self._shared.feed.picture, None
        with suppress(NoController):
            told = float_told(await async_client.ask(self._shared.socket, {"ask": "float"}))
        if told is not None:
            picture = await self._shared.feed.known(at_most_s=_TABLE_WITHIN_S)
        return HTMLResponse(float_page(self._shared.pages, language(request), picture, told))
