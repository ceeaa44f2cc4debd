"""The auditor's pages: what the journal is, records found by hand, and who read what."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tablectl.core.access import AccessKind
from tablectl.core.events.notes import Access
from tablectl.i18n.describe import DESCRIBED_DECISIONS, DESCRIBED_FACTS
from tablectl.journal.overview import overview
from tablectl.journal.public_keys import BadKey, fingerprint, load_public
from tablectl.journal.search import Found, Hit, Wanted, find
from tablectl.people.service.questions import AskRefusedRows
from tablectl.web.screens.auditor.asked import Asked, BadField, asked
from tablectl.web.screens.auditor.desk import AUDITORS, AuditorDesk
from tablectl.web.screens.auditor.jobs import Jobs
from tablectl.web.screens.auditor.telling import told
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.web.exporting import Exporting
from tablectl.web.screens.web.guarded_routes import GuardedRoute
from tablectl.web.screens.web.opening import Opening
from tablectl.web.screens.web.shared import Shared, token_of
from tablectl.web.screens.web.verifying import Verifying, now_text

#: Records of what people did and read.
ACCESSES: Final = frozenset(("access", "unsealed", "signed-on", "signed-off", "badge-shown"))
#: All that can be looked for, each of which has words (`record-kind`).
KINDS: Final = frozenset({*DESCRIBED_FACTS, *DESCRIBED_DECISIONS, *ACCESSES})
_PAGE: Final = 25
_ACCESSES_PAGE: Final = 100
#: Pages of accesses that are looked through for the last verification.
_ROUNDS: Final = 5


class Auditing:
    """All that is the auditor's."""

    def __init__(self, shared: Shared) -> None:
        self._desk = AuditorDesk(shared)
        self._verification = Jobs(now_text)
        self._pages = (
            Verifying(self._desk, self._verification),
            Opening(self._desk),
            Exporting(self._desk),
        )

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        return (
            GuardedRoute(path="/auditor", endpoint=self._desk.reads(self.start), roles=AUDITORS),
            GuardedRoute(path="/auditor/find", endpoint=self._desk.reads(self.find), roles=AUDITORS),
            GuardedRoute(path="/auditor/access", endpoint=self._desk.reads(self.access), roles=AUDITORS),
            *(route for page in self._pages for route in page.guarded_routes()),
        )

    async def start(self, request: Request) -> Response:
        """What the journal is, at a glance."""
        files = self._desk.files
        seen = await self._desk.read(lambda: overview(files.journal, files.copy, files.public_key))
        last = await self._desk.read(lambda: _last_verified(files.journal))
        return self._desk.page(
            request,
            "start",
            seen=seen,
            files=files,
            job=self._verification.job,
            verified=None if last is None else told(last, self._desk.screen_texts(request)),
            auditor_key=_auditor_key(files),
            fingerprint=fingerprint,
        )

    async def find(self, request: Request) -> Response:
        """Records by hand, time, clause, person, kind and words; the newest ones where nothing is filled in."""
        wrong_field = ""
        try:
            sought = asked(request.query_params, self._desk.zone)
        except BadField as bad:
            wrong_field, sought = str(bad), asked({})
        screen_texts = self._desk.screen_texts(request)
        found = None if wrong_field else await self._found(sought)
        if found is not None:
            await self._desk.record(request, AccessKind.READ_RECORDS, f"find {sought.about()}")
        return self._desk.page(
            request,
            "find",
            status=400 if wrong_field else 200,
            asked=sought,
            fields=sought.fields if not wrong_field else dict(request.query_params),
            wrong_field=wrong_field,
            found=found,
            hits=[] if found is None else [told(hit, screen_texts) for hit in found.hits],
            kinds=sorted(KINDS, key=lambda kind: screen_texts[0].word("record-kind", kind).casefold()),
        )

    async def _found(self, sought: Asked) -> Found:
        journal = self._desk.files.journal
        return await self._desk.read(lambda: find(journal, sought.wanted, before=sought.before, most=_PAGE))

    async def access(self, request: Request) -> Response:
        """Who signed on, and who read what."""
        sought = asked({"before": request.query_params.get("before", "")})
        journal, wanted = self._desk.files.journal, Wanted(kinds=ACCESSES)
        found = await self._desk.read(lambda: find(journal, wanted, before=sought.before, most=_ACCESSES_PAGE))
        await self._desk.record(request, AccessKind.READ_RECORDS, "access")
        screen_texts = self._desk.screen_texts(request)
        rows = [told(hit, screen_texts) for hit in found.hits]
        house, token = self._desk.shared.house, token_of(request)
        refused = () if sought.before is not None else await house.ask(AskRefusedRows(token=token))
        return self._desk.page(request, "access", found=found, rows=rows, refused=refused)


def _last_verified(journal: Path) -> Hit | None:
    """The newest record that says that somebody had the journal verified at these pages; not looked for without end."""
    before = None
    for _ in range(_ROUNDS):
        found = find(journal, Wanted(kinds=frozenset(("access",))), before=before, most=_ACCESSES_PAGE)
        if (last := next(filter(_says_verified, found.hits), None)) is not None:
            return last
        before = found.before
        if before is None:
            break
    return None


def _says_verified(hit: Hit) -> bool:
    event = None if hit.record is None else hit.record.event
    return isinstance(event, Access) and event.what is AccessKind.VERIFIED


def _auditor_key(files: TableFiles) -> str | None:
    """The fingerprint of the auditor's key; None where the house named none, empty where it cannot be read."""
    if files.auditor is None:
        return None
    try:
        return fingerprint(load_public(files.auditor))
    except BadKey:
        return ""
