"""A training table for tests: an exercise set up over the wires, and whoever acts as its file says."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from simulators.stage.stage import temporary_folder
from simulators.stage.training.practice import PracticeTable
from simulators.stage.wire import WirePlayer
from tablectl.api.stage import FreeTable
from tablectl.core.engine import facts as f
from tablectl.web.training.exercise import Exercise
from tablectl.web.training.marking import Marking
from tablectl.web.training.session import Session

#: How long a record may take on a busy machine, in seconds.
PATIENCE_S = 20.0


@dataclass
class Seen:
    """What a session tells: that something changed, and that an exercise is over."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    over: list[Marking] = field(default_factory=list)

    def ring(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def ended(self, marking: Marking) -> None:
        self.over.append(marking)


class Pupil:
    """A session with an exercise on it, and hands that do what a file says."""

    def __init__(self, session: Session, seen: Seen, player: WirePlayer) -> None:
        self.session, self.seen, self._player = session, seen, player

    @property
    def marking(self) -> Marking:
        assert self.session.marking is not None
        return self.session.marking

    def do(self, *facts: f.Fact) -> None:
        for fact in facts:
            self._player.do(fact)

    def wait(self, *, found: int) -> Marking:
        """Until so many decisions were held against the exercise."""
        with self.seen.changed:
            self.seen.changed.wait_for(lambda: len(self.marking.found) >= found, PATIENCE_S)
        return self.marking


@contextmanager
def at_exercise(exercise: Exercise) -> Iterator[Pupil]:
    """The table as the exercise brings it about."""
    seen = Seen()
    with temporary_folder() as folder:
        table = FreeTable(rulebook=exercise.rulebook)
        session = Session(PracticeTable, Path(folder), table, exercise, rings=seen.ring, over=seen.ended)
        session.begin()
        try:
            assert isinstance(session.table, PracticeTable)
            with WirePlayer(session.table.stage, exercise.hand) as player:
                yield Pupil(session, seen, player)
        finally:
            session.end()
