"""The table that an API serves: where answers come from, and where commands go to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from tablectl.api.challenges import Challenges
from tablectl.api.commands import Command
from tablectl.core.engine.facts import Setup
from tablectl.journal.accesses import Accesses
from tablectl.journal.float_reader import FloatReader
from tablectl.journal.log_head import LogHead
from tablectl.journal.receipts import KeptReceipts
from tablectl.journal.rollback import Rollbacks


class Topic(StrEnum):
    """What the controller says of itself. No card and no tag is in any of it."""

    DEVICES = "devices"
    TEST = "test"
    RUNNING = "running"
    DECKS = "decks"
    TRACES = "traces"
    FLOAT = "float"
    CHOICES = "choices"
    RECEIPT = "receipt"


@dataclass(kw_only=True, eq=False)
class ApiContext:
    """One table, as whoever serves a caller sees it. Used by many threads; what changes is replaced whole."""

    journal: Path
    log_head: LogHead
    #: what a follower is told first
    greeting: Mapping[str, Any]
    setup: Setup
    #: puts a command before the one writer
    submit: Callable[[Command], None]
    now_us: Callable[[], int]
    #: what the controller says of itself; any thread may ask
    topics: Mapping[Topic, Callable[[], Mapping[str, Any]]]
    #: a deck by this name, at this reader, by this person, for this reason: each line of progress, the last one with
    #: `ok`; None now and then where nothing is to be said
    enrol: Callable[[str, str, str, str], Iterator[Mapping[str, Any] | None]]
    #: `back` or `over` for the deck that is being enrolled; False where there is none
    tell_enrolment: Callable[[str], bool]
    #: the games that the table can change to, by their rulebooks
    games: Mapping[str, Setup] = field(default_factory=dict)
    #: the house's chips, by which its trays are counted; none where it enters totals
    denominations: tuple[int, ...] = ()
    #: whether the second copy has a record, before the cards of which it tells are shown
    is_witnessed: Callable[[int], bool] = lambda _: True
    #: the public key of the pit server, where the table has one
    pit_key: Path | None = None
    #: the table's own public key, by which it believes what it signed
    own_key: bytes | None = None
    #: how long the writer may take for an answer, in seconds
    answer_s: float = 5.0
    accesses: Accesses = field(init=False)
    chip_float: FloatReader = field(init=False)
    receipts: KeptReceipts = field(init=False)
    rollbacks: Rollbacks = field(init=False)
    challenges: Challenges = field(default_factory=Challenges, init=False)

    def __post_init__(self) -> None:
        self.accesses = Accesses(self.journal)
        self.chip_float = FloatReader(self.journal)
        self.receipts = KeptReceipts(self.journal, self.pit_key)
        self.rollbacks = Rollbacks(self.journal, self.own_key)

    def play(self, greeting: Mapping[str, Any], setup: Setup) -> None:
        """The table's game or its rules are these now: a follower that was told others is hung up, and asks again."""
        self.greeting, self.setup = greeting, setup

    def do(self, command: Command) -> dict[str, Any]:
        """What became of a command, when the writer has done it."""
        self.submit(command)
        return command.wait(self.answer_s)
