"""The one wrapper around `transitions`: the phases of a hand.

What the library does by itself and what is done about it here (all seen with 0.9.3): a false guard makes a trigger
return `False` without a word, so guards are run by this wrapper, each with its reason; `auto_transitions` adds
`to_X()` methods that jump over the rules, so they are off; a misspelt name fails only when it is reached, so the
table is checked whole when the machine is built; queued machines answer `True` to everything, so none is queued.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias

from transitions import Event, Machine

from tablectl.core.engine.rulebook import Guard, Phase, Situation, Transition
from tablectl.core.engine.words import Refusal


class BrokenTable(Exception):
    """A transition table that cannot be right: a bug in a rulebook, found when the machine is built."""


class _Model:
    """What `transitions` decorates; nothing outside this module sees it."""

    state: str


class _Straight(Event):
    """A trigger of one row without callbacks: our tables have none, and the library's machinery for them takes most of
    the time that a hand takes. Whether the row may be taken is still the library's table's to say."""

    def trigger(self, model: object, *args: object, **kwargs: object) -> bool:
        """Change the model's state. Raises `KeyError` where the table has no such row."""
        assert isinstance(model, _Model)
        (row,) = self.transitions[model.state]
        model.state = str(row.dest)
        return True


class _Phases(Machine):
    event_cls = _Straight


_Ways: TypeAlias = Mapping[tuple[str, str], tuple[tuple[Guard | None, Event], ...]]


@lru_cache(maxsize=16)
def _built(phases: tuple[str, ...], rows: tuple[Transition, ...], initial: str) -> _Ways:
    """The events of the library's machine for a table, without a model: the state of a hand stands in its own. To build
    it takes as long as a hand does, and every hand that is replayed has one."""
    _check(phases, rows, initial)
    machine = _Phases(
        model=None,
        states=list(phases),
        initial=initial,
        auto_transitions=False,
        queued=False,
        transitions=[{"trigger": f"{row.trigger}>{row.dest}", "source": row.source, "dest": row.dest} for row in rows],
    )
    ways: dict[tuple[str, str], tuple[tuple[Guard | None, Event], ...]] = {}
    for row in rows:
        key = (row.source, row.trigger)
        ways[key] = (*ways.get(key, ()), (row.guard, machine.events[f"{row.trigger}>{row.dest}"]))
    return ways


class PhaseMachine:
    """The phase a hand is in, and the only way to another one."""

    def __init__(self, phases: Mapping[str, Phase], table: Iterable[Transition], initial: str) -> None:
        self._phases = phases
        self._rows = _built(tuple(phases), tuple(table), initial)
        self._model = _Model()
        self._model.state = initial
        self.phase = phases[initial]

    def refusal(self, trigger: str, state: Situation) -> tuple[Refusal, str | None] | None:
        """Why `trigger` would not go through now, or None: the words and the clause."""
        found = self._way(trigger, state)
        return found if isinstance(found, tuple) else None

    def fire(self, trigger: str, state: Situation) -> tuple[Refusal, str | None] | None:
        """Go where the table says. Returns None when done, otherwise why not (and nothing has changed)."""
        way = self._way(trigger, state)
        if isinstance(way, tuple):
            return way
        way.trigger(self._model)
        self.phase = self._phases[self._model.state]
        return None

    def _way(self, trigger: str, state: Situation) -> Event | tuple[Refusal, str | None]:
        ways = self._rows.get((self._model.state, trigger))
        if ways is None:
            return (Refusal.NOT_LIVE, None)
        refused: Guard | None = None
        for guard, event in ways:
            if guard is None or guard.holds(state):
                return event
            refused = guard
        assert refused is not None, "a way without a guard is always open"
        return (refused.refusal, refused.clause)


def _check(phases: Collection[str], rows: Iterable[Transition], initial: str) -> None:
    if initial not in phases:
        raise BrokenTable(f"initial phase {initial!r} is none of {sorted(phases)}")
    reached = {initial}
    for row in rows:
        for name in (row.source, row.dest):
            if name not in phases:
                raise BrokenTable(f"{row.trigger!r}: phase {name!r} is none of {sorted(phases)}")
        reached.add(row.dest)
    if reached != set(phases):
        raise BrokenTable(f"no transition leads to {sorted(set(phases) - reached)}")
