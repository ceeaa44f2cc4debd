"""The manifest of each page that somebody keeps open as an application of its own, and of the first page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tablectl.web.screens.language import language
from tablectl.web.screens.manifest import PATH, manifest
from tablectl.web.screens.render import PARTS
from tablectl.web.screens.web.guarded_routes import EVERYBODY, GuardedRoute
from tablectl.web.screens.web.shared import Shared


class Installing:
    """Where it is asked for."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is. Browsers ask for it without saying who is signed on, and it says nothing of the game."""
        return (GuardedRoute(path=PATH, endpoint=self.manifest, roles=EVERYBODY, is_page=False),)

    async def manifest(self, request: Request) -> Response:
        """Of the page that is asked for."""
        asked = request.query_params.get("page", "")
        spoken, picture = language(request), self._shared.feed.picture
        texts = self._shared.pages.texts(spoken, picture)
        return manifest(
            start=f"/{asked}" if asked in PARTS else "/",
            house="" if picture.table is None else picture.table.name,
            title=texts.page(asked) if asked in PARTS else texts.page("title"),
            language=spoken,
        )
