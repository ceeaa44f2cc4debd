"""The auditor verifies the journal: `tablectl journal verify` as a process of its own, shown while it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from tablectl.core.access import AccessKind
from tablectl.core.timestamps import time_text
from tablectl.journal.clock import now_us
from tablectl.web.screens.auditor.desk import AUDITORS, AuditorDesk
from tablectl.web.screens.auditor.folder import Folder
from tablectl.web.screens.auditor.jobs import Jobs
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.job_routes import JobRoutes, NotWished, Wish

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
        self._job_routes = JobRoutes("/auditor/verify", desk, jobs, wished=self._wished, shown=self._shown)

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where it is."""
        return (
            GuardedRoute(path="/auditor/verify", endpoint=self._desk.reads(self.page), roles=AUDITORS),
            *self._job_routes.guarded_routes(),
        )

    async def page(self, request: Request) -> Response:
        """The page, with whatever is under way."""
        return self._desk.page(request, "verify", files=self._desk.files, job=self._jobs.job)

    def _shown(self, request: Request) -> str:
        return self._desk.part(request, "job", job=self._jobs.job)

    def _wished(self, _request: Request, files: TableFiles, sent: Mapping[str, Any]) -> Wish:
        """With the table's public key that the auditor holds, where he gave one. Raises `NotWished`."""
        words = ["journal", "verify", str(files.journal), "--copy", str(files.copy)]
        words += ["--socket", str(self._desk.shared.socket), "--progress"]
        pem = sent.get("key") or ""
        if not isinstance(pem, str) or len(pem) > _PEM_MOST:
            raise NotWished("bad-post")
        if pem:
            words += ["--key", str(self._kept(pem))]
        on_record = "journal and copy" + (", with a key of his own" if pem else "")
        return Wish(words=tuple(words), about="verify", kind=AccessKind.VERIFIED, on_record=on_record)

    def _kept(self, pem: str) -> Path:
        """In a file, for the command; until the next verification."""
        path = self._folder.fresh() / "key.pem"
        path.write_text(pem, encoding="utf-8")
        return path
