"""What a person enters at a page: one act, checked, sent to the controller, and what the controller said to it."""

from __future__ import annotations

import json
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.people.roles import Role
from tablectl.screens.entries import SCREENS, BadEntry, BadText, line_of
from tablectl.screens.guard import own_origin
from tablectl.screens.link import NoReply, Reply
from tablectl.screens.money import NotAnAmount
from tablectl.screens.web.doors import Door
from tablectl.screens.web.shared import Shared, language

_LARGEST_ENTRY_BYTES: Final = 4096
_WHO: Final = frozenset({Role.CROUPIER, Role.PIT_BOSS, Role.MANAGER})


class Entering:
    """The one address to which pages send entries."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def doors(self) -> tuple[Door, ...]:
        """Where it is."""
        return (Door(path="/enter", endpoint=self.enter, roles=_WHO, methods=("POST",)),)

    async def enter(self, request: Request) -> Response:
        """One entry of a page. Answers what the controller says, or why it was not sent."""
        if not own_origin(request):
            return JSONResponse({"ok": False, "error": "not from a page of these screens"}, status_code=403)
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return JSONResponse({"ok": False, "error": "JSON only"}, status_code=415)
        try:
            reply = await self._enter(_json_object(await request.body()))
        except NotAnAmount as wrong:
            return self._no(request, 400, "bad-amount", text=str(wrong))
        except BadText:
            return self._no(request, 400, "bad-text")
        except BadEntry:
            return self._no(request, 400, "bad-entry")
        except NoReply:
            return self._no(request, 503, "not-sent")
        if not reply.ok:
            return self._no(request, 409, "controller", error=reply.error)
        return JSONResponse({"ok": True, "seq": reply.seq, "refused": reply.refused})

    async def _enter(self, entry: dict[str, Any]) -> Reply:
        screen = SCREENS.get(str(entry.get("page")))
        if screen is None:
            raise BadEntry(f"page {entry.get('page')!r}")
        picture = self._shared.feed.picture
        if picture.table is None or not picture.connected:
            raise NoReply("not connected")
        return await self._shared.link.enter(line_of(screen, entry, picture.table), by=screen.by)

    def _no(self, request: Request, status: int, why: str, **values: str) -> Response:
        picture = self._shared.feed.picture
        spoken = language(request)
        other = "en" if spoken == "es" else "es"
        pages = self._shared.pages
        says = [pages.speech(each, picture).say("error", why, **values) for each in (spoken, other)]
        return JSONResponse({"ok": False, "error": why, "says": says}, status_code=status)


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body) if len(body) <= _LARGEST_ENTRY_BYTES else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadEntry("no JSON object")
    return found
