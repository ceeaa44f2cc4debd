"""The phases of a catalogue as people read them: in the order of a hand, a long row by its ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tablectl.i18n.clauses.catalogue import Clause, Phase

#: So many phases in a row are told by the first and the last.
_RUN: Final = 4


def in_order(clauses: Iterable[Clause]) -> tuple[Phase, ...]:
    """The phases that a rulebook's clauses name, as a hand goes through them."""
    named = {phase for clause in clauses for phase in clause.phases}
    return tuple(member for member in Phase if member in named)


def runs(phases: Iterable[Phase], order: Iterable[Phase]) -> Iterator[tuple[Phase, ...]]:
    """The phases as they come in `order`, one by one; four and more in a row as their first and last."""
    wanted = set(phases)
    row: list[Phase] = []
    for phase in (*order, None):
        if phase is not None and phase in wanted:
            row.append(phase)
            continue
        yield from ((row[0], row[-1]),) if len(row) >= _RUN else ((single,) for single in row)
        row = []
