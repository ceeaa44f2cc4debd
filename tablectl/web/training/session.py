"""One table to practise at, the exercise on it and its marking, and what the pages follow.

An exercise and the free table each have a session of their own; the one before has ended when the next begins.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tablectl.api.client import NoController, Subscription
from tablectl.api.stage import FreeTable, MakePracticeTable
from tablectl.core.engine.facts import Fact
from tablectl.core.events.stream import PublicRecord, known_decisions
from tablectl.journal.clock import now_us
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.web.training.exercise import Exercise
from tablectl.web.training.marking import Marking

#: The name of the table: in its journal, on every page.
TABLE: Final = "TRAINING"
_LOOK_S: Final = 0.25
_JOIN_S: Final = 5.0


class Session:
    """From `begin` to `end`. `rings()` is called from any thread whenever something to be seen has changed; `is_over`
    of the marking is told once, to `over`."""

    def __init__(
        self,
        make: MakePracticeTable,
        folder: Path,
        base: FreeTable,
        exercise: Exercise | None,
        *,
        rings: Callable[[], None],
        over: Callable[[Marking], None],
    ) -> None:
        self.exercise = exercise
        self.table = make(folder, base, None if exercise is None else exercise.prepared, TABLE, rings)
        self.marking = None if exercise is None else Marking(exercise=exercise)
        self.rings, self._tell_over = rings, over
        self.began_us = now_us()
        self._ending = threading.Event()
        self._listener = threading.Thread(target=self._listen, name="training-listener")

    def begin(self) -> None:
        """Switch everything on, and play what stands before the trainee's part. Raises `StageBroken`,
        `NoController`."""
        self.table.begin()
        self._after = self.table.newest
        self.began_us = now_us()
        self._listener.start()

    def end(self) -> None:
        """Switch everything off; may be repeated."""
        if self._ending.is_set():
            return
        self._ending.set()
        if self._listener.ident is not None:
            self._listener.join(_JOIN_S)
            self.table.end()

    def finish(self) -> None:
        """The trainee ends the exercise where it is."""
        if self.marking is not None and not self.marking.is_over:
            self.marking.given_up = True
            self._tell_over(self.marking)

    def hint(self) -> None:
        """The trainee asks for one more hint."""
        if self.marking is not None:
            self.marking.ask_hint()
            self.rings()

    # -- what the controller concludes -------------------------------------------------------------------------------

    def _listen(self) -> None:
        """Every record from now on is held against the exercise."""
        after, draws = self._after, self.table.drawn
        while not self._ending.is_set():
            try:
                with Subscription(self.table.socket, after=after) as reader:
                    while not self._ending.is_set():
                        record = reader.record(_LOOK_S)
                        if record is None:
                            continue
                        after, draws = record.seq, record.draw or draws
                        self._take(record, draws)
            except NoController:
                self._ending.wait(_LOOK_S)

    def _take(self, record: PublicRecord, draws: int) -> None:
        decisions = known_decisions(record)
        marking, event = self.marking, record.event
        if marking is not None and isinstance(event, Fact):
            was_over = marking.is_over
            for decision in decisions:
                lines = decision_lines(event, (decision,), last_draw=draws)
                marking.take((line, decision) for line in lines)
            if marking.is_over != was_over:
                self._tell_over(marking)
        self.rings()
