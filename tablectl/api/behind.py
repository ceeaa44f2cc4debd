"""What the door opens on: where answers come from, and where what was said goes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from tablectl.api.accesses import Accesses
from tablectl.api.enrolments import Enrolments
from tablectl.api.entry import Errand
from tablectl.api.newest import Newest
from tablectl.api.trays import Trays
from tablectl.core.engine.facts import Setup
from tablectl.ops.unsealing import Unsealing
from tablectl.table.decks.register import Register, RegisterUnusable

#: What is put before the one writer.
Asked: TypeAlias = Errand | Unsealing


class NoRegister(RegisterUnusable):
    """No reader of the table reads tags, so there is nothing to register: nothing is wrong."""


def no_register() -> Register:
    """At a table that has none. Raises `NoRegister`."""
    raise NoRegister("this table has no register of decks")


class NotAsked(ValueError):
    """What was said is not in the shape of its word."""


class Behind:
    """One table, as whoever serves a connection sees it. Used by many threads; what changes is replaced whole."""

    def __init__(
        self,
        *,
        journal: Path,
        newest: Newest,
        greeting: Mapping[str, Any],
        setup: Setup,
        games: Mapping[str, Setup] = MappingProxyType({}),
        enter: Callable[[Asked], None],
        now_us: Callable[[], int],
        witnessed: Callable[[int], bool] = lambda _: True,
        report: Callable[[], Mapping[str, Any]] = dict,
        test: Callable[[], Mapping[str, Any]] = dict,
        running: Callable[[], Mapping[str, Any]] = dict,
        readers: tuple[str, ...] = (),
        register: Callable[[], Register] = no_register,
        answer_s: float = 5.0,
    ) -> None:
        self.journal = journal
        self.newest = newest
        #: what a reader is told first
        self.greeting = greeting
        self.setup = setup
        #: the games that the table can change to, by their rulebooks
        self.games = games
        #: puts something before the one writer
        self.enter = enter
        self.now_us = now_us
        #: whether another file has a record, before what it is about is shown
        self.witnessed = witnessed
        #: how everything is at this moment; any thread may ask
        self.report = report
        #: what is tried between two hands; any thread may ask
        self.test = test
        #: what this table runs with: settings, software, where traces are
        self.running = running
        #: the readers of cards, by their names
        self.readers = readers
        #: opens the register of decks, for whoever enrols one
        self.register = register
        self.enrolments = Enrolments()
        #: how long the one writer may take for an answer, in seconds
        self.answer_s = answer_s
        self.accesses = Accesses(journal)
        self.trays = Trays(journal)

    def play(self, greeting: Mapping[str, Any], setup: Setup) -> None:
        """The table's game or its rules are these now: any reader that was told others is hung up, and asks again."""
        self.greeting, self.setup = greeting, setup
