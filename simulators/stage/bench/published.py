"""Hands that were really played, as PokerKit's own tests make or read them (2023 World Series of Poker, papers).

Nothing of them is copied here: they come out of the installed package, a development dependency.
"""

from __future__ import annotations

import io
import tomllib
import unittest
import warnings
from functools import cache
from typing import Final
from unittest.mock import patch

from pokerkit import Automation, HandHistory
from pokerkit.games import Poker
from pokerkit.state import State
from pokerkit.tests import test_papers
from pokerkit.tests.test_wsop import test_2023_43_5, test_2023_54_4

_SOURCES: Final = (test_2023_43_5, test_2023_54_4, test_papers)
_HOLDEM: Final = frozenset({"FT", "NT"})


@cache
def published() -> tuple[str, ...]:
    """The text of every hand of hold'em, in the PHH format."""
    texts: list[str] = []
    made, read = HandHistory.from_game_state, HandHistory.loads

    def keep_made(game: Poker, state: State) -> HandHistory:
        history = made(game, state)
        texts.append(history.dumps())
        return history

    def keep_read(text: str, automations: tuple[Automation, ...] | None = None) -> HandHistory:
        texts.append(text)
        return read(text) if automations is None else read(text, automations=automations)

    with (
        patch.object(HandHistory, "from_game_state", keep_made),
        patch.object(HandHistory, "loads", keep_read),
        warnings.catch_warnings(),
    ):
        for source in _SOURCES:
            tests = unittest.defaultTestLoader.loadTestsFromModule(source)
            result = unittest.TextTestRunner(stream=io.StringIO()).run(tests)
            if not result.wasSuccessful():
                raise RuntimeError(f"{source.__name__} fails: {result.errors or result.failures}")
    return tuple(text for text in dict.fromkeys(texts) if tomllib.loads(text)["variant"] in _HOLDEM)
