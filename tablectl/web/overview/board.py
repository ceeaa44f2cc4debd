"""What pages follow: the parts of the overview in each language and scope, and which of them changed since when.

They are made once for all pages, as long as anybody looks, and not more often than pictures are. State-based: a page
that connects gets every part as it is now, and one that is slow skips what was between.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import msgspec

from tablectl.fleet.pit.floor import Floor
from tablectl.fleet.pit.scopes import ALL, Scope
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.overview.pages import OverviewPages

#: How often it is looked whether the server has to end.
LOOK_S: Final = 0.1
#: A page that hears nothing for more than two of these says so.
BEAT_S: Final = 1.0
#: Each view is told the time in one of so many looks: not all of a thousand pages in one moment.
TURNS: Final = round(BEAT_S / LOOK_S)
#: Whoever looks at a picture that is older than this sees something old.
OLD_S: Final = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What a page shows, and in which language."""

    language: str
    scope: Scope = ALL


class Board:
    """Used by one event loop."""

    def __init__(self, floor: Floor, pages: OverviewPages) -> None:
        self._floor = floor
        self._pages = pages
        self._loop: asyncio.AbstractEventLoop | None = None
        #: what the pages of a view wait for
        self._next: dict[View, asyncio.Event] = {}
        #: by view: each part, and the version in which it became so
        self._parts: dict[View, dict[str, tuple[int, str]]] = {}
        self._watching: dict[View, int] = {}
        self._told: dict[View, dict[int, bytes]] = {}
        # A thousand pages are told the same of each picture.
        self._beat = lru_cache(2 * len(LANGUAGES))(self._beat_of)
        #: counts changes of any part, and which was the last of each view
        self._version = 0
        self._versions: dict[View, int] = {}

    async def run(self, is_over: Callable[[], bool]) -> None:
        """Follow the floor until this is cancelled. Once the server has to end, whoever waits is woken at each look."""
        self._loop = asyncio.get_running_loop()
        self._floor.watch(self._changed)
        for turn in itertools.cycle(range(TURNS)):
            await asyncio.sleep(LOOK_S)
            is_for_all = is_over()
            for view in tuple(self._next):
                if is_for_all or hash(view) % TURNS == turn:
                    self._wake(view)

    def _changed(self) -> None:
        """By the floor's thread."""
        loop = self._loop
        with suppress(RuntimeError):  # it has ended
            if loop is not None:
                loop.call_soon_threadsafe(self._make)

    def _make(self) -> None:
        """The parts as they are now, in the views that are read."""
        for view in self._watching:
            self._make_of(view)

    def _make_of(self, view: View) -> None:
        picture = self._floor.picture_of(view.scope)
        known, made = self._parts.setdefault(view, {}), self._pages.parts(view.language, picture, view.scope)
        changed = {name: html for name, html in made.items() if name not in known or known[name][1] != html}
        gone = known.keys() - made.keys()
        if changed or gone:
            self._version += 1
            self._versions[view], self._told[view] = self._version, {}
            for name in gone:
                del known[name]
            known.update({name: (self._version, html) for name, html in changed.items()})
            self._wake(view)

    def _wake(self, view: View) -> None:
        """The pages of this view alone: most of a thousand show nothing new."""
        waits = self._next.pop(view, None)
        if waits is not None:
            waits.set()

    def enter(self, view: View) -> None:
        """One more page of this view is read. Raises `BadScope` where too many different ones are."""
        self._make_of(view)
        self._watching[view] = self._watching.get(view, 0) + 1

    def leave(self, view: View) -> None:
        """One page less."""
        self._watching[view] -= 1
        if not self._watching[view]:
            del self._watching[view], self._parts[view], self._versions[view], self._told[view]
            self._pages.forget(view.language, view.scope)

    def version(self, view: View) -> int:
        """Which change of this view was the last."""
        return self._versions[view]

    def changes(self, view: View, *, after: int) -> bytes:
        """The parts that changed after a version, as an event; empty where none did."""
        told = self._told[view]
        if after not in told:
            parts = {name: html for name, (at, html) in self._parts[view].items() if at > after}
            told[after] = _event("parts", parts, id=self._versions[view]) if parts else b""
        return told[after]

    def names(self, view: View) -> frozenset[str]:
        """Which parts there are."""
        return frozenset(self._parts[view])

    def beat(self, language: str) -> bytes:
        """That the server is there, and what time it is, as an event."""
        picture = self._floor.picture
        is_old = self._floor.now_s() - picture.at_s > OLD_S
        return self._beat(language, picture.at_us, is_old=is_old)

    def _beat_of(self, language: str, at_us: int, *, is_old: bool) -> bytes:
        clock = self._pages.clock(language, at_us)
        return _event("beat", {"at": at_us // 1_000, "clock": clock, "old": is_old})

    async def after(self, view: View, version: int) -> None:
        """Wait for another version of this view, or for its turn to be told the time."""
        if self._versions[view] == version:
            await self._next.setdefault(view, asyncio.Event()).wait()


def _event(name: str, said: Mapping[str, object], *, id: int | None = None) -> bytes:
    """One event of a stream, as it is sent."""
    number = b"" if id is None else b"id: %d\n" % id
    return b"event: %b\n%bdata: %b\n\n" % (name.encode(), number, msgspec.json.encode(said))
