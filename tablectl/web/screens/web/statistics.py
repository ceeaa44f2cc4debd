"""Statistics: figures of a day or of all days, plots with a table of the same numbers beside each, and CSV."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.journal.sqlite_file import SqliteError
from tablectl.statistics.figures import Filters
from tablectl.statistics.service import Report
from tablectl.statistics.table import alarms_csv, floats_csv, hands_csv, incidents_csv, rates_csv
from tablectl.web.screens.language import language
from tablectl.web.screens.statistics_page import EVERY_DAY, address_of, statistics_page
from tablectl.web.screens.web.guarded_routes import GuardedRoute, person_of, signed_on_of
from tablectl.web.screens.web.shared import Shared

_WHO: Final = frozenset({Role.PIT_BOSS, Role.MANAGER})
#: Who gets the alarms, with nobody's figures in them.
_ALARMS: Final = _WHO | {Role.AUDITOR}
#: Who sees what is said of single croupiers.
_MANAGERS: Final = frozenset({Role.MANAGER})
_LONGEST: Final = 200
_CSV: Final[Mapping[str, Callable[[Report], str]]] = {
    "hands": lambda report: hands_csv(report.hands),
    "incidents": lambda report: incidents_csv(report.incidents),
    "float": lambda report: floats_csv(report.floats),
}


class StatisticsPages:
    """The page and its exports."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        return (
            GuardedRoute(path="/pit/statistics", endpoint=self.page, roles=_WHO),
            GuardedRoute(path="/pit/statistics/croupiers.csv", endpoint=self.export_croupiers, roles=_MANAGERS),
            GuardedRoute(path="/pit/statistics/alarms.csv", endpoint=self.export_alarms, roles=_ALARMS),
            GuardedRoute(path="/pit/statistics/{what}.csv", endpoint=self.export, roles=_WHO),
        )

    async def page(self, request: Request) -> Response:
        """The figures that the filters of the address let through."""
        report = await self._report(request)
        if report is not None:
            await self._look(request, report)
        pages, picture, spoken = self._shared.pages, self._shared.feed.picture, language(request)
        person = person_of(request)
        for_manager = person is not None and Role.MANAGER in person.roles
        html = statistics_page(pages, spoken, picture, report, for_manager=for_manager)
        return HTMLResponse(html, status_code=503 if report is None else 200)

    async def export(self, request: Request) -> Response:
        """The rows as a file for a spreadsheet."""
        what = str(request.path_params["what"])
        if what not in _CSV:
            raise HTTPException(404)
        return await self._file(request, what, _CSV[what])

    async def export_alarms(self, request: Request) -> Response:
        """The alarms, for an auditor too."""
        return await self._file(request, "alarms", lambda report: alarms_csv(report.alarms))

    async def export_croupiers(self, request: Request) -> Response:
        """The errors of croupiers, for managers."""
        return await self._file(request, "croupiers", lambda report: rates_csv(report.figures.croupiers))

    async def _file(self, request: Request, what: str, made_of: Callable[[Report], str]) -> Response:
        report = await self._report(request)
        if report is None:
            raise HTTPException(503)
        about = f"statistics {what} {address_of(report.filters)}".strip()
        await self._put_on_record(AccessKind.DOWNLOADED, request, about)
        text = await asyncio.to_thread(made_of, report)
        name = "-".join(filter(None, ("tablectl", what, str(report.filters.day or ""))))
        return Response(
            text,
            media_type="text/csv; charset=utf-8; header=present",
            headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
        )

    async def _look(self, request: Request, report: Report) -> None:
        """What of them was looked at goes on record."""
        found = signed_on_of(request)
        if found is not None:
            role, about = found.person.role_among(_WHO), address_of(report.filters)
            await self._shared.put_on_record(request, AccessKind.READ_STATISTICS, role, about, once=True)

    async def _put_on_record(self, kind: AccessKind, request: Request, about: str) -> None:
        person = person_of(request)
        if person is not None:
            await self._shared.put_on_record(request, kind, person.role_among(_ALARMS), about)

    async def _report(self, request: Request) -> Report | None:
        statistics, table = self._shared.statistics, self._shared.feed.picture.table
        if statistics is None:
            return None
        filters, zone = filters_of(request.query_params), "UTC" if table is None else table.timezone
        try:
            return await asyncio.to_thread(statistics.report, filters, zone)
        except SqliteError:
            return None


def filters_of(asked: Mapping[str, str]) -> Filters:
    """What an address asks for; what is no day and no shift is not asked for."""
    shift = asked.get("shift", "")
    try:
        day = date.fromisoformat(asked.get("day", ""))
    except ValueError:
        day = None
    return Filters(
        day=day,
        every_day=asked.get("day") == EVERY_DAY,
        shift=int(shift) if shift.isascii() and shift.isdecimal() and len(shift) == 1 else None,
        croupier=asked.get("croupier", "")[:_LONGEST],
        device=asked.get("device", "")[:_LONGEST],
        clause=asked.get("clause", "")[:_LONGEST],
    )
