"""The float: what should lie in the croupier's tray, the form by which it is entered, and each entry to be printed."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from tablectl.api import async_client
from tablectl.api.client import NoController
from tablectl.i18n.amounts import NotAnAmount
from tablectl.people.roles import Role
from tablectl.web.screens.entries import BadEntry, Typed, chips_typed
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.float_page import FloatTold, float_page, float_told, form_page, sums_told
from tablectl.web.screens.language import language
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.shared import Shared

_WHO: Final = frozenset({Role.PIT_BOSS, Role.MANAGER})


class FloatPage:
    """The page, its forms, and the sums of what is being counted."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        return (
            GuardedRoute(path="/pit/float", endpoint=self.page, roles=_WHO),
            GuardedRoute(path="/pit/float/sums", endpoint=self.sums, roles=_WHO),
            GuardedRoute(path="/pit/float/{seq:int}", endpoint=self.form, roles=_WHO),
        )

    async def page(self, request: Request) -> Response:
        """As the controller says it now, by its newest record."""
        picture, told = await self._told(request)
        return HTMLResponse(float_page(self._shared.pages, language(request), picture, told))

    async def form(self, request: Request) -> Response:
        """One of the last entries, to be printed."""
        picture, told = await self._told(request)
        rows = () if told is None else told.rows
        row = next((row for row in rows if row.seq == request.path_params["seq"]), None)
        if row is None:
            raise HTTPException(404)
        return HTMLResponse(form_page(self._shared.pages, language(request), picture, row))

    async def sums(self, request: Request) -> Response:
        """What the chips that are typed are worth, so that nobody adds them up."""
        picture, spoken = self._shared.feed.picture, language(request)
        if picture.table is None:
            raise HTTPException(503)
        counts = {value: text for value, text in request.query_params.items() if value != "lang"}
        try:
            chips = chips_typed(counts, Typed(table=picture.table, language=spoken))
        except (BadEntry, NotAnAmount):
            raise HTTPException(400) from None
        return JSONResponse(sums_told(self._shared.pages.texts(spoken, picture), chips))

    async def _told(self, request: Request) -> tuple[Picture, FloatTold | None]:
        """The table, and what the controller says of its tray."""
        picture, told = self._shared.feed.picture, None
        with suppress(NoController):
            told = float_told(await async_client.ask(self._shared.socket, {"ask": "float"}))
        if told is not None:
            picture = await self._shared.picture(request)
        return picture, told
