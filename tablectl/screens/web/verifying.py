"""The auditor verifies the journal: `tablectl journal verify` as a process of its own, shown while it goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.clock import now_us
from tablectl.journal.record import time_text
from tablectl.people.access import AccessKind
from tablectl.screens.auditor.desk import AUDITORS, AuditorDesk, BadPost, NoFiles
from tablectl.screens.auditor.folder import Folder
from tablectl.screens.auditor.jobs import Busy, Jobs
from tablectl.screens.web.doors import Door

#: A public key in PEM has about 115 characters.
_PEM_MOST: Final = 2000


def now_text() -> str:
    """As records have it."""
    return time_text(now_us())


class Verifying:
    """One verification at a time, whoever asked for it; every auditor sees the same one."""

    def __init__(self, desk: AuditorDesk, jobs: Jobs) -> None:
        self._desk = desk
        self._jobs = jobs
        self._folder = Folder("verify")

    def doors(self) -> tuple[Door, ...]:
        """Where it is."""
        return (
            Door(path="/auditor/verify", endpoint=self.page, roles=AUDITORS),
            Door(path="/auditor/verify/state", endpoint=self.state, roles=AUDITORS, is_page=False),
            Door(path="/auditor/verify/start", endpoint=self.start, roles=AUDITORS, methods=("POST",)),
            Door(path="/auditor/verify/stop", endpoint=self.stop, roles=AUDITORS, methods=("POST",)),
        )

    async def page(self, request: Request) -> Response:
        """The page, with whatever is under way."""
        try:
            files = self._desk.files
        except NoFiles as wrong:
            return self._desk.unusable(request, wrong)
        return self._desk.page(request, "verify", files=files, job=self._jobs.job)

    async def state(self, request: Request) -> Response:
        """How far it is."""
        job = self._jobs.job
        html = self._desk.part(request, "job", job=job)
        return JSONResponse({"ok": True, "running": job is not None and job.is_running, "html": html})

    async def start(self, request: Request) -> Response:
        """Begin; with the table's public key that the auditor holds, where he gave one."""
        try:
            files, sent = self._desk.files, await self._desk.posted(request)
        except NoFiles:
            return self._desk.no(request, 503, "no-files")
        except BadPost as bad:
            return bad.answer
        if self._jobs.job is not None and self._jobs.job.is_running:
            return self._desk.no(request, 409, "busy")
        words = ["journal", "verify", str(files.journal), "--copy", str(files.copy), "--progress"]
        pem = sent.get("key") or ""
        if not isinstance(pem, str) or len(pem) > _PEM_MOST:
            return self._desk.no(request, 400, "bad-post")
        if pem:
            words += ["--key", str(self._kept(pem))]
        self._desk.record(request, AccessKind.VERIFIED, "journal and copy" + (", with a key of his own" if pem else ""))
        try:
            self._jobs.start(words, by=self._desk.who(request), about="verify")
        except Busy:
            return self._desk.no(request, 409, "busy")
        return await self.state(request)

    async def stop(self, request: Request) -> Response:
        """End it."""
        try:
            await self._desk.posted(request)
        except BadPost as bad:
            return bad.answer
        self._jobs.stop()
        await self._jobs.ended()
        return await self.state(request)

    def _kept(self, pem: str) -> Path:
        """In a file, for the command; until the next verification."""
        path = self._folder.fresh() / "key.pem"
        path.write_text(pem, encoding="utf-8")
        return path
