"""The training pages as a web application of their own: loopback only, no accounts, and the real pages beside them.

The routes of a session change with it: whatever is asked for goes to the table that is set up now.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from html import escape
from importlib.resources import files
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from tablectl.api.client import NoController
from tablectl.api.stage import CannotBeDone, Dealer, NoAct, StageBroken
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens.entries import SCREENS
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.guard import Guard
from tablectl.web.screens.language import ChosenLanguage, language
from tablectl.web.screens.render import Pages
from tablectl.web.screens.web.entering import Entering
from tablectl.web.screens.web.guarded_routes import EVERYBODY, Endpoint, GuardedRoute, routes
from tablectl.web.screens.web.posted import Answer, takes_json
from tablectl.web.screens.web.recalling import Recalling
from tablectl.web.screens.web.watching import BEAT_S, WATCHERS, Watching
from tablectl.web.screens.wrong import Wrong
from tablectl.web.training.gate import trainees_gate
from tablectl.web.training.pages import TrainingPages
from tablectl.web.training.progress import NoName
from tablectl.web.training.session import TABLE
from tablectl.web.training.trainer import NoExercise, Table, Trainer

PAGE: Final = "training"
_FRAME: Final = '<link rel="stylesheet" href="/static/training/frame.css">'


def make_app(trainer: Trainer, *, exercise: str = "") -> Starlette:
    """The application. `exercise` is set up at the start; without one the free table."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await trainer.begin(exercise)
        try:
            yield
        finally:
            await trainer.end()

    wrong = Wrong(Pages(), Picture)
    statics = {
        path: StaticFiles(directory=str(files(package).joinpath("static")))
        for path, package in (("/static/training", "tablectl.web.training"), ("/static", "tablectl.web.screens"))
    }
    return Starlette(
        routes=[
            *routes(TrainingRoutes(trainer).guarded_routes(), trainees_gate),
            *(Mount(path, files_there) for path, files_there in statics.items()),
        ],
        middleware=[
            Middleware(Guard, too_long=wrong.too_long),
            Middleware(ChosenLanguage, offered=lambda: LANGUAGES, asks_browser=True),
        ],
        exception_handlers={HTTPException: wrong.answered, Exception: wrong.broken},
        lifespan=lifespan,
    )


