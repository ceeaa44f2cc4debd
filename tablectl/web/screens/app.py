"""The screens as a web application: the routes of all pages, with one guard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib import resources
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from tablectl.api import async_client
from tablectl.journal.known_heads import KnownHeads, place_beside
from tablectl.ops.tasks import kept_running, repeated
from tablectl.people.people import People
from tablectl.people.service.answering import AccountsService, PasskeyRules
from tablectl.people.service.head_keeper import HeadKeeper
from tablectl.people.service.questions import NoAccounts, NotYours, Who
from tablectl.people.service.remote import RemoteAccounts
from tablectl.statistics.service import opened
from tablectl.web.screens.feed import Feed
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.guard import Guard
from tablectl.web.screens.language import ChosenLanguage
from tablectl.web.screens.link import REPLY_WITHIN_S, Link
from tablectl.web.screens.looking import DISKS_S, JOURNAL_S, look_at_disks, look_at_journal_before
from tablectl.web.screens.render import Pages, offered
from tablectl.web.screens.table_of_feed import TableOfFeed
from tablectl.web.screens.viewer import show_to, viewer_of
from tablectl.web.screens.web.auditing import Auditing
from tablectl.web.screens.web.correcting import Correcting
from tablectl.web.screens.web.entering import Entering
from tablectl.web.screens.web.float import FloatPage
from tablectl.web.screens.web.gate import Gate
from tablectl.web.screens.web.guarded_routes import GuardedRoute, routes
from tablectl.web.screens.web.installing import Installing
from tablectl.web.screens.web.keeping_people import KeepingPeople
from tablectl.web.screens.web.limits import LimitsPage
from tablectl.web.screens.web.own_account import OwnAccount
from tablectl.web.screens.web.recalling import Recalling
from tablectl.web.screens.web.shared import Shared, token_of
from tablectl.web.screens.web.signing_on import SigningOn
from tablectl.web.screens.web.statistics import StatisticsPages
from tablectl.web.screens.web.technician import Technician
from tablectl.web.screens.web.watching import Watching
from tablectl.web.screens.wrong import Wrong


def make_app(
    socket: Path,
    people: People | RemoteAccounts,
    files: TableFiles | None = None,
    *,
    passkeys: PasskeyRules | None = None,
    stopping: Callable[[], bool] = lambda: False,
) -> Starlette:
    """The application for the controller at `socket`. Event streams end once `stopping()` is true. `people`: their
    accounts, or the process that keeps these; `passkeys`: what a house with passkeys says of them."""
    shared = make_shared(socket, people, files, passkeys=passkeys, stopping=stopping)
    house = shared.house
    keeper = HeadKeeper(shared.socket, shared.heads)
    before = partial(look_at_journal_before, shared.feed, shared.statistics, shared.heads)
    disks = partial(look_at_disks, shared.feed, shared.socket, shared.statistics)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        """Follow the controller as long as the application runs; keep the accounts, where no other process does."""
        kept = house.running() if isinstance(house, AccountsService) else {}
        running = [
            asyncio.create_task(kept_running("the link to the controller", shared.link.run)),
            *(asyncio.create_task(kept_running(name, run)) for name, run in {**kept, **keeper.running()}.items()),
            asyncio.create_task(kept_running("the look at the disks", partial(repeated, disks, DISKS_S))),
            asyncio.create_task(kept_running("the look at the journal before", partial(repeated, before, JOURNAL_S))),
        ]
        if shared.statistics is not None:
            shared.statistics.start()
        try:
            yield
        finally:
            if shared.statistics is not None:
                await asyncio.to_thread(shared.statistics.stop)
            await keeper.keep()
            if isinstance(house, AccountsService):
                house.settle()
            for task in running:
                task.cancel()
            for task in running:
                with suppress(asyncio.CancelledError):
                    await task

    async def look(request: Request) -> None:
        show_to(viewer_of((await house.ask(Who(token=token_of(request)))).signed_on))

    wrong = Wrong(shared.pages, lambda: shared.feed.picture, look)
    static = StaticFiles(directory=str(resources.files("tablectl.web.screens").joinpath("static")))
    return Starlette(
        routes=[*routes(all_guarded_routes(shared), Gate(shared)), Mount("/static", static)],
        middleware=[
            Middleware(Guard, too_long=wrong.too_long),
            Middleware(ChosenLanguage, offered=lambda: offered(shared.feed.picture), house=house),
        ],
        exception_handlers={
            HTTPException: wrong.answered,
            NoAccounts: wrong.no_accounts,
            NotYours: wrong.not_yours,
            Exception: wrong.broken,
        },
        lifespan=lifespan,
    )


def make_shared(
    socket: Path,
    people: People | RemoteAccounts,
    files: TableFiles | None,
    *,
    passkeys: PasskeyRules | None = None,
    stopping: Callable[[], bool] = lambda: False,
) -> Shared:
    """What every page needs, not yet running."""
    feed = Feed()
    house: AccountsService | RemoteAccounts
    if isinstance(people, People):
        ask = partial(async_client.ask, socket, timeout_s=REPLY_WITHIN_S)
        house = AccountsService(people, TableOfFeed(feed), ask, partial(async_client.lines, socket), passkeys)
    else:
        house = people
    heard = house.heard if isinstance(house, AccountsService) else None
    place = None if files is None else files.statistics
    heads = KnownHeads(None if place is None else place_beside(place))
    return Shared(
        socket=socket,
        feed=feed,
        link=Link(socket, feed, heard=heard, heads=heads),
        pages=Pages(passkeys=passkeys),
        house=house,
        stopping=stopping,
        files=files,
        statistics=opened(socket, place, () if files is None else files.shifts, heads),
        heads=heads,
    )


def all_guarded_routes(shared: Shared) -> tuple[GuardedRoute, ...]:
    """Every route there is: a new page is a module of `web/` and a line here."""
    return (
        *Watching(shared).guarded_routes(),
        *Recalling(shared).guarded_routes(),
        *Entering(shared).guarded_routes(),
        *SigningOn(shared).guarded_routes(),
        *OwnAccount(shared).guarded_routes(),
        *KeepingPeople(shared).guarded_routes(),
        *Auditing(shared).guarded_routes(),
        *Technician(shared).guarded_routes(),
        *StatisticsPages(shared).guarded_routes(),
        *LimitsPage(shared).guarded_routes(),
        *Correcting(shared).guarded_routes(),
        *FloatPage(shared).guarded_routes(),
        *Installing(shared).guarded_routes(),
    )
