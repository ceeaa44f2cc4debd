"""What all pages of the auditor share: the table's files, who is reading, and that it is on record before it is
shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, tzinfo
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from tablectl.i18n.spoken.words import LANGUAGES
from tablectl.journal.store import JournalUnusable
from tablectl.people.access import AccessKind
from tablectl.people.auditing import Audited
from tablectl.people.roles import Role
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.guard import own_origin
from tablectl.web.screens.speech import Speech
from tablectl.web.screens.web.doors import person_of
from tablectl.web.screens.web.shared import Shared, language

AUDITORS: Final = frozenset({Role.AUDITOR})
_BODY_MOST_BYTES: Final = 16_384

_Read = TypeVar("_Read")


class NoFiles(Exception):
    """The screens were started with a socket alone."""


class BadPost(Exception):
    """What a page sent is none of what our pages send; the answer to it."""

    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.answer = answer


class AuditorDesk:
    """`audited` puts on record what is read here."""

    def __init__(self, shared: Shared, audited: Audited) -> None:
        self.shared = shared
        self._audited = audited

    @property
    def files(self) -> TableFiles:
        """Raises `NoFiles`."""
        if self.shared.files is None:
            raise NoFiles
        return self.shared.files

    @property
    def zone(self) -> tzinfo:
        """The house's, as far as a table was heard."""
        table = self.shared.feed.picture.table
        return UTC if table is None else ZoneInfo(table.timezone)

    def who(self, request: Request) -> str:
        """Who is asking: behind the door it is somebody."""
        person = person_of(request)
        return "" if person is None else person.name

    def record(self, request: Request, kind: AccessKind, about: str, *, granted: bool = True) -> None:
        """Put on record what is going to be shown."""
        self._audited.audit(kind, self.who(request), Role.AUDITOR.value, about, granted=granted)

    async def read(self, look: Callable[[], _Read]) -> _Read:
        """Something out of the files, beside the loop. Raises what `look` raises."""
        return await run_in_threadpool(look)

    def speeches(self, request: Request) -> tuple[Speech, Speech]:
        """The language of the page, and the other one."""
        spoken = language(request)
        other = next(each for each in LANGUAGES if each != spoken)
        pages, picture = self.shared.pages, self.shared.feed.picture
        return pages.speech(spoken, picture), pages.speech(other, picture)

    # --- answers ----------------------------------------------------------------------------------------------------

    def page(self, request: Request, section: str, *, status: int = 200, **values: object) -> Response:
        """One of the pages."""
        shared = self.shared
        text = shared.pages.plain(
            "auditor", language(request), shared.feed.picture, page="auditor", section=section, **values
        )
        return HTMLResponse(text, status_code=status)

    def part(self, request: Request, name: str, **values: object) -> str:
        """A part of one, that a page asks for again."""
        shared = self.shared
        return shared.pages.plain(f"auditor/{name}", language(request), shared.feed.picture, page="auditor", **values)

    def unusable(self, request: Request, wrong: Exception) -> Response:
        """A page that says why there is nothing to see."""
        why = "no-files" if isinstance(wrong, NoFiles) else "unusable"
        return self.page(request, "nothing", status=503, why=why, detail=str(wrong))

    def no(self, request: Request, status: int, why: str, **more: object) -> JSONResponse:
        """Why something was not done, and what to do, each in both languages."""
        speeches = self.speeches(request)
        says = [t.say("auditor-no", why) for t in speeches]
        to_do = [t.say("auditor-do", why) for t in speeches]
        return JSONResponse({"ok": False, "error": why, "says": says, "do": to_do, **more}, status_code=status)

    async def posted(self, request: Request) -> Mapping[str, Any]:
        """What a page of ours sent. Raises `BadPost`."""
        if not own_origin(request):
            raise BadPost(self.no(request, 403, "not-own-page"))
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise BadPost(self.no(request, 415, "bad-post"))
        body = await request.body()
        try:
            sent = json.loads(body) if len(body) <= _BODY_MOST_BYTES else None
        except (ValueError, RecursionError):
            sent = None
        if not isinstance(sent, dict):
            raise BadPost(self.no(request, 400, "bad-post"))
        return sent


#: What reading a journal can meet.
UNREADABLE: Final = (NoFiles, JournalUnusable, OSError, LookupError, TypeError, ValueError)
