"""The one wrapper around `transitions`: the phases of a hand.

States, triggers, conditions and what a phase begins with (`on_enter`) are the library's own. What it does not do, or
does by itself, and what is done about it here (all seen with 0.9.3): a false condition makes a trigger return `False`
without a word, so the reason is looked up in the rulebook's table; `auto_transitions` adds `to_X()` methods that jump
over the rules, so they are off; a misspelt name fails only when it is reached, so the table is checked whole when the
machine is built; queued machines answer `True` to everything, so none is queued; it logs each of its steps and goes
through nine lists of callbacks that are empty here, which is a quarter of what a whole hand costs, so transitions and
events are subclasses without that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from functools import lru_cache, partial
from typing import Protocol

from transitions import Event, EventData, Machine
from transitions import State as LibraryState
from transitions import Transition as LibraryTransition

from tablectl.core.engine.rulebook import Guard, Phase, Transition
from tablectl.core.engine.vocabulary import Refusal


class BrokenTable(Exception):
    """A transition table that cannot be right: a bug in a rulebook, found when the machine is built."""


class Follows(Protocol):
    """Who is told that a phase begins: the engine's state."""

    def phase_entered(self, trigger: str) -> None:
        """The phase in force is another one, by this trigger."""


def _entered(event: EventData) -> None:
    """The library's callback on entering a state: the phase in force is this one, then what it begins with."""
    machine, (state,) = event.model, event.args
    assert isinstance(machine, PhaseMachine)
    machine.phase = machine.phases[machine.state]
    state.phase_entered(event.event.name)


def _holds(guard: Guard, event: EventData) -> bool:
    (state,) = event.args
    return guard.holds(state)


class _Transition(LibraryTransition):
    """One whose only callbacks are its conditions, and what its destination has in `on_enter`."""

    def execute(self, event_data: EventData) -> bool:
        """Whether the conditions hold; then the model is in the state that this leads to."""
        for condition in self.conditions:
            if not condition.check(event_data):
                return False
        model, machine, dest = event_data.model, event_data.machine, self.dest
        assert isinstance(model, PhaseMachine)
        assert dest is not None, "each transition of a table leads to a phase"
        model.state = dest
        machine.callbacks(machine.states[dest].on_enter, event_data)
        return True


class _Event(Event):
    """One that is told to a model whose state it leads on from, and that nobody is told the end of."""

    def trigger(self, model: object, *args: object, **kwargs: object) -> bool:
        """Whether one of its transitions went through, tried in their order."""
        assert isinstance(model, PhaseMachine)
        machine = self.machine
        told = EventData(machine.states[model.state], self, machine, model, args, kwargs)
        return any(transition.execute(told) for transition in self.transitions[model.state])


class _Machine(Machine):
    """The library's, made of these."""

    transition_cls = _Transition
    event_cls = _Event


@lru_cache(maxsize=16)
def _built(phases: tuple[str, ...], rows: tuple[Transition, ...], initial: str) -> Machine:
    """The library's machine for a table, without a model: each hand is one. To build it takes as long as a hand does,
    and every hand that is replayed has one."""
    _check(phases, rows, initial)
    return _Machine(
        model=None,
        states=[LibraryState(name, on_enter=[_entered]) for name in phases],
        transitions=[
            {
                "trigger": row.trigger,
                "source": row.source,
                "dest": row.dest,
                "conditions": [] if row.guard is None else [partial(_holds, row.guard)],
            }
            for row in rows
        ],
        initial=initial,
        auto_transitions=False,
        queued=False,
        send_event=True,
    )


class PhaseMachine:
    """The phase a hand is in, and the only way to another one. The model of the library's machine."""

    __slots__ = ("_machine", "_rows", "phase", "phases", "state")

    def __init__(self, phases: Mapping[str, Phase], table: Iterable[Transition], initial: str) -> None:
        self._rows = tuple(table)
        self._machine = _built(tuple(phases), self._rows, initial)
        self.phases = phases
        #: the name of the phase, as the library keeps it
        self.state = initial
        self.phase = phases[initial]

    def __deepcopy__(self, memo: object) -> PhaseMachine:
        """One that goes its own way from here; the table of phases is the same for all."""
        return copy(self)

    def refusal(self, trigger: str, state: Follows) -> tuple[Refusal, str | None] | None:
        """Why `trigger` would not go through now, or None: the words and the clause."""
        refused: Guard | None = None
        for row in self._rows:
            if row.trigger == trigger and row.source == self.state:
                if row.guard is None or row.guard.holds(state):
                    return None
                refused = row.guard
        return (Refusal.NOT_LIVE, None) if refused is None else (refused.refusal, refused.clause)

    def fire(self, trigger: str, state: Follows) -> tuple[Refusal, str | None] | None:
        """Go where the table says. Returns None when done, otherwise why not (and nothing has changed)."""
        event = self._machine.events.get(trigger)
        if event is None or self.state not in event.transitions or not event.trigger(self, state):
            return self.refusal(trigger, state)
        return None


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
