"""Walks at random through hands of every game, on past void hands and settlements: after each fact no money, incident
or card is there twice or gone, and every hand can be ended."""

from __future__ import annotations

import pytest

from tablectl.core.engine.table import Table
from tablectl.games.registry import rulebook_of
from tests.engine.random_walk import GAMES, Walk
from tests.engine.tables import fingerprint

#: The same walks in every run, for each game so many; another one for each number.
FEW, MANY = 1, 40
STEPS = 90


@pytest.mark.parametrize("rulebook", GAMES)
@pytest.mark.parametrize(
    "seed", [*range(FEW), *(pytest.param(seed, marks=pytest.mark.wide) for seed in range(FEW, MANY))]
)
def test_a_walk_at_random_pays_nothing_twice_and_every_hand_can_be_ended(rulebook: str, seed: int) -> None:
    walk = Walk(seed, rulebook)
    walk.go(STEPS)
    again = Table.resume(walk.checked.begins, rulebook_of)
    assert [again.apply(fact) for fact in walk.checked.facts] == walk.checked.decisions, "a replay comes to the same"
    assert fingerprint(again.state) == fingerprint(walk.table.state)
