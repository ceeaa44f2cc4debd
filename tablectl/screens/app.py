"""The screens as a web application: pages, their live parts by server-sent events, and entries.

State-based: a page that connects, for the first time or again, gets every part as it is now; nothing has to be caught
up, so nothing can be missed.
"""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tablectl.screens.entries import SCREENS, BadEntry, BadText, line_of
from tablectl.screens.feed import Feed, Picture
from tablectl.screens.guard import Guard, own_origin
from tablectl.screens.health import Health, NoHealth, ask_health
from tablectl.screens.link import Link, NoReply, Reply
from tablectl.screens.money import NotAnAmount
from tablectl.screens.recall import NoRecall, NoSuchHand, Recalled, last_hands, one_hand
from tablectl.screens.render import PARTS, Pages, language_of

#: A page that hears nothing for more than two of these says so.
BEAT_S: Final = 1.0
_LARGEST_ENTRY_BYTES: Final = 4096


def make_app(socket: Path, *, stopping: Callable[[], bool] = lambda: False) -> Starlette:
    """The application for the controller at `socket`. Event streams end once `stopping()` is true."""
    screens = _Screens(socket, stopping)
    return Starlette(
        routes=[
            Route("/", screens.index),
            *(Route(f"/{name}", screens.page, name=name) for name in PARTS),
            Route("/pit/hands", screens.hands),
            Route("/pit/hands/{hand}", screens.hand),
            Route("/events", screens.events),
            Route("/metrics", screens.metrics),
            Route("/enter", screens.enter, methods=["POST"]),
            Mount("/static", StaticFiles(directory=str(files("tablectl.screens").joinpath("static")))),
        ],
        middleware=[Middleware(Guard)],
        lifespan=screens.lifespan,
    )


class _Screens:
    """The routes and what they share."""

    def __init__(self, socket: Path, stopping: Callable[[], bool]) -> None:
        self._socket = socket
        self._feed = Feed()
        self._link = Link(socket, self._feed)
        self._pages = Pages()
        self._stopping = stopping

    @asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Follow the controller as long as the application runs."""
        following = asyncio.create_task(self._link.run())
        try:
            yield
        finally:
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following

    async def index(self, request: Request) -> Response:
        """The choice of screens."""
        return HTMLResponse(self._pages.index(_language(request), self._feed.picture))

    async def page(self, request: Request) -> Response:
        """One screen, whole, as it is now: it can be read without any script."""
        name = request.url.path.lstrip("/")
        picture = await self._seen(name, self._feed.picture)
        return HTMLResponse(self._pages.page(name, _language(request), picture))

    async def metrics(self, _request: Request) -> Response:
        """For Prometheus. The library that writes it is loaded when the first one asks."""
        metrics = importlib.import_module("tablectl.screens.metrics")
        return Response(metrics.metrics_text(await self._health()), media_type=metrics.CONTENT_TYPE)

    async def _health(self) -> Health | None:
        try:
            return await ask_health(self._socket)
        except NoHealth:
            return None

    async def _seen(self, name: str, picture: Picture) -> Picture:
        """What a page shows: the technician's is the only one that asks how the devices are."""
        return replace(picture, health=await self._health()) if name == "technician" else picture

    async def hands(self, request: Request) -> Response:
        """The last hands, to be looked at again."""
        language, picture = _language(request), self._feed.picture
        try:
            rows = await last_hands(self._socket)
        except NoRecall:
            rows = self._link.memory.last_hands()
            if not rows:
                return HTMLResponse(self._pages.no_hand(language, picture, why="no-answer"), status_code=503)
        return HTMLResponse(self._pages.hands(language, picture, rows))

    async def hand(self, request: Request) -> Response:
        """One of them, step by step. Links do it all: it can be used without any script."""
        language, picture, asked = _language(request), self._feed.picture, str(request.path_params["hand"])
        try:
            found = await self._recalled(asked, picture)
        except NoSuchHand:
            return HTMLResponse(self._pages.no_hand(language, picture, why="unknown", hand=asked), status_code=404)
        except NoRecall:
            return HTMLResponse(self._pages.no_hand(language, picture, why="no-answer"), status_code=503)
        return HTMLResponse(self._pages.hand(language, picture, found, found.step(request.query_params.get("step"))))

    async def _recalled(self, asked: str, picture: Picture) -> Recalled:
        """From the controller; while it does not answer, from what it said before. Raises `NoSuchHand`, `NoRecall`."""
        try:
            return await one_hand(self._socket, asked)
        except NoRecall:
            if picture.table is None:
                raise
            return self._link.memory.one_hand(asked, picture.table)

    async def events(self, request: Request) -> Response:
        """A page's parts, as they change."""
        name = request.query_params.get("page", "")
        if name not in PARTS:
            return Response(status_code=404)
        stream = self._stream(name, _language(request))
        return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    async def _stream(self, name: str, language: str) -> AsyncIterator[str]:
        sent: dict[str, str] = {}
        picture = self._feed.picture
        yield "retry: 500\n\n"
        while not self._stopping():
            parts = self._pages.parts(name, language, await self._seen(name, picture))
            changed = {part: html for part, html in parts.items() if sent.get(part) != html}
            if changed:
                sent = parts
                yield _event("parts", changed, picture)
            beat = {"controller": picture.connected, "tilt": picture.tilt is not None, "seq": picture.view.seq}
            yield _event("beat", beat, picture)
            picture = await self._feed.after(picture, at_most_s=BEAT_S)

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
        picture = self._feed.picture
        if picture.table is None or not picture.connected:
            raise NoReply("not connected")
        return await self._link.enter(line_of(screen, entry, picture.table), by=screen.by)

    def _no(self, request: Request, status: int, why: str, **values: str) -> Response:
        picture = self._feed.picture
        language = _language(request)
        other = "en" if language == "es" else "es"
        says = [self._pages.speech(each, picture).say("error", why, **values) for each in (language, other)]
        return JSONResponse({"ok": False, "error": why, "says": says}, status_code=status)


def _language(request: Request) -> str:
    return language_of(request.query_params.get("lang"), request.headers.get("accept-language"))


def _event(kind: str, data: dict[str, Any], picture: Picture) -> str:
    return f"event: {kind}\nid: {picture.view.seq}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body) if len(body) <= _LARGEST_ENTRY_BYTES else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadEntry("no JSON object")
    return found
