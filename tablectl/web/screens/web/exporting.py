"""The auditor takes evidence away: hands as archives that anybody can check, and records as lines or as a table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from tablectl.core.access import AccessKind
from tablectl.i18n.languages import LANGUAGES
from tablectl.journal.search import find, walk
from tablectl.web.screens.auditor.asked import BadField, asked
from tablectl.web.screens.auditor.desk import AUDITORS, AuditorDesk
from tablectl.web.screens.auditor.folder import Folder
from tablectl.web.screens.auditor.jobs import Jobs
from tablectl.web.screens.auditor.tables import csv_lines, currencies, json_lines
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.language import language
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.job_routes import JobRoutes, NotWished, Wish
from tablectl.web.screens.web.verifying import now_text

#: Hands in one archive: each has a few hundred kilobytes, and all of them are made in memory.
HANDS_MOST: Final = 100
_HAND_MOST: Final = 10**15


class Exporting:
    """One archive at a time; it stays here until the next one is made, or the screens end."""

    def __init__(self, desk: AuditorDesk) -> None:
        self._desk = desk
        self._jobs = Jobs(now_text)
        self._folder = Folder("export")
        self._archive: Path | None = None
        self._job_routes = JobRoutes("/auditor/export", desk, self._jobs, wished=self._wished, shown=self._shown)

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        return (
            GuardedRoute(path="/auditor/export", endpoint=self._desk.reads(self.page), roles=AUDITORS),
            *self._job_routes.guarded_routes(),
            GuardedRoute(path="/auditor/export/archive", endpoint=self.archive, roles=AUDITORS),
            GuardedRoute(path="/auditor/records.jsonl", endpoint=self._desk.reads(self.json_lines), roles=AUDITORS),
            GuardedRoute(path="/auditor/records.csv", endpoint=self._desk.reads(self.csv), roles=AUDITORS),
        )

    # --- archives ---------------------------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """The page, with whatever is under way."""
        return self._desk.page(
            request,
            "export",
            files=self._desk.files,
            job=self._jobs.job,
            archive=self._made(),
            asked_hand=request.query_params.get("hand", ""),
            hands_most=HANDS_MOST,
        )

    def _shown(self, request: Request) -> str:
        return self._desk.part(request, "exported", job=self._jobs.job, archive=self._made())

    def _wished(self, request: Request, files: TableFiles, sent: Mapping[str, Any]) -> Wish:
        """The archive of a hand, or of several, with pages in the language of the one who asks. Raises `NotWished`."""
        first, last = sent.get("first"), sent.get("last")
        last = first if last is None else last
        if type(first) is not int or type(last) is not int or not 0 < first <= last < _HAND_MOST:
            raise NotWished("bad-hands")
        if last - first >= HANDS_MOST:
            raise NotWished("too-many-hands")
        is_one = first == last
        archive = self._place(f"hand-{first}.zip" if is_one else f"hands-{first}-{last}.zip")
        several = () if is_one else ("--to", str(last))
        spoken = ("--language", language(request))
        return Wish(
            words=(
                *("journal", "export", str(files.journal), "--hand", str(first)),
                *(*several, "--bundle", str(archive), *spoken),
            ),
            about=archive.name,
            kind=AccessKind.EXPORTED,
            on_record=f"hand {first}" if is_one else f"hands {first} to {last}",
        )

    async def archive(self, request: Request) -> Response:
        """The archive that was made."""
        archive = self._made()
        if archive is None:
            return self._desk.no(request, 404, "no-archive")
        await self._desk.record(request, AccessKind.DOWNLOADED, f"{archive.name} sha256={_sha256(archive)}")
        return FileResponse(archive, media_type="application/zip", filename=archive.name)

    def _place(self, name: str) -> Path:
        """Where the next one goes; the one before is gone then."""
        self._archive = self._folder.fresh() / name
        return self._archive

    def _made(self) -> Path | None:
        """The archive, where it was made whole."""
        job = self._jobs.job
        return self._archive if job is not None and job.status == 0 else None

    # --- records ----------------------------------------------------------------------------------------------------

    async def json_lines(self, request: Request) -> Response:
        """The records of a search, as lines of the public stream."""
        return await self._records(request, "jsonl")

    async def csv(self, request: Request) -> Response:
        """The same in words, for a spreadsheet."""
        return await self._records(request, "csv")

    async def _records(self, request: Request, form: str) -> Response:
        try:
            sought, journal = asked(request.query_params, self._desk.zone), self._desk.files.journal
            # Whether it can be read at all.
            await self._desk.read(partial(find, journal, sought.wanted, most=1, span=1))
        except BadField as bad:
            return self._desk.no(request, 400, "bad-field", detail=str(bad))
        await self._desk.record(request, AccessKind.DOWNLOADED, f"records.{form} {sought.about()}")
        pages = walk(journal, sought.wanted)
        picture, texts = self._desk.shared.feed.picture, self._desk.shared.pages.texts
        lines: Iterator[bytes] = (
            json_lines(pages)
            if form == "jsonl"
            else csv_lines(pages, tuple(texts(language, picture) for language in LANGUAGES), currencies(journal))
        )
        media_type = "application/x-ndjson" if form == "jsonl" else "text/csv; charset=utf-8"
        headers = {"Content-Disposition": f'attachment; filename="records.{form}"'}
        return StreamingResponse(lines, media_type=media_type, headers=headers)


def _sha256(archive: Path) -> str:
    """Of an archive as it leaves: whoever has one later can show by the journal that it is this one, file by file."""
    with archive.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
