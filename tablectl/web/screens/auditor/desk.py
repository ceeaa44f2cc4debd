"""What all pages of the auditor share: the table's files, who is reading, and that it is on record before it is
shown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, tzinfo
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.journal.store import JournalUnusable
from tablectl.web.screens.auditor.asked import BadField
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.language import language
from tablectl.web.screens.screen_texts import ScreenTexts
from tablectl.web.screens.web.guarded_routes import Endpoint, person_of
from tablectl.web.screens.web.posted import Answer, takes_json
from tablectl.web.screens.web.shared import Shared

_BODY_MOST_BYTES: Final = 16_384
AUDITORS: Final = frozenset({Role.AUDITOR})

_Read = TypeVar("_Read")


class Unreadable(Exception):
    """What was to be read of the table's files cannot be. The text says why."""


class NoFiles(Unreadable):
    """The screens were started with a socket alone."""


class AuditorDesk:
    """Of one table."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared

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
        """Who is asking: the gate lets only somebody in."""
        person = person_of(request)
        return "" if person is None else person.name

    async def record(self, request: Request, kind: AccessKind, about: str, *, granted: bool = True) -> None:
        """Put on record what is going to be shown."""
        await self.shared.put_on_record(request, kind, Role.AUDITOR.value, about, granted=granted)

    async def read(self, look: Callable[[], _Read]) -> _Read:
        """Something out of the files, beside the loop. Raises `Unreadable`."""
        try:
            return await run_in_threadpool(look)
        except _TROUBLES as wrong:
            raise Unreadable(str(wrong)) from wrong

    def screen_texts(self, request: Request) -> tuple[ScreenTexts, ...]:
        """Those of the languages of the page."""
        return self.shared.pages.spoken(language(request), self.shared.feed.picture)

    # --- answers ----------------------------------------------------------------------------------------------------

    def page(self, request: Request, section: str, *, status: int = 200, **values: object) -> Response:
        """One of the pages."""
        return self.shared.page(request, "auditor", status, page="auditor", section=section, **values)

    def part(self, request: Request, name: str, **values: object) -> str:
        """A part of one, that a page asks for again."""
        shared = self.shared
        return shared.pages.plain(f"auditor/{name}", language(request), shared.feed.picture, page="auditor", **values)

    def reads(self, answer: Endpoint) -> Endpoint:
        """An endpoint that reads files; where they cannot be read, a page says why there is nothing to see."""

        async def endpoint(request: Request) -> Response:
            try:
                return await answer(request)
            except (Unreadable, BadField) as wrong:
                why = "no-files" if isinstance(wrong, NoFiles) else "unusable"
                return self.page(request, "nothing", status=503, why=why, detail=str(wrong))

        return endpoint

    def no(self, request: Request, status: int, why: str, **more: object) -> JSONResponse:
        """Why something was not done, and what to do, each in the languages of the page."""
        screen_texts = self.screen_texts(request)
        says = [t.say("auditor-no", why) for t in screen_texts]
        to_do = [t.say("auditor-do", why) for t in screen_texts]
        return JSONResponse({"ok": False, "error": why, "says": says, "do": to_do, **more}, status_code=status)

    def takes(self, answer: Answer) -> Endpoint:
        """An endpoint for what a page of ours sends."""
        return takes_json(
            answer, lambda request, status: self.no(request, status, "bad-post"), most_bytes=_BODY_MOST_BYTES
        )


#: What reading a journal can meet.
_TROUBLES: Final = (JournalUnusable, OSError, LookupError, TypeError, ValueError)
