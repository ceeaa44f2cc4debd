"""Hands a second of the circle game through the engine: facts of whole hands, made once, then replayed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from simulators.stage.bench.replay import applied
from tablectl.core.cards import DECK
from tablectl.core.engine import facts as f
from tablectl.core.engine.prompt import Instruction, Legal
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Action, Key, SeatChange, Tracking
from tablectl.games.registry import GAMES

SETUP = f.Setup(
    table="bench",
    rulebook=next(name for name, game in GAMES.items() if game.is_circle),
    seats=10,
    tracking=Tracking.AMOUNTS,
    limits={"bet": f.Limits(least=200, most=100_000)},
)
STACK: Final = 20_000
#: How often who could raise does; how often who would have to call folds.
RAISES: Final = 0.1
FOLDS: Final = 0.4
_KEYS: Final = {
    Instruction.NEW_HAND: Key.NEW_HAND,
    Instruction.POST_BLINDS: Key.NO_MORE_BETS,
    Instruction.SHOW_HAND: Key.SHOW_ALL,
    Instruction.DELIVER: Key.CONFIRM,
}


def hands(count: int, *, seats: int, seed: int) -> list[f.Fact]:
    """The facts of so many hands with this many players; before each, everybody has the same chips again."""
    dice = random.Random(seed)
    return applied(SETUP, lambda table: _played(table, count, seats, dice))


def _played(table: Table, count: int, seats: int, dice: random.Random) -> Iterator[f.Fact]:
    deck = list(DECK)
    for seat in range(1, seats + 1):
        yield f.Moved(at_us=0, seat=seat, what=SeatChange.TAKES)
    yield f.ButtonPlaced(at_us=0, seat=seats)
    while table.state.hand < count or table.state.in_play:
        prompt = table.prompt()
        match prompt.instruction:
            case Instruction.NEW_HAND:
                dice.shuffle(deck)
                for seat in range(1, seats + 1):
                    yield f.Stacked(at_us=0, seat=seat, amount=STACK)
                yield f.Pressed(at_us=0, key=Key.NEW_HAND)
            case Instruction.DEAL:
                yield f.Drawn(at_us=0, card=deck[len(table.state.deal.draws)])
            case Instruction.SPEAK:
                assert prompt.legal is not None, "it is somebody's turn"
                yield _spoken(prompt.legal, dice)
            case instruction:
                yield f.Pressed(at_us=0, key=_KEYS[instruction])


def _spoken(legal: Legal, dice: random.Random) -> f.Fact:
    if legal.may_raise and legal.raise_from is not None and dice.random() < RAISES:
        action = Action.BET if legal.is_bet else Action.RAISE
        return f.Acted(at_us=0, action=action, to=legal.raise_from)
    if legal.may_check:
        return f.Pressed(at_us=0, key=Key.CHECK)
    return f.Pressed(at_us=0, key=Key.FOLD if dice.random() < FOLDS else Key.CALL)