class TrainingRoutes:
    """Every address of the training pages."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._pages = TrainingPages(trainer)

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        posts: dict[str, Answer] = {
            "act": self.act,
            "begin": self.begin,
            "hint": self.hint,
            "finish": self.finish,
            "name": self.name,
        }
        return (
            GuardedRoute(path="/", endpoint=self.index, roles=EVERYBODY),
            GuardedRoute(path="/training", endpoint=self.page, roles=EVERYBODY),
            GuardedRoute(path="/training/result", endpoint=self.result, roles=EVERYBODY),
            GuardedRoute(path="/training/progress.csv", endpoint=self.progress, roles=EVERYBODY),
            GuardedRoute(path="/events", endpoint=self.events, roles=EVERYBODY),
            GuardedRoute(path="/enter", endpoint=takes_json(self.enter), roles=EVERYBODY, methods=("POST",)),
            *(
                GuardedRoute(path=f"/training/{name}", endpoint=takes_json(answer), roles=EVERYBODY, methods=("POST",))
                for name, answer in posts.items()
            ),
            *(
                GuardedRoute(path=path, endpoint=self._framed(page), roles=EVERYBODY)
                for path, page in (
                    *((f"/{name}", lambda table: _watching(table).page) for name in WATCHERS),
                    ("/pit/hands", lambda table: Recalling(table.shared).hands),
                    ("/pit/hands/{hand}", lambda table: Recalling(table.shared).hand),
                )
            ),
        )

    # -- pages -------------------------------------------------------------------------------------------------------

    async def index(self, request: Request) -> Response:
        """The choice of exercises."""
        return HTMLResponse(self._pages.index(language(request)))

    async def page(self, request: Request) -> Response:
        """The table."""
        table = self._trainer.table
        if table is None:
            return RedirectResponse(f"/?lang={language(request)}", 303)
        return HTMLResponse(self._pages.page(language(request), table, await _seen(table, table.shared.feed.picture)))

    async def result(self, request: Request) -> Response:
        """What the exercise came to, so far."""
        table = self._trainer.table
        if table is None or table.session.marking is None:
            return RedirectResponse(f"/?lang={language(request)}", 303)
        picture, marking = table.shared.feed.picture, table.session.marking
        return HTMLResponse(self._pages.result(language(request), picture, marking))

    async def progress(self, _request: Request) -> Response:
        """What everybody reached, for a spreadsheet."""
        headers = {"Content-Disposition": 'attachment; filename="tablectl-training.csv"'}
        return Response(self._trainer.progress.text(), media_type="text/csv; charset=utf-8", headers=headers)

    def _framed(self, page: Callable[[Table], Endpoint]) -> Endpoint:
        """A page of the real screens at the table that is set up now, framed as training."""

        async def endpoint(request: Request) -> Response:
            table = self._trainer.table
            if table is None:
                return RedirectResponse(f"/?lang={language(request)}", 303)
            found = await page(table)(request)
            spoken = self._trainer.pages.texts(language(request), Picture())
            framed = escape(f"{TABLE} — {spoken.say('training', 'not-for-play')}")
            html = bytes(found.body).decode().replace("</head>", f"{_FRAME}</head>")
            html = html.replace("<body ", f'<body data-frame="{framed}" ', 1)
            return HTMLResponse(html, status_code=found.status_code)

        return endpoint

    # -- live --------------------------------------------------------------------------------------------------------

    async def events(self, request: Request) -> Response:
        """The parts of a page, as they change."""
        table = self._trainer.table
        if table is None:
            return PlainTextResponse("no table is set up", 503)
        if request.query_params.get("page") != PAGE:
            return await _watching(table).events(request)
        stream = self._stream(table, language(request))
        return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    async def _stream(self, table: Table, spoken: str) -> AsyncIterator[str]:
        sent: dict[str, str] = {}
        feed = table.shared.feed
        picture = feed.picture
        yield "retry: 500\n\n"
        while not table.shared.stopping():
            parts = self._pages.parts(spoken, table, await _seen(table, picture))
            changed = {name: html for name, html in parts.items() if sent.get(name) != html}
            if changed:
                sent = parts
                yield _event("parts", changed)
            yield _event("beat", table.shared.pages.beat(picture))
            picture = await feed.after(picture, at_most_s=BEAT_S)

    async def enter(self, request: Request, entry: dict[str, Any]) -> Response:
        """An entry of the croupier's or pit boss's forms; on the training page whoever can make it makes it."""
        table = self._trainer.table
        if table is None:
            return JSONResponse({"ok": False, "error": "no table is set up"}, 503)
        if table.session.table.seen().dealer is Dealer.SIMULATED:
            return JSONResponse({"ok": False, "error": "not-yours", "says": self._says(request, "not-yours")}, 409)
        if entry.get("page") == PAGE:
            entry = {**entry, "page": "croupier" if entry.get("act") in SCREENS["croupier"].acts else "pit"}
        return await Entering(table.shared).enter(request, entry)

    # -- what a trainee does -----------------------------------------------------------------------------------------

    async def act(self, request: Request, asked: dict[str, Any]) -> Response:
        """Something done with hands."""
        table = self._trainer.table
        if table is None:
            return JSONResponse({"ok": False}, 503)
        try:
            cards = await asyncio.to_thread(table.session.table.do, asked)
        except NoAct as wrong:
            return JSONResponse({"ok": False, "error": str(wrong)}, 400)
        except CannotBeDone as why:
            return JSONResponse({"ok": False, "says": self._says(request, str(why))}, 409)
        table.session.rings()
        return JSONResponse({"ok": True, "cards": list(cards)})

    async def begin(self, request: Request, asked: dict[str, Any]) -> Response:
        """Another exercise, or the free table."""
        try:
            await self._trainer.begin(str(asked.get("exercise", "")))
        except NoExercise:
            return JSONResponse({"ok": False, "says": self._says(request, "no-exercise")}, 404)
        except (StageBroken, NoController) as wrong:
            return JSONResponse({"ok": False, "error": str(wrong), "says": self._says(request, "broken")}, 500)
        return JSONResponse({"ok": True, "go": f"/training?lang={language(request)}"})

    async def hint(self, _request: Request, _asked: dict[str, Any]) -> Response:
        """One more hint, for a point."""
        table = self._trainer.table
        if table is not None and table.session.marking is not None:
            table.session.hint()
        return JSONResponse({"ok": True})

    async def finish(self, request: Request, _asked: dict[str, Any]) -> Response:
        """The trainee ends the exercise where it is."""
        table = self._trainer.table
        if table is not None:
            await asyncio.to_thread(table.session.finish)
        return JSONResponse({"ok": True, "go": f"/training/result?lang={language(request)}"})

    async def name(self, request: Request, asked: dict[str, Any]) -> Response:
        """Who is trained."""
        try:
            self._trainer.sign(str(asked.get("name", "")))
        except NoName:
            return JSONResponse({"ok": False, "says": self._says(request, "no-name")}, 400)
        return JSONResponse({"ok": True, "go": f"/?lang={language(request)}"})

    def _says(self, request: Request, why: str) -> list[str]:
        table = self._trainer.table
        pages = self._trainer.pages
        if table is None:
            return []
        spoken = pages.spoken(language(request), table.shared.feed.picture)
        return [texts.say("training-refusal", why) for texts in spoken]


async def _seen(table: Table, picture: Picture) -> Picture:
    """As the pit boss sees it on his own page, with what each of his choices would do."""
    return replace(picture, previews=await table.shared.previews(picture.view)) if picture.connected else picture


def _watching(table: Table) -> Watching:
    """The real pages of a table at which nobody signs on."""
    return Watching(table.shared)


def _event(kind: str, data: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
