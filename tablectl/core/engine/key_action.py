"""What a key means now: what it does, and whether it is lit. Each family makes one table of these, so lamp, screen and
rule cannot differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from tablectl.core.engine import antennas
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Key, Refusal


class KeyAction(Struct, frozen=True):
    """What pressing a key does. One that is not lit is in a table where its action is judged, so that it is refused
    with the clause that forbids it; a key without an action here has no meaning now."""

    does: Callable[[], object]
    is_lit: bool = True


KeyTable: TypeAlias = Mapping[Key, KeyAction]


def refuse_on_felt(state: State) -> KeyAction | None:
    """For "no more bets" where cards lie from before: they would be taken for nothing, and what is dealt there for all
    there is. None where none do."""
    return KeyAction(partial(_refuse_cards, state, state.on_felt), is_lit=False) if state.on_felt else None


def collected(state: State, close: Callable[[], object]) -> KeyAction:
    """The end of a void hand. Collected cards are counted back: antennas see those that are not."""
    left = antennas.still_there(state)
    return KeyAction(partial(_refuse_cards, state, left), is_lit=False) if left else KeyAction(close)


def _refuse_cards(state: State, spots: tuple[str, ...]) -> None:
    state.refuse(Refusal.CARDS_ON_FELT, detail="+".join(spots))
