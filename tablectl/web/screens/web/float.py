"""The float: what should lie in the croupier's tray, the form by which it is entered, and each entry to be printed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from tablectl.api import async_client
from tablectl.api.client import NoController
from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.i18n.amounts import NotAnAmount
from tablectl.web.screens.entries import BadEntry, Typed, chips_typed
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.float_page import FloatTold, float_page, float_told, form_page, rows_told, sums_told
from tablectl.web.screens.language import language
from tablectl.web.screens.web.guarded_routes import GuardedRoute, person_of, signed_on_of
from tablectl.web.screens.web.shared import Shared, record_number

#: Who enters something here, and who may look.
_ENTER: Final = frozenset({Role.PIT_BOSS, Role.MANAGER})
_LOOK: Final = _ENTER | {Role.AUDITOR}


class FloatPage:
    """The page, its forms, and the sums of what is being counted."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        return (
            GuardedRoute(path="/pit/float", endpoint=self.page, roles=_LOOK),
            GuardedRoute(path="/pit/float/sums", endpoint=self.sums, roles=_ENTER),
            GuardedRoute(path="/pit/float/{seq:int}", endpoint=self.form, roles=_LOOK),
        )

    async def page(self, request: Request) -> Response:
        """As the controller says it now, by its newest record."""
        picture, told = await self._told(request)
        before = record_number(request.query_params.get("before", ""))
        if told is not None and before is not None and (older := await self._older(before)) is not None:
            told = replace(told, rows=rows_told(older), before=older["before"], is_older=True)
        person = person_of(request)
        may_enter = person is not None and bool(person.roles & _ENTER)
        await self._put_on_record(request, "float")
        return HTMLResponse(float_page(self._shared.pages, language(request), picture, told, may_enter=may_enter))

    async def form(self, request: Request) -> Response:
        """An entry, to be printed: whichever there is, by the number of its record."""
        seq, picture = int(request.path_params["seq"]), await self._shared.picture(request)
        older = await self._older(seq + 1)
        row = None if older is None else next(iter(rows_told(older)), None)
        if row is None or row.seq != seq:
            raise HTTPException(404)
        await self._put_on_record(request, f"float {seq}")
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

    async def _put_on_record(self, request: Request, about: str) -> None:
        """What an auditor looks at, before it is shown."""
        found = signed_on_of(request)
        if found is not None and not found.person.roles & _ENTER:
            role = found.person.role_among(_LOOK)
            await self._shared.put_on_record(request, AccessKind.READ_RECORDS, role, about, once=True)

    async def _older(self, before: int) -> Mapping[str, Any] | None:
        """The last entries before a record; None where the controller does not tell them."""
        try:
            said = await async_client.ask(self._shared.socket, {"ask": "float", "before": before})
        except NoController:
            return None
        return said if said.get("ok") is True else None

    async def _told(self, request: Request) -> tuple[Picture, FloatTold | None]:
        """The table, and what the controller says of its tray."""
        picture, told = self._shared.feed.picture, None
        with suppress(NoController):
            told = float_told(await async_client.ask(self._shared.socket, {"ask": "float"}))
        if told is not None:
            picture = await self._shared.picture(request)
        return picture, told
