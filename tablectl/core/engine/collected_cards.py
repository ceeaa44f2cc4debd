"""Keys that cards which still lie on the felt forbid."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tablectl.core.engine import antennas
from tablectl.core.engine.key_action import KeyAction
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Refusal


def refuse_on_felt(state: State) -> KeyAction | None:
    """For "no more bets" where cards lie from before: they would be taken for nothing, and what is dealt there for all
    there is. None where none do."""
    return KeyAction(partial(_refuse_cards, state, state.felt.before), is_lit=False) if state.felt.before else None


def collected(state: State, close: Callable[[], object]) -> KeyAction:
    """The end of a void hand. Collected cards are counted back: antennas see those that are not."""
    left = antennas.still_there(state)
    return KeyAction(partial(_refuse_cards, state, left), is_lit=False) if left else KeyAction(close)


def _refuse_cards(state: State, spots: tuple[str, ...]) -> None:
    state.refuse(Refusal.CARDS_ON_FELT, detail="+".join(spots))
