"""Hands a second through engine and settlement: facts of whole hands, made once, then replayed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Final

from simulators.stage.games import FIRST
from tablectl.core.cards import DECK
from tablectl.core.engine import facts as f
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key, Tracking
from tablectl.games.registry import rulebook_of

SETUP = f.Setup(
    table="bench",
    rulebook=FIRST,
    seats=9,
    tracking=Tracking.AMOUNTS,
    limits={"ante": f.Limits(least=100, most=3000), "bonus": f.Limits(least=100, most=3000)},
)
WILL_BET: Final = 0.7
_KEYS: Final = {
    Instruction.NEW_HAND: Key.NEW_HAND,
    Instruction.REVEAL_BANK: Key.BANK,
    Instruction.SETTLE: Key.CONFIRM,
    Instruction.COLLECT: Key.CONFIRM,
}


def hands(count: int, *, seats: int, seed: int) -> list[f.Fact]:
    """The facts of so many hands with this many players; each decides for himself, half have a bonus bet."""
    dice = random.Random(seed)
    return applied(SETUP, lambda table: _played(table, count, seats, dice))


def applied(setup: f.Setup, played: Callable[[Table], Iterator[f.Fact]]) -> list[f.Fact]:
    """What somebody does who looks at the table before each fact, as a list that can be replayed."""
    table = Table(setup, rulebook_of)
    made: list[f.Fact] = []
    for fact in played(table):
        table.apply(fact)
        made.append(fact)
    return made


def _played(table: Table, count: int, seats: int, dice: random.Random) -> Iterator[f.Fact]:
    deck = list(DECK)
    while table.state.hand < count or table.state.in_play:
        prompt = table.prompt()
        match prompt.instruction:
            case Instruction.TAKE_BETS:
                for seat in range(1, seats + 1):
                    bonus = {"bonus": 200} if dice.random() < 0.5 else {}
                    yield f.Bets(at_us=0, seat=seat, amounts={"ante": 500, **bonus})
                dice.shuffle(deck)
                yield f.Pressed(at_us=0, key=Key.NO_MORE_BETS)
            case Instruction.DEAL:
                yield f.Drawn(at_us=0, card=deck[len(table.state.deal.draws)])
            case Instruction.ASK_SEAT:
                yield from _decided(table, dice, Key.CHECK if Key.CHECK in prompt.keys else Key.FOLD)
            case instruction:
                yield f.Pressed(at_us=0, key=_KEYS[instruction])


def _decided(table: Table, dice: random.Random, declined: Key) -> Iterator[f.Fact]:
    """One press a player, and one for all that are left once they do the same: as a croupier who wants to go home."""
    bets = [dice.random() < WILL_BET for _ in table.state.staying]
    while bets:
        if len(bets) > 1 and all(bets):
            yield f.Pressed(at_us=0, key=Key.ALL_BET)
            return
        if len(bets) > 1 and not any(bets) and declined is Key.CHECK:
            yield f.Pressed(at_us=0, key=Key.ALL_CHECK)
            return
        yield f.Pressed(at_us=0, key=Key.BET if bets.pop(0) else declined)


def hands_a_second(facts: list[f.Fact], count: int, setup: f.Setup = SETUP) -> float:
    """Replay them once on a fresh table."""
    table = Table(setup, rulebook_of)
    apply = table.apply
    began = time.perf_counter()
    for fact in facts:
        apply(fact)
    return count / (time.perf_counter() - began)
