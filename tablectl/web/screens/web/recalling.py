"""The last hands, to be looked at again, step by step. Links do it all: it can be used without any script."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.language import language
from tablectl.web.screens.recall import NoRecall, NoSuchHand, Recalled, last_hands, one_hand
from tablectl.web.screens.web.guarded_routes import GuardedRoute, signed_on_of
from tablectl.web.screens.web.shared import Shared

_WHO: Final = frozenset({Role.PIT_BOSS, Role.MANAGER, Role.AUDITOR})


class Recalling:
    """The list of hands, and each of them."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        return (
            GuardedRoute(path="/pit/hands", endpoint=self.hands, roles=_WHO),
            GuardedRoute(path="/pit/hands/{hand}", endpoint=self.hand, roles=_WHO),
        )

    async def hands(self, request: Request) -> Response:
        """The last hands."""
        pages, asked, picture = self._shared.pages, language(request), self._shared.feed.picture
        try:
            rows = await last_hands(self._shared.socket)
        except NoRecall:
            rows = self._shared.link.recent_hands.last_hands()
            if not rows:
                return HTMLResponse(pages.no_hand(asked, picture, why="no-answer"), status_code=503)
        await self._put_on_record(request, "hands")
        return HTMLResponse(pages.hands(asked, picture, rows))

    async def hand(self, request: Request) -> Response:
        """One of them."""
        pages, picture, asked = self._shared.pages, self._shared.feed.picture, str(request.path_params["hand"])
        spoken = language(request)
        try:
            found = await self._recalled(asked, picture)
        except NoSuchHand:
            return HTMLResponse(pages.no_hand(spoken, picture, why="unknown", hand=asked), status_code=404)
        except NoRecall:
            return HTMLResponse(pages.no_hand(spoken, picture, why="no-answer"), status_code=503)
        await self._put_on_record(request, f"hand {found.hand}")
        return HTMLResponse(pages.hand(spoken, picture, found, found.step(request.query_params.get("step"))))

    async def _put_on_record(self, request: Request, about: str) -> None:
        """Before it is shown; the steps of a hand are one look."""
        found = signed_on_of(request)
        if found is not None:
            role = found.person.role_among(_WHO)
            await self._shared.put_on_record(request, AccessKind.READ_HAND, role, about, once=True)

    async def _recalled(self, asked: str, picture: Picture) -> Recalled:
        """From the controller; while it does not answer, from what it said before. Raises `NoSuchHand`, `NoRecall`."""
        try:
            return await one_hand(self._shared.socket, asked)
        except NoRecall:
            if picture.table is None:
                raise
            return self._shared.link.recent_hands.one_hand(asked, picture.table)
