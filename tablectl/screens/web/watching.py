"""The live pages: whole when they are opened, then their parts by server-sent events.

State-based: a page that connects, for the first time or again, gets every part as it is now; nothing has to be caught
up, so nothing can be missed.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tablectl.people.presence import Presence
from tablectl.people.roles import Role
from tablectl.screens.feed import Picture
from tablectl.screens.render import PARTS
from tablectl.screens.web.doors import EVERYBODY, Door, person_of, signed_on_of
from tablectl.screens.web.gate import ACCOUNT, SEE_OTHER
from tablectl.screens.web.shared import Shared, language
from tablectl.screens.web.streams import Streams

#: A page that hears nothing for more than two of these says so.
BEAT_S: Final = 1.0
#: Who may look at which live page, and so at its events.
WATCHERS: Final[Mapping[str, frozenset[Role]]] = {
    "croupier": frozenset({Role.CROUPIER}),
    "pit": frozenset({Role.PIT_BOSS, Role.MANAGER}),
    "technician": frozenset({Role.TECHNICIAN}),
}
#: The choice of screens: each address of one word, and who is offered it. A test holds it against the doors.
CHOICES: Final[Mapping[str, frozenset[Role]]] = {
    **WATCHERS,
    "auditor": frozenset({Role.AUDITOR}),
    "people": frozenset({Role.MANAGER}),
}


class Watching:
    """The choice of screens, the screens, their events, and what Prometheus reads."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._presence = Presence(shared.people)
        self._streams = Streams()

    def doors(self) -> tuple[Door, ...]:
        """Where they are."""
        return (
            Door(path="/", endpoint=self.index, roles=EVERYBODY),
            *(Door(path=f"/{name}", endpoint=self.page, roles=WATCHERS[name]) for name in PARTS),
            Door(path="/events", endpoint=self.events, roles=frozenset().union(*WATCHERS.values()), is_page=False),
            Door(path="/metrics", endpoint=self.metrics, roles=EVERYBODY),
        )

    async def index(self, request: Request) -> Response:
        """The choice of screens; for whoever was given his password, the page where he chooses his own."""
        found, person = signed_on_of(request), person_of(request)
        if found is not None and found.account.must_change:
            return RedirectResponse(f"{ACCOUNT}?lang={language(request)}", status_code=SEE_OTHER)
        offered = [name for name, roles in CHOICES.items() if person is not None and person.roles & roles]
        return HTMLResponse(
            self._shared.pages.plain("index", language(request), self._shared.feed.picture, offered=offered)
        )

    async def page(self, request: Request) -> Response:
        """One screen, whole, as it is now: it can be read without any script."""
        name = request.url.path.lstrip("/")
        picture = await self._seen(name, self._shared.feed.picture)
        return HTMLResponse(self._shared.pages.page(name, language(request), picture))

    async def metrics(self, _request: Request) -> Response:
        """For Prometheus. The library that writes it is loaded when the first one asks."""
        metrics = importlib.import_module("tablectl.screens.metrics")
        return Response(metrics.metrics_text(await self._shared.health()), media_type=metrics.CONTENT_TYPE)

    async def _seen(self, name: str, picture: Picture) -> Picture:
        """What a page shows: the technician's is the only one that asks how the devices are, the pit boss's the only
        one that says whether the croupier is still signed on."""
        if name == "technician":
            return replace(picture, health=await self._shared.health())
        if name == "pit":
            return replace(picture, croupier_gone=self._presence.is_gone(picture.view.croupier))
        return picture

    async def events(self, request: Request) -> Response:
        """A page's parts, as they change."""
        name = request.query_params.get("page", "")
        if name not in PARTS:
            return Response(status_code=404)
        person = person_of(request)
        if person is None or not person.roles & WATCHERS[name]:
            return Response(status_code=403)
        return self._streams.of_session(request, self._stream(name, language(request), request))

    async def _stream(self, name: str, language: str, request: Request) -> AsyncIterator[str]:
        sent: dict[str, str] = {}
        feed = self._shared.feed
        picture = feed.picture
        yield "retry: 500\n\n"
        while not self._shared.stopping():
            if not self._may_still(name, request):
                yield "event: over\ndata: {}\n\n"
                return
            parts = self._shared.pages.parts(name, language, await self._seen(name, picture))
            changed = {part: html for part, html in parts.items() if sent.get(part) != html}
            if changed:
                sent = parts
                yield _event("parts", changed, picture)
            beat = {"controller": picture.connected, "tilt": picture.tilt is not None, "seq": picture.view.seq}
            yield _event("beat", beat, picture)
            picture = await feed.after(picture, at_most_s=BEAT_S)

    def _may_still(self, name: str, request: Request) -> bool:
        """Whether the session still holds and its person may still look: asked before anything is sent."""
        person = self._shared.people.person(request)
        return person is not None and bool(person.roles & WATCHERS[name])


def _event(kind: str, data: dict[str, Any], picture: Picture) -> str:
    return f"event: {kind}\nid: {picture.view.seq}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
