"""What a trainee's acts led to, held against what an exercise expects. Pure: lines of decisions in, points out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tablectl.core.engine.decisions import Decision
from tablectl.web.training.exercise import ON_THE_WAY, Exercise, Expected


@dataclass(frozen=True, kw_only=True, slots=True)
class Departure:
    """The first decision that was another one than expected: what was found, and what would have been right."""

    found: Decision
    expected: Expected


@dataclass(kw_only=True, slots=True)
class Marking:
    """Each expected decision that is found in its order is a point; each hint that was asked for costs one."""

    exercise: Exercise
    reached: int = 0
    hints: int = 0
    departure: Departure | None = None
    given_up: bool = False
    found: list[str] = field(default_factory=list)
    #: how many decisions were reached when the act itself was told as a hint
    told_at: int | None = None

    def take(self, decisions: Iterable[tuple[str, Decision]]) -> None:
        """What one act of the trainee led to, each decision as a line and as a value. After the last
        expected decision, and after the end, nothing counts."""
        for line, said in decisions:
            if self.is_over or line.partition(" ")[0] in ON_THE_WAY:
                continue
            self.found.append(line)
            waits = self.exercise.expected[self.reached]
            if line == waits.text:
                self.reached += 1
            elif self.departure is None:
                self.departure = Departure(found=said, expected=waits)

    def ask_hint(self) -> None:
        """One more hint; after the last of them the act itself is told, once for each decision that waits."""
        if self.is_over:
            return
        if self.hints < len(self.exercise.hints):
            self.hints += 1
        elif self.told_at != self.reached:
            self.hints += 1
            self.told_at = self.reached

    @property
    def next(self) -> Expected | None:
        """The decision that has to come next."""
        return None if self.is_over else self.exercise.expected[self.reached]

    @property
    def is_over(self) -> bool:
        """Everything was found, or the trainee ended it."""
        return self.given_up or self.reached == self.most

    @property
    def most(self) -> int:
        """How many points there are."""
        return len(self.exercise.expected)

    @property
    def points(self) -> int:
        """How many points it gave, hints taken off: none below zero. An act that departs costs a point too."""
        return max(0, self.reached - self.hints - (self.departure is not None))

    def by_clause(self) -> dict[str, tuple[int, int]]:
        """Found and expected decisions of each clause, in the order in which clauses come."""
        most = Counter(expected.clause for expected in self.exercise.expected)
        had = Counter(expected.clause for expected in self.exercise.expected[: self.reached])
        return {clause: (had[clause], there) for clause, there in most.items()}
