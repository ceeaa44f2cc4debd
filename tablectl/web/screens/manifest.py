"""What a browser needs to put a page on a phone as an application of its own: its manifest, of the screens' pages and
of the overview.

There is no service worker: nothing is kept that could show an old state. A page that is offline says so by itself.
"""

from __future__ import annotations

from typing import Final

from starlette.responses import JSONResponse, Response

MEDIA_TYPE: Final = "application/manifest+json"
PATH: Final = "/manifest.webmanifest"
_GROUND: Final = "#16181b"
_ICONS: Final = (
    {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
    {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
    {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png"},
    {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
)


def manifest(*, start: str, house: str, title: str, language: str) -> Response:
    """Of the page at the address `start`, of a table or casino of this name (perhaps ""); somebody stays in the
    application wherever he goes from there."""
    made = {
        "id": start,
        "name": " · ".join(filter(None, (house, title))),
        "short_name": title,
        "lang": language,
        "start_url": start,
        "scope": "/",
        "display": "standalone",
        "background_color": _GROUND,
        "theme_color": _GROUND,
        "icons": _ICONS,
    }
    return JSONResponse(made, media_type=MEDIA_TYPE)
