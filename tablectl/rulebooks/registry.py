"""The games, one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.engine.facts import Setup
from tablectl.engine.rulebook import Rulebook
from tablectl.rulebooks import circle_holdem, draw_poker, open_holdem, texas_bonus, texas_poker

RULEBOOKS: Final[Mapping[str, Callable[[Mapping[str, str]], Rulebook]]] = {
    texas_bonus.ID: texas_bonus.rulebook,
    texas_poker.ID: texas_poker.rulebook,
    circle_holdem.ID: circle_holdem.rulebook,
    open_holdem.ID: open_holdem.rulebook,
    draw_poker.ID: draw_poker.rulebook,
}


def rulebook_of(setup: Setup) -> Rulebook:
    """The rulebook of a setup, under its profile. Raises `KeyError` for an id that is not in the registry."""
    return RULEBOOKS[setup.rulebook](setup.profile)
