"""What is proposed: limits of each game, and which key of a panel means what. The house changes what it likes.

The layouts are those of the shipped examples, `config/mesa-1.toml`, `mesa-3.toml` and `mesa-4.toml`; a test holds them
against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablectl.core.engine.vocabulary import SEAT_KEYS, Key
from tablectl.families.banked.rulebook import BankedRulebook
from tablectl.games.registry import CIRCLE_GAMES, GAMES

CHIP: Final = 100
RESTO: Final = 20_000

#: What the 24 keys of a panel mean at a table against a bank, and at one where players bet against each other.
AGAINST_A_BANK: Final = (
    *SEAT_KEYS[:9],
    *(Key.NEW_HAND, Key.NO_MORE_BETS, Key.BONUS, Key.BET, Key.FOLD, Key.CHECK, Key.ALL_BET, Key.ALL_CHECK),
    *(Key.BANK, Key.CONFIRM, Key.WRONG_COUNT, Key.SEEN, Key.NOT_SEEN, Key.INCIDENT, Key.CANCEL),
)
#: Nobody checks at Texas Poker: these keys are left without a meaning there.
_CHECKS: Final = frozenset({Key.CHECK, Key.ALL_CHECK})
FOR_POTS: Final = (
    *SEAT_KEYS,
    *(Key.NEW_HAND, Key.NO_MORE_BETS, Key.FOLD, Key.CHECK, Key.CALL, Key.BET, Key.RAISE, Key.ALL_IN, Key.ALL_CHECK),
    *(Key.SHOW, Key.SHOW_ALL, Key.CONFIRM, Key.INCIDENT, Key.CANCEL),
)
_SEVERAL: Final = (
    *SEAT_KEYS,
    *(Key.NEW_HAND, Key.NO_MORE_BETS, Key.CONFIRM, Key.CANCEL, Key.BONUS, Key.BANK, Key.BET, Key.CHECK, Key.FOLD),
    *(Key.CALL, Key.RAISE, Key.ALL_IN, Key.ALL_CHECK, Key.ALL_BET, Key.SHOW, Key.SHOW_ALL),
)
#: In a column of their own, where a panel has room: what is pressed when something went wrong.
_APART: Final = (Key.INCIDENT, Key.SEEN, Key.NOT_SEEN, Key.WRONG_COUNT, Key.FACE_UP, Key.BANK_EXPOSED)
_APART_FROM: Final = 30
#: Where a panel has no room for all: what a hand cannot do without comes first, and the screen has every key.
_FIRST: Final = (
    *(Key.CONFIRM, Key.NEW_HAND, Key.NO_MORE_BETS, Key.BET, Key.FOLD, Key.CHECK, Key.CALL, Key.RAISE, Key.INCIDENT),
    *(Key.CANCEL, Key.BANK),
)


def keys_for(games: Sequence[str], n_keys: int) -> dict[Key, int]:
    """Which key means what on a panel with so many keys, at a table of these games; the first one is key 0."""
    circle = [game for game in games if game in CIRCLE_GAMES]
    if circle and len(circle) < len(games):
        if n_keys >= _APART_FROM + len(_APART):
            apart = {key: number for number, key in enumerate(_APART, start=_APART_FROM)}
            return {key: number for number, key in enumerate(_SEVERAL)} | apart
        return _cut((*_SEVERAL, *_APART), n_keys)
    if circle:
        return _cut(FOR_POTS, n_keys)
    unused = _unused(games)
    return {key: number for key, number in _cut(AGAINST_A_BANK, n_keys).items() if key not in unused}


def _unused(games: Sequence[str]) -> frozenset[Key]:
    """The keys that no game of a table against the bank has a use for."""
    books = [book for game in games if isinstance(book := GAMES[game].as_shipped, BankedRulebook)]
    unused = frozenset() if any(book.may_check for book in books) else _CHECKS
    return unused if any(book.extra_bet is not None for book in books) else unused | {Key.BONUS}


def _cut(wanted: Sequence[Key], n_keys: int) -> dict[Key, int]:
    if len(wanted) > n_keys:
        wanted = list(dict.fromkeys((*(key for key in _FIRST if key in wanted), *wanted)))[:n_keys]
    return {key: number for number, key in enumerate(wanted)}
