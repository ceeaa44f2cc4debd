"""Where a page begins, watches and ends a command that runs as a process of its own: the same three routes for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.core.access import AccessKind
from tablectl.web.screens.auditor.desk import AUDITORS, AuditorDesk, NoFiles
from tablectl.web.screens.auditor.jobs import Busy, Jobs
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.web.guarded_routes import GuardedRoute


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """A command that somebody may have: the words after `tablectl`, what it is about, and what is put on record."""

    words: tuple[str, ...]
    about: str
    kind: AccessKind
    on_record: str


class NotWished(ValueError):
    """What was sent is no wish of this page; the text is the word for why."""


#: From the request, the table's files and what a page sent. Raises `NotWished`.
Wished: TypeAlias = Callable[[Request, TableFiles, Mapping[str, Any]], Wish]
#: The part of the page that shows how far it is.
Shown: TypeAlias = Callable[[Request], str]


class JobRoutes:
    """`start`, `state` and `stop` below a page's path. One command runs at a time, whoever asked for it."""

    def __init__(self, path: str, desk: AuditorDesk, jobs: Jobs, *, wished: Wished, shown: Shown) -> None:
        self._path = path
        self._desk = desk
        self._jobs = jobs
        self._wished = wished
        self._shown = shown

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        return (
            GuardedRoute(path=f"{self._path}/state", endpoint=self.state, roles=AUDITORS, is_page=False),
            GuardedRoute(
                path=f"{self._path}/start", endpoint=self._desk.takes(self.start), roles=AUDITORS, methods=("POST",)
            ),
            GuardedRoute(
                path=f"{self._path}/stop", endpoint=self._desk.takes(self.stop), roles=AUDITORS, methods=("POST",)
            ),
        )

    async def state(self, request: Request) -> Response:
        """How far it is."""
        job = self._jobs.job
        is_running = job is not None and job.is_running
        return JSONResponse({"ok": True, "running": is_running, "html": self._shown(request)})

    async def start(self, request: Request, sent: dict[str, Any]) -> Response:
        """Begin, unless one runs already; on record before it does."""
        desk = self._desk
        try:
            files = desk.files
            if self._jobs.job is not None and self._jobs.job.is_running:
                raise Busy
            wish = self._wished(request, files, sent)
            await desk.record(request, wish.kind, wish.on_record)
            self._jobs.start(wish.words, by=desk.who(request), about=wish.about)
        except NoFiles:
            return desk.no(request, 503, "no-files")
        except NotWished as wrong:
            return desk.no(request, 400, str(wrong))
        except Busy:
            return desk.no(request, 409, "busy")
        return await self.state(request)

    async def stop(self, request: Request, _sent: dict[str, Any]) -> Response:
        """End it."""
        self._jobs.stop()
        await self._jobs.ended()
        return await self.state(request)
