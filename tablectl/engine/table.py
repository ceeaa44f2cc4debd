"""The engine: one table, made of nothing but the facts it was given, in their order.

`apply` takes any fact in any state and never raises for what the world did: it concludes. There is no clock, no I/O
and no chance in here, so the same facts always give the same decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl.engine import betting, closing, dealing, equipment, incidents, keys, misdeals, prompts
from tablectl.engine.decisions import Decision
from tablectl.engine.facts import (
    Acknowledged,
    Bets,
    Called,
    Declared,
    DeviceBack,
    DeviceLost,
    DeviceSaid,
    Drawn,
    Fact,
    Failed,
    Named,
    Opened,
    Pressed,
    Removed,
    Ruled,
    Setup,
)
from tablectl.engine.rulebook import Rulebook
from tablectl.engine.state import State
from tablectl.records import record

_HANDLERS: Final[Mapping[type, Callable[[State, Any], None]]] = {
    Drawn: dealing.drawn,
    Pressed: keys.pressed,
    Bets: betting.bets,
    Removed: betting.removed,
    Declared: misdeals.declared,
    Ruled: misdeals.ruled,
    Acknowledged: incidents.acknowledged,
    Called: incidents.called,
    Failed: dealing.failed,
    Named: closing.named,
    DeviceLost: equipment.lost,
    DeviceBack: equipment.back,
    DeviceSaid: equipment.said,
    Opened: equipment.opened,
}


@record
class Carry:
    """What a table remembers from one hand to the next: with it, and nothing before, the next hand can be replayed."""

    setup: Setup
    hand: int
    n_incidents: int
    previous: Mapping[int, Mapping[str, int | None]]
    unseen: tuple[int, ...]
    #: the number of the incident that the lost shoe is, where it is lost
    shoe_lost: int | None


class Table:
    """One table. `rulebook_of` gives the rulebook of a setup (the registry's function)."""

    __slots__ = ("_rulebook_of", "_state")

    def __init__(self, setup: Setup, rulebook_of: Callable[[Setup], Rulebook]) -> None:
        self._rulebook_of = rulebook_of
        self._state = State(setup, rulebook_of(setup))

    def apply(self, fact: Fact) -> tuple[Decision, ...]:
        """What follows from this fact. An exception is a bug in here, never a fault of the world."""
        state = self._state
        state.out = []
        _HANDLERS[type(fact)](state, fact)
        if state.deal.waiting:
            dealing.place_waiting(state)
        if state.next_setup is not None and not state.in_play:
            self._adopt(state.next_setup)
        return tuple(state.out)

    def prompt(self) -> prompts.Prompt:
        """What the croupier is told now, and which keys are live."""
        return prompts.prompt(self._state)

    @property
    def state(self) -> State:
        """What the engine remembers: to be looked at, never to be changed from outside."""
        return self._state

    def carry(self) -> Carry:
        """Between two hands: what the next one needs."""
        state = self._state
        return Carry(
            setup=state.setup,
            hand=state.hand,
            n_incidents=state.n_incidents,
            previous={seat: dict(bets) for seat, bets in state.previous.items()},
            unseen=tuple(sorted(state.unseen)),
            shoe_lost=state.shoe_lost.number if state.shoe_lost else None,
        )

    @classmethod
    def resume(cls, carry: Carry, rulebook_of: Callable[[Setup], Rulebook]) -> Table:
        """The table as it was when `carry` was taken."""
        table = cls(carry.setup, rulebook_of)
        state = table._state
        state.hand, state.n_incidents = carry.hand, carry.n_incidents
        state.previous = {seat: dict(bets) for seat, bets in carry.previous.items()}
        state.unseen = set(carry.unseen)
        if carry.shoe_lost is not None:
            state.shoe_lost = equipment.lost_shoe(state, carry.shoe_lost)
        return table

    def seat_players(self, seats: tuple[int, ...]) -> None:
        """Who sits at the table before the first hand: with presence they are in it, as after a hand before."""
        self._state.previous = {seat: {} for seat in seats}

    def _adopt(self, setup: Setup) -> None:
        """Rules and configuration change between hands only: the next hand is under the new ones."""
        old = self._state
        self._state = State(setup, self._rulebook_of(setup))
        self._state.hand, self._state.n_incidents = old.hand, old.n_incidents
        self._state.unseen, self._state.shoe_lost = old.unseen, old.shoe_lost
        self._state.deal, self._state.out = old.deal, old.out
        self._state.asking, self._state.ruling = old.asking, old.ruling
        if setup.rulebook == old.setup.rulebook and setup.tracking is old.setup.tracking:
            self._state.previous = {seat: bets for seat, bets in old.previous.items() if seat <= setup.seats}
