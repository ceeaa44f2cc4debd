"""The screens as a web application: the doors of all pages, behind one guard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib import resources
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from tablectl.people.roles import ALL_ROLES, Person
from tablectl.screens.feed import Feed
from tablectl.screens.files import TableFiles
from tablectl.screens.guard import Guard
from tablectl.screens.link import Link
from tablectl.screens.render import Pages
from tablectl.screens.web.doors import Door, routes
from tablectl.screens.web.entering import Entering
from tablectl.screens.web.limits import LimitsPage
from tablectl.screens.web.recalling import Recalling
from tablectl.screens.web.shared import Shared
from tablectl.screens.web.statistics import StatisticsPages
from tablectl.screens.web.watching import Watching
from tablectl.statistics.service import opened


def make_app(
    socket: Path, files: TableFiles | None = None, *, stopping: Callable[[], bool] = lambda: False
) -> Starlette:
    """The application for the controller at `socket`. Event streams end once `stopping()` is true."""
    feed = Feed()
    statistics = opened(socket, None if files is None else files.statistics, () if files is None else files.shifts)
    shared = Shared(
        socket=socket,
        feed=feed,
        link=Link(socket, feed),
        pages=Pages(),
        stopping=stopping,
        files=files,
        statistics=statistics,
    )

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        """Follow the controller as long as the application runs."""
        following = asyncio.create_task(shared.link.run())
        if statistics is not None:
            statistics.start()
        try:
            yield
        finally:
            if statistics is not None:
                await asyncio.to_thread(statistics.stop)
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following

    static = StaticFiles(directory=str(resources.files("tablectl.screens").joinpath("static")))
    return Starlette(
        routes=[*routes(all_doors(shared), _anybody), Mount("/static", static)],
        middleware=[Middleware(Guard)],
        lifespan=lifespan,
    )


def all_doors(shared: Shared) -> tuple[Door, ...]:
    """Every door there is: a new page is a module of `web/` and a line here."""
    return (
        *Watching(shared).doors(),
        *Recalling(shared).doors(),
        *Entering(shared).doors(),
        *StatisticsPages(shared).doors(),
        *LimitsPage(shared).doors(),
    )


def _anybody(_request: Request) -> Person | None:
    return Person(name="anybody", roles=ALL_ROLES)
