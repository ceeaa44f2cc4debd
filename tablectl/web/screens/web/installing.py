"""What a browser needs to put a page on a phone as an application of its own: its manifest, for each role's page.

There is no service worker: nothing is kept that could show an old state. A page that is offline says so by itself.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.web.screens.language import language
from tablectl.web.screens.render import PARTS
from tablectl.web.screens.web.guarded_routes import EVERYBODY, GuardedRoute
from tablectl.web.screens.web.shared import Shared

MEDIA_TYPE: Final = "application/manifest+json"
_GROUND: Final = "#16181b"
_ICONS: Final = (
    {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
    {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
    {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png"},
    {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
)


class Installing:
    """The manifest of each page that somebody keeps open, and of the first page."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is. Browsers ask for it without saying who is signed on, and it says nothing of the game."""
        return (GuardedRoute(path="/manifest.webmanifest", endpoint=self.manifest, roles=EVERYBODY, is_page=False),)

    async def manifest(self, request: Request) -> Response:
        """Of the page that is asked for; it stays in the application wherever somebody goes from there."""
        asked = request.query_params.get("page", "")
        start = f"/{asked}" if asked in PARTS else "/"
        spoken, picture = language(request), self._shared.feed.picture
        texts = self._shared.pages.texts(spoken, picture)
        title = texts.page(asked) if asked in PARTS else texts.page("title")
        table = "" if picture.table is None else picture.table.name
        made = {
            "id": start,
            "name": " · ".join(filter(None, (table, title))),
            "short_name": title,
            "lang": spoken,
            "start_url": start,
            "scope": "/",
            "display": "standalone",
            "background_color": _GROUND,
            "theme_color": _GROUND,
            "icons": _ICONS,
        }
        return JSONResponse(made, media_type=MEDIA_TYPE)
