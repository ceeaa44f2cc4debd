"""What a table remembers, as the state of its family: for tests that look at more than its decisions."""

from __future__ import annotations

from collections.abc import Mapping

from tablectl.core.engine.state import State
from tablectl.core.engine.table import Table
from tablectl.families.banked.state import BankedState
from tablectl.families.draw.state import DrawState
from tablectl.families.holdem.state import HoldemState
from tablectl.families.pots.state import PotGameState


def banked(table: Table) -> BankedState:
    assert isinstance(table.state, BankedState)
    return table.state


def pots(table: Table) -> PotGameState:
    assert isinstance(table.state, PotGameState)
    return table.state


def holdem(table: Table) -> HoldemState:
    assert isinstance(table.state, HoldemState)
    return table.state


def draws(table: Table) -> DrawState:
    assert isinstance(table.state, DrawState)
    return table.state


def kept(state: State) -> Mapping[int, Mapping[str, int | None]]:
    return state.family.kept(state)
