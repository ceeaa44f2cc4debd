"""The overview of all tables as a web application: one page, its events, and nothing that could be entered."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from typing import Final
from urllib.parse import parse_qs, urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tablectl.fleet.pit.floor import Floor
from tablectl.fleet.pit.scopes import ALL, BadScope, FloorPicture, Scope, parse
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.overview.board import Board, View
from tablectl.web.overview.pages import OverviewPages
from tablectl.web.overview.viewers import Viewers
from tablectl.web.screens.cookies import keep
from tablectl.web.screens.guard import Guard, own_origin
from tablectl.web.screens.manifest import PATH, manifest
from tablectl.web.screens.metrics import CONTENT_TYPE

#: A stream ends after so long by itself, and the page asks again, with what its browser may show then. The streams of
#: pages that were opened in one moment do not end in one.
STREAM_S: Final = (600.0, 900.0)
COOKIE: Final = "tablectl-viewer"
_COOKIE_S: Final = 400 * 24 * 3600
_SEE_OTHER: Final = 303


def make_app(
    floor: Floor,
    pages: OverviewPages,
    viewers: Viewers | None,
    *,
    metrics: Callable[[FloorPicture], bytes],
    stopping: Callable[[], bool] = lambda: False,
) -> Starlette:
    """`viewers`: who may look; None: everybody who gets here. `metrics`: what Prometheus reads of a picture. Streams
    end once `stopping()` is true."""
    routes = _Overview(floor, pages, viewers, metrics, stopping)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        running = asyncio.create_task(routes.board.run(stopping))
        try:
            yield
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    statics = {
        path: StaticFiles(directory=str(files(package).joinpath("static")))
        for path, package in (("/static/overview", "tablectl.web.overview"), ("/static", "tablectl.web.screens"))
    }
    return Starlette(
        routes=[
            Route("/", routes.page),
            Route("/events", routes.events),
            Route("/metrics", routes.metrics),
            Route(PATH, routes.manifest),
            Route("/entry", routes.entry, methods=["GET", "POST"]),
            *(Mount(path, there) for path, there in statics.items()),
        ],
        middleware=[Middleware(Guard)],
        exception_handlers={BadScope: routes.bad_scope},
        lifespan=lifespan,
    )


class _Overview:
    """Its routes."""

    def __init__(
        self,
        floor: Floor,
        pages: OverviewPages,
        viewers: Viewers | None,
        metrics: Callable[[FloorPicture], bytes],
        stopping: Callable[[], bool],
    ) -> None:
        self._floor = floor
        self._pages = pages
        self._viewers = viewers
        self._metrics = metrics
        self._stopping = stopping
        self.board = Board(floor, pages)

    async def page(self, request: Request) -> Response:
        """All tables, as they are now: it can be read without any script."""
        language, scope = self._language(request), _scope(request)
        if not self._may_look(request):
            return RedirectResponse(_address("/entry", language, scope), status_code=_SEE_OTHER)
        return HTMLResponse(self._pages.page(language, self._floor.picture_of(scope), scope))

    async def events(self, request: Request) -> Response:
        """The parts of the page, as they change."""
        if not self._may_look(request):
            return PlainTextResponse("", status_code=403)
        view = View(language=self._language(request), scope=_scope(request))
        self._floor.picture_of(view.scope)
        stream = self._stream(view)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    async def metrics(self, request: Request) -> Response:
        """For Prometheus, which has no browser: it says a viewer's token with each request."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        is_viewer = self._viewers is not None and scheme.lower() == "bearer" and self._viewers.name_of(token.strip())
        if not is_viewer and not self._may_look(request):
            return PlainTextResponse("", status_code=401, headers={"WWW-Authenticate": "Bearer"})
        return Response(await run_in_threadpool(self._metrics, self._floor.picture), media_type=CONTENT_TYPE)

    async def manifest(self, request: Request) -> Response:
        """To put the page on a phone, as the address of these tables in this language. Browsers ask for it without a
        viewer's token, and it says nothing of any table."""
        language, scope = self._language(request), _scope(request)
        house, title = self._pages.house.casino, self._pages.title(language)
        return manifest(start=_address("/", language, scope), house=house, title=title, language=language)

    async def entry(self, request: Request) -> Response:
        """Where a viewer says his token, once for each browser."""
        language, scope = self._language(request), _scope(request)
        request.state.has_form = True
        if self._viewers is None:
            return RedirectResponse(_address("/", language, scope), status_code=_SEE_OTHER)
        if request.method != "POST":
            return HTMLResponse(self._pages.entry(language, scope, is_wrong=False))
        said = parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=8)
        token = said.get("token", [""])[0].strip()
        if not own_origin(request) or self._viewers.name_of(token) is None:
            return HTMLResponse(self._pages.entry(language, scope, is_wrong=True), status_code=403)
        answer = RedirectResponse(_address("/", language, scope), status_code=_SEE_OTHER)
        is_secure = request.url.scheme == "https"
        keep(answer, COOKIE, token, is_secure=is_secure, for_s=_COOKIE_S)
        return answer

    async def bad_scope(self, request: Request, wrong: Exception) -> Response:
        """Why the tables of the address cannot be shown, and the way to all of them."""
        assert isinstance(wrong, BadScope), "the only one that comes here"
        return HTMLResponse(self._pages.bad_scope(self._language(request), wrong.why), status_code=400)

    async def _stream(self, view: View) -> AsyncIterator[bytes]:
        self.board.enter(view)
        try:
            ends_s = time.monotonic() + random.uniform(*STREAM_S)
            sent, names = -1, self.board.names(view)
            yield b"retry: 1000\n\n"
            while not self._stopping():
                is_over = time.monotonic() >= ends_s
                if is_over or self.board.names(view) != names:
                    yield b"event: again\ndata: {}\n\n" if is_over else b"event: reload\ndata: {}\n\n"
                    return
                changed, sent = self.board.changes(view, after=sent), self.board.version(view)
                yield changed + self.board.beat(view.language)  # at once: to send costs more than what is sent
                await self.board.after(view, sent)
        finally:
            self.board.leave(view)

    def _may_look(self, request: Request) -> bool:
        return self._viewers is None or self._viewers.name_of(request.cookies.get(COOKIE, "")) is not None

    def _language(self, request: Request) -> str:
        asked = request.query_params.get("lang")
        return asked if asked in LANGUAGES else self._pages.house.language


def _scope(request: Request) -> Scope:
    """The tables that the address asks for."""
    return parse(request.query_params.get("tables", ""))


def _address(path: str, language: str, scope: Scope) -> str:
    asked = {"lang": language} if scope == ALL else {"lang": language, "tables": str(scope)}
    return f"{path}?{urlencode(asked)}"
