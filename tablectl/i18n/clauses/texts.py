"""What a clause says, wherever it is cited.

A game's records also cite clauses of another document: the errors of `open-holdem` and the bets of `draw-poker` are
those of document 001. An id names its document, so it is looked for in all catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tablectl.games.registry import GAMES
from tablectl.i18n.clauses.catalogue import load


def text_of(clause: str, rulebook: str) -> Mapping[str, str] | None:
    """A clause's sentence by language (`es`, `en`): that of the game's own catalogue, else that of another; None where
    none has the clause."""
    own = [rulebook] if rulebook in GAMES else []
    for each in (*own, *GAMES):
        if (found := _texts(each).get(clause)) is not None:
            return found
    return None


@cache
def _texts(rulebook: str) -> Mapping[str, Mapping[str, str]]:
    return {each.id: {"es": each.es, "en": each.en} for each in load(rulebook)}
