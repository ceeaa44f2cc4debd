"""A table that is told more than its hand file says, where corrections name facts by the numbers of the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Table


class Numbering:
    """Which number the fact of a step has in the file, and which at this table."""

    def __init__(self) -> None:
        self._step = self._told = 0
        #: by the number in the file
        self._here: dict[int, int] = {}

    def begin_step(self) -> None:
        """The next fact is the one of the next step; others that follow are told beside it."""
        self._step += 1

    def apply(self, table: Table, fact: f.Fact) -> tuple[d.Decision, ...]:
        """What the table decides, with the numbers of the file."""
        if isinstance(fact, f.Corrected):
            fact = replace(fact, number=self._here.get(fact.number, fact.number))
        decisions = table.apply(fact)
        self._told += 1
        if d.HandOpened in map(type, decisions):
            self._step = self._told = 1
            self._here.clear()
        self._here.setdefault(self._step, self._told)
        return tuple(self._as_in_the_file(decisions))

    def _as_in_the_file(self, decisions: tuple[d.Decision, ...]) -> Iterator[d.Decision]:
        """What follows from a fact that is not in the file stands without its number."""
        numbers = {here: number for number, here in self._here.items()}
        for said in decisions:
            if not isinstance(said, d.Withdrawn | d.Again):
                yield said
            elif said.number in numbers:
                yield replace(said, number=numbers[said.number])
