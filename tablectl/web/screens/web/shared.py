"""What every page of the screens needs: the table as it is now, the wire to the controller, the house's people, and
the templates."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tablectl.core.access import AccessKind
from tablectl.core.public_table.incident import IncidentState
from tablectl.core.public_table.table import PublicTable
from tablectl.journal.known_heads import KnownHeads
from tablectl.people.people import COOKIE
from tablectl.people.service.questions import Act, House, Look, Second
from tablectl.people.source import BROWSER_COOKIE, Source
from tablectl.statistics.service import Statistics
from tablectl.web.screens.choices import Previews, ask_choices
from tablectl.web.screens.feed import Feed, Picture
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.guard import is_loopback
from tablectl.web.screens.health import Health, NoHealth, ask_health
from tablectl.web.screens.language import language
from tablectl.web.screens.link import Link, Reply, reply_of
from tablectl.web.screens.render import Pages
from tablectl.web.screens.uplink_state import UplinkNow, uplink_now
from tablectl.web.screens.witness_now import WitnessNow, witness_now

#: What proxies put into a request that they pass on; names come in small letters here.
_OF_PROXIES: Final = frozenset({"forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip"})
_FORWARDED: Final = "x-forwarded"
#: Where the rate of secrets is counted for all who come by the Unix socket: no address, so that nobody else has it.
BY_SOCKET: Final = "socket"
#: How long a page waits for the record that its own entry made, and for a controller that was not heard yet, as it is
#: just after screens began.
RECORD_WITHIN_S: Final = 1.0
TABLE_WITHIN_S: Final = 2.0
#: More digits than any record's number has.
_MOST_DIGITS: Final = 15


@dataclass(frozen=True, kw_only=True, slots=True)
class Shared:
    """One table's screens. `files` is None where they were started with a socket alone: then pages that look into the
    table's files have nothing to show. `heads` is what they remember of what the table signed. `statistics` is None
    where their file cannot be used. `stopping()` is true once the server has to end."""

    socket: Path
    feed: Feed
    link: Link
    pages: Pages
    house: House
    stopping: Callable[[], bool]
    files: TableFiles | None = None
    statistics: Statistics | None = None
    heads: KnownHeads = field(default_factory=lambda: KnownHeads(None))

    async def picture(self, request: Request) -> Picture:
        """The table for a page that is made once. Where the address names a record (`seq`), as it is after that record:
        a page that is loaded after an entry must not show what lay there before it."""
        picture = await self.feed.known(at_most_s=TABLE_WITHIN_S)
        asked = record_number(request.query_params.get("seq", ""))
        if asked is not None:
            picture = await self.feed.with_record(asked, at_most_s=RECORD_WITHIN_S)
        return picture

    async def health(self) -> Health | None:
        """How the devices are; None where the controller does not answer."""
        try:
            return await ask_health(self.socket)
        except NoHealth:
            return None

    async def uplink(self) -> UplinkNow | None:
        """How the uplink to the pit server is; None for a table without one."""
        return await asyncio.to_thread(uplink_now, self.files, self.house.now_us())

    async def witness(self) -> WitnessNow | None:
        """How it is with the places that keep the journal's heads; None for a table without one."""
        if self.files is None:
            return None
        return await asyncio.to_thread(witness_now, self.files.config, self.files.witness, self.house.now_us())

    async def previews(self, view: PublicTable) -> Previews:
        """What each choice of the pit boss would do, where he has one."""
        has_choice = any(incident.state is IncidentState.RULING for incident in view.incidents.values())
        return await ask_choices(self.socket) if has_choice else {}

    async def put_on_record(
        self, request: Request, kind: AccessKind, role: str, about: str, *, granted: bool = True, once: bool = False
    ) -> None:
        """What whoever asks is about to see, or is not let see: on the disk when this returns. `once`: a minute."""
        look = Look(token=token_of(request), kind=kind, role=role, about=about, granted=granted, once=once)
        await self.house.ask(look)

    async def act(
        self,
        request: Request,
        asked: Mapping[str, Any],
        *,
        second: Second | None = None,
        as_croupier: bool = False,
    ) -> Reply:
        """What the controller says to a request of whoever is signed on. Raises `NotYours`, `NoAccounts`,
        `NoController`."""
        act = act_of(request, asked, second=second, as_croupier=as_croupier)
        said: dict[str, Any] = await self.house.ask(act)
        return reply_of(said)

    def page(self, request: Request, template: str, status: int = 200, **values: object) -> Response:
        """A page of the table as it is now, in the language that is asked for."""
        return HTMLResponse(self.pages.plain(template, language(request), self.feed.picture, **values), status)

    def says(self, request: Request, why: str, **values: str) -> list[str]:
        """Why something was not done, in the languages of the page."""
        return self.pages.says(language(request), self.feed.picture, why, **values)

    def says_refused(self, request: Request, refused: Mapping[str, Any], *, entry: str) -> list[str]:
        """Why the engine did not take an entry, as `says`."""
        return self.pages.says_refused(language(request), self.feed.picture, refused, entry=entry)


def record_number(text: str) -> int | None:
    """The number of a record in an address; None for what is none."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
    return int(text) if is_number else None


def address_of(request: Request) -> str:
    """From which address somebody asks; behind a proxy, the one that it names. `BY_SOCKET`: from none, but from this
    machine."""
    if came_by_socket(request):
        return BY_SOCKET
    return request.client.host if request.client is not None else ""


def act_of(
    request: Request, asked: Mapping[str, Any], *, second: Second | None = None, as_croupier: bool = False
) -> Act:
    """A request to the controller, by whoever is signed on in this browser."""
    return Act(
        token=token_of(request),
        request=dict(asked),
        source=source_of(request),
        second=second,
        as_croupier=as_croupier,
    )


def token_of(request: Request) -> str:
    """The session that this browser says it has, "" where it says none."""
    return request.cookies.get(COOKIE, "")


def source_of(request: Request) -> Source:
    """From where somebody sends a secret."""
    return Source(
        address=address_of(request),
        is_at_table=is_at_table(request),
        browser=request.cookies.get(BROWSER_COOKIE, ""),
    )


def came_by_socket(request: Request) -> bool:
    """Whether somebody asks by the Unix socket: of this machine, and one whom its folder lets in. A server's address
    without a port is a socket's path (ASGI, HTTP connection scope). That there is no client's address says nothing: who
    came by a network and went at once has none either. A proxy at the socket is believed nothing, and is not at the
    table for what it says of itself (`is_at_table`)."""
    server = request.scope.get("server")
    return server is not None and server[1] is None


def is_at_table(request: Request) -> bool:
    """Whether this is the table's own browser: on this machine, by no name that points here from elsewhere, and by no
    proxy, which says so whatever it was told to call the rest (RFC 9110, section 7.6.3; RFC 7239)."""
    if any(name in _OF_PROXIES or name.startswith(_FORWARDED) for name in request.headers):
        return False
    try:
        host = request.url.hostname or ""
    except ValueError:
        return False
    is_here = came_by_socket(request) or is_loopback(address_of(request))
    return is_here and is_loopback(host)
