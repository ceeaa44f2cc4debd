"""What every page of the screens needs: the table as it is now, the wire to the controller, and the templates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request

from tablectl.screens.feed import Feed
from tablectl.screens.files import TableFiles
from tablectl.screens.health import Health, NoHealth, ask_health
from tablectl.screens.link import Link
from tablectl.screens.render import Pages, language_of
from tablectl.statistics.service import Statistics


@dataclass(frozen=True, kw_only=True, slots=True)
class Shared:
    """One table's screens. `files` is None where they were started with a socket alone: then pages that look into the
    table's files have nothing to show. `statistics` is None where their file cannot be used. `stopping()` is true once
    the server has to end."""

    socket: Path
    feed: Feed
    link: Link
    pages: Pages
    stopping: Callable[[], bool]
    files: TableFiles | None = None
    statistics: Statistics | None = None

    async def health(self) -> Health | None:
        """How the devices are; None where the controller does not answer."""
        try:
            return await ask_health(self.socket)
        except NoHealth:
            return None


def language(request: Request) -> str:
    """The language of a page: what the address asks for, else what the browser prefers."""
    return language_of(request.query_params.get("lang"), request.headers.get("accept-language"))
