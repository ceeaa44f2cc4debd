"""What every page of the screens needs: the table as it is now, the wire to the controller, the house's people, and
the templates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request

from tablectl.people.badges import Badges
from tablectl.people.people import People
from tablectl.screens.feed import Feed
from tablectl.screens.files import TableFiles
from tablectl.screens.guard import is_loopback
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
    people: People
    badges: Badges
    stopping: Callable[[], bool]
    files: TableFiles | None = None
    statistics: Statistics | None = None

    async def health(self) -> Health | None:
        """How the devices are; None where the controller does not answer."""
        try:
            return await ask_health(self.socket)
        except NoHealth:
            return None

    def says(self, request: Request, why: str, **values: str) -> list[str]:
        """Why something was not done, in both languages, that of the page first."""
        return self.pages.says(language(request), self.feed.picture, why, **values)


def language(request: Request) -> str:
    """The language of a page: what the address asks for, else what the browser prefers."""
    return language_of(request.query_params.get("lang"), request.headers.get("accept-language"))


def address_of(request: Request) -> str:
    """From which address somebody asks; behind a proxy, the one that it names."""
    return request.client.host if request.client is not None else ""


def is_at_table(request: Request) -> bool:
    """Whether this is the table's own browser: on this machine, and by no name that points here from elsewhere, as a
    proxy's would."""
    host = request.url.hostname or ""
    return is_loopback(address_of(request)) and is_loopback(host)
