"""The table that is set up now, the exercise on it, and who is trained: one trainee at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tablectl.api.stage import FreeTable, MakePracticeTable
from tablectl.core.timestamps import time_text
from tablectl.journal.clock import now_us
from tablectl.web.screens.feed import Feed
from tablectl.web.screens.link import Link
from tablectl.web.screens.render import Pages
from tablectl.web.screens.web.shared import Shared
from tablectl.web.training.exercise import Exercise, exercises_of, find_exercise
from tablectl.web.training.gate import TraineesHouse
from tablectl.web.training.marking import Marking
from tablectl.web.training.progress import Progress, Result, name_of
from tablectl.web.training.session import Session

#: Whoever did not say who he is.
NOBODY = "—"

#: How long a table that was just set up may take until it is heard, in seconds.
_HEARD_WITHIN_S: Final = 5.0


class NoExercise(LookupError):
    """There is no exercise of this name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """A session and the live pages that show it."""

    session: Session
    shared: Shared
    following: asyncio.Task[None]
    folder: TemporaryDirectory[str]


class Trainer:
    """Sets one table up after the other. `make_table` makes each; `base` is the free table; progress is
    kept in the folder `keep`."""

    def __init__(
        self, base: FreeTable, keep: Path, *, make_table: MakePracticeTable, stopping: Callable[[], bool]
    ) -> None:
        self.base = base
        self._make_table = make_table
        self.pages = Pages()
        self.progress = Progress(keep / "progress.csv")
        self.trainee = ""
        self._stopping = stopping
        self._table: Table | None = None
        self._changing = asyncio.Lock()

    @property
    def table(self) -> Table | None:
        """The table that is set up now; None for the moment in which none is."""
        return self._table

    def sign(self, typed: str) -> None:
        """Whose results are kept from now on. Raises `NoName`."""
        self.trainee = name_of(typed)

    async def begin(self, name: str) -> None:
        """Set an exercise up, or with an empty name the free table; what stood there before is taken away. Raises
        `NoExercise`, `StageBroken`, `NoController`."""
        exercise = find_exercise(name) if name else None
        if name and exercise is None:
            raise NoExercise(name)
        async with self._changing:
            await self._clear()
            self._table = await self._set_up(exercise)

    async def end(self) -> None:
        """Switch everything off."""
        async with self._changing:
            await self._clear()

    async def _clear(self) -> None:
        table, self._table = self._table, None
        if table is None:
            return
        table.following.cancel()
        with suppress(asyncio.CancelledError):
            await table.following
        table.shared.feed.publish(replace(table.shared.feed.picture))
        await asyncio.to_thread(table.session.end)
        table.folder.cleanup()

    async def _set_up(self, exercise: Exercise | None) -> Table:
        loop, feed, folder = asyncio.get_running_loop(), Feed(), TemporaryDirectory(prefix="tablectl-")

        def ring() -> None:
            """Whoever waits for another picture looks at this one again: lamps and cards are in none."""
            feed.publish(replace(feed.picture))

        def rings() -> None:
            with suppress(RuntimeError):  # the loop has ended, and nobody looks any more
                loop.call_soon_threadsafe(ring)

        session = Session(self._make_table, Path(folder.name), self.base, exercise, rings=rings, over=self._keep)
        try:
            await asyncio.to_thread(session.begin)
        except BaseException:
            folder.cleanup()
            raise
        link = Link(session.table.socket, feed)
        shared = Shared(
            socket=session.table.socket,
            feed=feed,
            link=link,
            pages=self.pages,
            house=TraineesHouse(session.table.socket),
            stopping=lambda: self._stopping() or self._table is None or self._table.session is not session,
        )
        following = asyncio.create_task(link.run())
        with suppress(TimeoutError):
            # The first page shows the table as it is, and no empty one.
            async with asyncio.timeout(_HEARD_WITHIN_S):
                while not feed.picture.connected:
                    await feed.after(feed.picture, at_most_s=_HEARD_WITHIN_S)
        return Table(session=session, shared=shared, following=following, folder=folder)

    def _keep(self, marking: Marking) -> None:
        table, exercise = self._table, marking.exercise
        began_us = table.session.began_us if table is not None else now_us()
        self.progress.add(
            Result(
                at=time_text(now_us()),
                trainee=self.trainee or NOBODY,
                rulebook=exercise.rulebook,
                exercise=exercise.name,
                clause=exercise.clause,
                points=marking.points,
                most=marking.most,
                hints=marking.hints,
                seconds=(now_us() - began_us) // 1_000_000,
            )
        )

    def next_exercise(self, exercise: Exercise) -> str:
        """The exercise that comes next in its game; empty after the last one."""
        names = list(exercises_of(exercise.rulebook))
        place = names.index(exercise.name) + 1
        return names[place] if place < len(names) else ""
