"""The entries of the hand in play, and the form by which two persons put one right."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from tablectl.api.client import NoController
from tablectl.core.events.codec import decode_decisions
from tablectl.core.roles import Role
from tablectl.i18n.amounts import NotAnAmount
from tablectl.web.screens.corrections_page import consequences, corrections_page
from tablectl.web.screens.entered import wrong_now
from tablectl.web.screens.entries import SCREENS, BadEntry, Typed, line_of
from tablectl.web.screens.language import language
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.posted import takes_json
from tablectl.web.screens.web.shared import Shared, act_of

_WHO: Final = frozenset({Role.PIT_BOSS, Role.MANAGER})
#: For whom a correction is only worked out: nobody has signed it yet.
_NOBODY_YET: Final = "first+second"


class Correcting:
    """One page, and what would follow from what is chosen on it."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        return (
            GuardedRoute(path="/pit/corrections", endpoint=self.page, roles=_WHO),
            GuardedRoute(
                path="/correction", endpoint=takes_json(self.preview, self._no), roles=_WHO, methods=("POST",)
            ),
        )

    async def page(self, request: Request) -> Response:
        """The entries of the hand in play; after an entry (`seq` in the address), as its record left them. `entry` in
        the address is chosen already, or the one that the croupier says is wrong."""
        picture, asked = await self._shared.picture(request), request.query_params.get("entry", "")
        wrong = int(asked) if asked.isdecimal() else wrong_now(picture.view)
        return HTMLResponse(corrections_page(self._shared.pages, language(request), picture, wrong=wrong))

    async def preview(self, request: Request, entry: dict[str, Any]) -> Response:
        """What would follow. Nothing is entered by it."""
        picture, spoken = self._shared.feed.picture, language(request)
        if picture.table is None:
            return self._no(request, 503, "not-sent")
        try:
            line = line_of(SCREENS["pit"], entry, Typed(table=picture.table, language=spoken), by=_NOBODY_YET)
            said = await self._shared.house.ask(act_of(request, {"preview": line}))
        except NotAnAmount as wrong:
            return self._no(request, 400, "bad-amount", text=str(wrong), example=wrong.example)
        except BadEntry:
            return self._no(request, 400)
        except NoController:
            return self._no(request, 503, "not-sent")
        if said.get("ok") is not True:
            return self._no(request, 409, "controller", error=str(said.get("error", "")))
        decisions = tuple(decode_decisions(said))
        found = [consequences(t, picture.view, decisions) for t in self._shared.pages.spoken(spoken, picture)]
        if (no := found[0].refused) is not None:
            refused = {"why": no.why, "detail": no.detail, "clause": no.clause}
            return JSONResponse({"ok": False, "says": self._shared.says_refused(request, refused, entry="corrected")})
        sentences = {
            "gone": zip(*(told.gone for told in found), strict=True),
            "now": zip(*(told.now for told in found), strict=True),
            "again": zip(*(told.again for told in found), strict=True),
        }
        return JSONResponse({"ok": True, **{part: list(lines) for part, lines in sentences.items()}})

    def _no(self, request: Request, status: int, why: str = "bad-entry", **values: str) -> Response:
        says = self._shared.says(request, why, **values)
        return JSONResponse({"ok": False, "error": why, "says": says}, status_code=status)
