"""The technician's other pages: decks, lamps and keys, configuration, software, traces.

Pages are made whole and read without a script; buttons post through `technician.js`.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse

from tablectl.api import async_client
from tablectl.api.client import NoController
from tablectl.config.settings import NotRead, settings_of
from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.ops.trace.kept import NAME, TraceRow, is_recording
from tablectl.people.service.questions import Act, NoAccounts, NotYours
from tablectl.web.screens.language import language
from tablectl.web.screens.programs import run
from tablectl.web.screens.web.guarded_routes import GuardedRoute, person_of
from tablectl.web.screens.web.posted import takes_json
from tablectl.web.screens.web.shared import Shared, act_of

_WHO: Final = frozenset({Role.TECHNICIAN})
#: The order of a new pack, as it is asked for: rows of one suit each.
SUITS: Final = ("s", "h", "c", "d")


class Technician:
    """The page that says how the devices are."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        pages = {
            "decks": self.decks,
            "panel": self.panel,
            "configuration": self.configuration,
            "software": self.software,
            "traces": self.traces,
        }
        return (
            *(GuardedRoute(path=f"/technician/{name}", endpoint=page, roles=_WHO) for name, page in pages.items()),
            GuardedRoute(path="/technician/traces/{name}", endpoint=self.trace, roles=_WHO),
            GuardedRoute(path="/technician/test", endpoint=self.tested, roles=_WHO, is_page=False),
            GuardedRoute(path="/technician/test/begin", endpoint=takes_json(self.test), roles=_WHO, methods=("POST",)),
            GuardedRoute(path="/technician/enrolment", endpoint=takes_json(self.enrol), roles=_WHO, methods=("POST",)),
            GuardedRoute(
                path="/technician/enrolment/say", endpoint=takes_json(self.say), roles=_WHO, methods=("POST",)
            ),
        )

    def _page(self, request: Request, name: str, status: int = 200, **values: object) -> Response:
        template = f"technician/sheets/{name}"
        return self._shared.page(request, template, status, page="technician-sheet", sheet=name, **values)

    async def _told(self, question: str) -> dict[str, Any] | None:
        """What the controller answers; None where it does not."""
        try:
            told = await async_client.ask(self._shared.socket, {"ask": question})
        except NoController:
            return None
        return told

    # -- decks -------------------------------------------------------------------------------------------------------

    async def decks(self, request: Request) -> Response:
        """The register, and a deck that is to be enrolled."""
        return self._page(request, "decks", told=await self._told("decks"), pack=SUITS)

    async def enrol(self, request: Request, said: dict[str, Any]) -> Response:
        """A line of JSON for each thing that is said, until the deck is registered; who leaves the page gives it up."""
        deck, reader = str(said.get("deck", "")).strip(), str(said.get("reader", ""))
        question = {"enrol": {"deck": deck, "reader": reader, "by": ""}}
        return StreamingResponse(self._progress(act_of(request, question)), media_type="application/x-ndjson")

    async def _progress(self, act: Act) -> AsyncIterator[str]:
        try:
            async with aclosing(self._shared.house.progress(act)) as lines:
                async for line in lines:
                    yield json.dumps(line, ensure_ascii=False) + "\n"
                    if "ok" in line or self._shared.stopping():
                        return
        except (NoAccounts, NoController, NotYours):
            pass
        yield json.dumps({"ok": False, "error": "", "why": "no-answer"}) + "\n"

    async def say(self, request: Request, said: dict[str, Any]) -> Response:
        """To the deck that is being enrolled: the last card was wrong, or it is given up."""
        what = said.get("what")
        return await self._passed_on(request, {"enrol": what if what in ("back", "over") else ""})

    # -- lamps and keys ----------------------------------------------------------------------------------------------

    async def panel(self, request: Request) -> Response:
        """The panel as it is, and what can be tried."""
        return self._page(request, "panel", told=await self._told("test"))

    async def tested(self, _request: Request) -> Response:
        """What is tried now."""
        told = await self._told("test")
        return JSONResponse(told or {"ok": False, "why": "no-answer"}, status_code=503 if told is None else 200)

    async def test(self, request: Request, said: dict[str, Any]) -> Response:
        """Begin a test, or end it."""
        if said.get("what") == "over":
            return await self._passed_on(request, {"test": "over"})
        return await self._passed_on(request, {"test": str(said.get("what"))})

    async def _passed_on(self, request: Request, question: Mapping[str, Any]) -> Response:
        try:
            reply = await self._shared.house.ask(act_of(request, question))
        except (NoAccounts, NoController):
            return JSONResponse({"ok": False, "why": "no-answer"}, status_code=503)
        return JSONResponse(reply, status_code=200 if reply.get("ok") else 409)

    # -- files -------------------------------------------------------------------------------------------------------

    async def configuration(self, request: Request) -> Response:
        """Every mistake in the file, and what in it is not what the table runs with."""
        if self._shared.files is None:
            return self._page(request, "nothing", 404, why="no-files")
        file = self._shared.files.config
        checking = run("check-config", "--json", "--language", language(request), str(file))
        ended, running = await asyncio.gather(checking, self._told("running"))
        checked = ended.told
        differs = None if running is None else _differences(file, running)
        return self._page(
            request, "configuration", file=file, checked=checked, ended=ended, running=running, differs=differs
        )

    async def software(self, request: Request) -> Response:
        """What was approved, what is there, and what the table runs. Looking takes seconds, so it is asked for."""
        if self._shared.files is None:
            return self._page(request, "nothing", 404, why="no-files")
        running = await self._told("running")
        checked = None
        if request.query_params.get("check") == "whole":
            checked = await run("manifest", "check", "--json", str(self._shared.files.config))
        return self._page(
            request,
            "software",
            running=running,
            checked=checked,
            told=None if checked is None else checked.told,
        )

    async def traces(self, request: Request) -> Response:
        """Which traces there are, as the controller says it: their folder may be closed to these screens."""
        running, told = await asyncio.gather(self._told("running"), self._told("traces"))
        folder = _folder(running)
        rows = () if told is None else tuple(TraceRow(**trace) for trace in told.get("traces", ()))
        is_closed = folder is not None and not await asyncio.to_thread(os.access, folder, os.R_OK | os.X_OK)
        return self._page(request, "traces", running=running, folder=folder, rows=rows, is_closed=is_closed)

    async def trace(self, request: Request) -> Response:
        """One trace, sealed as it is; on record before its first byte goes out."""
        name = str(request.path_params["name"])
        folder = _folder(await self._told("running"))
        person = person_of(request)
        if folder is None or person is None or not NAME.fullmatch(name):
            return self._page(request, "nothing", 404, why="no-trace")
        try:
            with (folder / name).open("rb") as file:
                if is_recording(file.fileno()):
                    return self._page(request, "nothing", 409, why="recording")
        except PermissionError:
            return self._page(request, "nothing", 403, why="closed-trace")
        except OSError:
            return self._page(request, "nothing", 404, why="no-trace")
        await self._shared.put_on_record(request, AccessKind.READ_TRACE, Role.TECHNICIAN.value, name)
        return FileResponse(folder / name, filename=name, media_type="application/octet-stream")


def _differences(file: Path, told: Mapping[str, Any]) -> list[tuple[str, str | None, str | None]] | str:
    """Each setting that is not the same: its name, what the table runs with, and what stands in the file; or why the
    file cannot be read. Of a secret, only the table knows whether it is the same."""
    try:
        there = settings_of(file)
    except NotRead as wrong:
        return str(wrong)
    running, changed = told.get("settings", {}), told.get("changed", ())
    return [
        (name, running.get(name), there.get(name))
        for name in sorted({*running, *there})
        if running.get(name) != there.get(name) or name in changed
    ]


def _folder(running: Mapping[str, Any] | None) -> Path | None:
    """Where the table that runs keeps its traces; None where it records none, or does not answer."""
    told = None if running is None else running.get("traces")
    return Path(told["folder"]) if isinstance(told, dict) else None
