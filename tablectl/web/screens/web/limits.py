"""The limits in force, and the form by which two persons change them."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tablectl.people.roles import Role
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.limits_page import limits_page
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.shared import Shared, language

_WHO: Final = frozenset({Role.PIT_BOSS, Role.MANAGER})
#: How long the page waits for the record that its own change made.
_RECORD_WITHIN_S: Final = 1.0
#: How long it waits for a controller that was not heard yet, as it is just after screens began.
_TABLE_WITHIN_S: Final = 2.0
#: More digits than any record's number has.
_MOST_DIGITS: Final = 15


class LimitsPage:
    """One page."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is."""
        return (GuardedRoute(path="/pit/limits", endpoint=self.page, roles=_WHO),)

    async def page(self, request: Request) -> Response:
        """The limits as they are; after a change (`seq` in the address), as its record left them."""
        asked = request.query_params.get("seq", "")
        picture = await self._shared.feed.known(at_most_s=_TABLE_WITHIN_S)
        if asked.isascii() and asked.isdecimal() and len(asked) <= _MOST_DIGITS:
            picture = await self._after(int(asked))
        return HTMLResponse(limits_page(self._shared.pages, language(request), picture))

    async def _after(self, seq: int) -> Picture:
        feed = self._shared.feed
        picture = feed.picture
        while picture.connected and picture.view.seq < seq:
            newer = await feed.after(picture, at_most_s=_RECORD_WITHIN_S)
            if newer is picture:
                break
            picture = newer
        return picture
