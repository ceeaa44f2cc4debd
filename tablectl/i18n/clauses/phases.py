"""The phases of a catalogue as people read them: in the order of a hand, a long row by its ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tablectl.i18n.clauses.catalogue import Clause, Phase

#: So many phases in a row are told by the first and the last.
_RUN: Final = 4


def in_order(clauses: Iterable[Clause], own: Iterable[str] = ()) -> tuple[str, ...]:
    """The phases that a rulebook's clauses name, as a hand goes through them. `own`: all phases of the rulebook, in
    their order: one that no game of ours has follows the one before it there."""
    order: list[str] = list(Phase)
    place = -1
    for phase in own:
        if phase not in order:
            order.insert(place + 1, phase)
        place = order.index(phase)
    named = {phase for clause in clauses for phase in clause.phases}
    return tuple(phase for phase in order if phase in named)


def runs(phases: Iterable[str], order: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The phases as they come in `order`, one by one; four and more in a row as their first and last."""
    wanted = set(phases)
    row: list[str] = []
    for phase in (*order, None):
        if phase is not None and phase in wanted:
            row.append(phase)
            continue
        yield from ((row[0], row[-1]),) if len(row) >= _RUN else ((single,) for single in row)
        row = []
