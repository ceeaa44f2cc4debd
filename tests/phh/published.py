"""Hands that were really played, as PokerKit's own tests make or read them (2023 World Series of Poker, papers)."""

from __future__ import annotations

import io
import tomllib
import unittest
import warnings
from functools import cache
from typing import Final

import pytest
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

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.setattr(HandHistory, "from_game_state", keep_made)
        patch.setattr(HandHistory, "loads", keep_read)
        for source in _SOURCES:
            tests = unittest.defaultTestLoader.loadTestsFromModule(source)
            result = unittest.TextTestRunner(stream=io.StringIO()).run(tests)
            assert result.wasSuccessful()
    return tuple(text for text in dict.fromkeys(texts) if tomllib.loads(text)["variant"] in _HOLDEM)
