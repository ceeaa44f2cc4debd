"""The live pages: whole when they are opened, then their parts by server-sent events.

State-based: a page that connects, for the first time or again, gets every part as it is now; nothing has to be caught
up, so nothing can be missed.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tablectl.core.roles import Role
from tablectl.people.people import ALARMED
from tablectl.people.service.questions import IsGone, NoAccounts, Who
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.language import language
from tablectl.web.screens.render import ALARM_PAGE, PARTS
from tablectl.web.screens.viewer import Viewer, show_to, viewer_of
from tablectl.web.screens.web.gate import ACCOUNT, SEE_OTHER
from tablectl.web.screens.web.guarded_routes import EVERYBODY, GuardedRoute, alarm_view_of, person_of, signed_on_of
from tablectl.web.screens.web.shared import Shared, token_of
from tablectl.web.screens.web.streams import Streams

#: A page that hears nothing for more than two of these says so.
BEAT_S: Final = 1.0
#: After so long a page has to ask anew, with what its browser sends then. Whether its session holds is looked up at
#: every beat; this is for what only a request shows.
STREAM_US: Final = 10 * 60 * 1_000_000
#: Who may look at which live page, and so at its events.
WATCHERS: Final[Mapping[str, frozenset[Role]]] = {
    "croupier": frozenset({Role.CROUPIER}),
    "pit": ALARMED,
    "technician": frozenset({Role.TECHNICIAN}),
}
#: The choice of screens: each address of one word, and who is offered it. A test holds it against the routes.
CHOICES: Final[Mapping[str, frozenset[Role]]] = {
    **WATCHERS,
    "auditor": frozenset({Role.AUDITOR}),
    "people": frozenset({Role.MANAGER}),
}


class Watching:
    """The choice of screens, the screens, their events, and what Prometheus reads."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._streams = Streams()

    def guarded_routes(self) -> tuple[GuardedRoute, ...]:
        """Where they are."""
        return (
            GuardedRoute(path="/", endpoint=self.index, roles=EVERYBODY),
            *(
                GuardedRoute(
                    path=f"/{name}", endpoint=self.page, roles=WATCHERS[name], has_alarm_view=name == ALARM_PAGE
                )
                for name in PARTS
            ),
            GuardedRoute(
                path="/events",
                endpoint=self.events,
                roles=frozenset().union(*WATCHERS.values()),
                is_page=False,
                has_alarm_view=True,
            ),
            GuardedRoute(path="/metrics", endpoint=self.metrics, roles=EVERYBODY),
        )

    async def index(self, request: Request) -> Response:
        """The choice of screens; for whoever was given his password, the page where he chooses his own."""
        found, person = signed_on_of(request), person_of(request)
        if found is not None and found.account.must_change:
            return RedirectResponse(ACCOUNT, status_code=SEE_OTHER)
        offered = [name for name, roles in CHOICES.items() if person is not None and person.roles & roles]
        return self._shared.page(request, "index", offered=offered)

    async def page(self, request: Request) -> Response:
        """One screen, whole, as it is now: it can be read without any script."""
        name = request.url.path.lstrip("/")
        if alarm_view_of(request) is not None:
            return HTMLResponse(self._shared.pages.page(name, language(request), self._shared.feed.picture))
        picture = await self._seen(name, self._shared.feed.picture)
        return HTMLResponse(self._shared.pages.page(name, language(request), picture))

    async def metrics(self, _request: Request) -> Response:
        """For Prometheus. The library that writes it is loaded when the first one asks."""
        metrics = importlib.import_module("tablectl.web.screens.metrics")
        health, uplink = await self._shared.health(), await self._shared.uplink()
        text = metrics.metrics_text(health, uplink, missing=self._shared.feed.picture.missing)
        return Response(text, media_type=metrics.CONTENT_TYPE)

    async def _seen(self, name: str, picture: Picture) -> Picture:
        """What a page shows: the technician's is the only one that asks how devices, uplink and witnesses are, the pit
        boss's the only one that says whether the croupier is still signed on, and what each choice would do."""
        if name == "technician":
            health, uplink = await self._shared.health(), await self._shared.uplink()
            return replace(picture, health=health, uplink=uplink, witness=await self._shared.witness())
        if name == "pit":
            previews = await self._shared.previews(picture.view) if picture.connected else {}
            is_gone = False
            with suppress(NoAccounts):
                is_gone = await self._shared.house.ask(IsGone(name=picture.view.croupier))
            return replace(picture, croupier_gone=is_gone, previews=previews)
        return picture

    async def events(self, request: Request) -> Response:
        """A page's parts, as they change."""
        name = request.query_params.get("page", "")
        if name not in PARTS:
            return Response(status_code=404)
        viewer = await self._sight(name, request)
        if viewer is None:
            return Response(status_code=403)
        return self._streams.of_session(request, self._stream(name, language(request), request, viewer))

    async def _stream(self, name: str, language: str, request: Request, first: Viewer) -> AsyncIterator[str]:
        sent: dict[str, str] = {}
        viewer: Viewer | None = first
        feed, house = self._shared.feed, self._shared.house
        picture, began_us = feed.picture, house.now_us()
        yield "retry: 500\n\n"
        while not self._shared.stopping():
            # While nobody can say who looks, whoever looked goes on: nothing can be entered then.
            with suppress(NoAccounts):
                viewer = await self._sight(name, request)
            if viewer is None:
                yield "event: over\ndata: {}\n\n"
                return
            if not 0 <= house.now_us() - began_us < STREAM_US:
                yield "event: again\ndata: {}\n\n"
                return
            show_to(viewer)
            seen = picture if viewer.alarms_until_us else await self._seen(name, picture)
            parts = self._shared.pages.parts(name, language, seen)
            changed = {part: html for part, html in parts.items() if sent.get(part) != html}
            if changed:
                sent = parts
                yield _event("parts", changed, picture)
            yield _event("beat", self._shared.pages.beat(picture), picture)
            picture = await feed.after(picture, at_most_s=BEAT_S)

    async def _sight(self, name: str, request: Request) -> Viewer | None:
        """Who looks, if he still may, with a session that holds or with the alarms that are left of one; None where he
        may not. Asked before anything is sent."""
        seen = await self._shared.house.ask(Who(token=token_of(request)))
        found, view = seen.signed_on, seen.alarm_view if name == ALARM_PAGE else None
        if found is not None:
            return viewer_of(found) if found.person.roles & WATCHERS[name] else None
        return None if view is None else viewer_of(None, view)


def _event(kind: str, data: dict[str, Any], picture: Picture) -> str:
    return f"event: {kind}\nid: {picture.view.seq}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
