"""What of a page depends on the game: the boxes of a player's zone, the keys there are, whether people bet standing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from tablectl.core.engine.words import Key
from tablectl.games.registry import GAMES

#: The panel: which keys stand together, row by row. Seats first, then the hand, then what only a person can see.
_KEY_ROWS: Final[tuple[tuple[Key, ...], ...]] = (
    (Key.NEW_HAND, Key.NO_MORE_BETS, Key.BONUS, Key.BANK, Key.CONFIRM),
    (Key.BET, Key.FOLD, Key.CHECK, Key.ALL_BET, Key.ALL_CHECK),
    (Key.INCIDENT, Key.FACE_UP, Key.BANK_EXPOSED, Key.WRONG_COUNT, Key.SEEN, Key.NOT_SEEN, Key.CANCEL),
)
#: Of a circle game: what a player does, then what the croupier does, then what only a person can see.
_CIRCLE_KEY_ROWS: Final[tuple[tuple[Key, ...], ...]] = (
    (Key.FOLD, Key.CHECK, Key.CALL, Key.BET, Key.RAISE, Key.ALL_IN),
    (Key.NEW_HAND, Key.NO_MORE_BETS, Key.ALL_CHECK, Key.SHOW, Key.SHOW_ALL, Key.CONFIRM),
    (Key.INCIDENT, Key.FACE_UP, Key.WRONG_COUNT, Key.SEEN, Key.NOT_SEEN, Key.CANCEL),
)
_CHECKS: Final = frozenset({Key.CHECK, Key.ALL_CHECK})


@dataclass(frozen=True, kw_only=True, slots=True)
class Game:
    """One game, as far as a page shows it. `boxes`: the middle of each on the picture of a seat; `sentence`: the key of
    what must be read on the layout, empty where nothing must."""

    rulebook: str
    boxes: Mapping[str, tuple[int, int]]
    key_rows: tuple[tuple[Key, ...], ...]
    has_standing: bool
    sentence: str
    #: players bet against each other, and not against the bank; and they change cards
    is_circle: bool
    is_draw: bool = False
    #: how many cards a player is dealt
    hole: int = 2


@cache
def game_of(rulebook: str) -> Game:
    """The game of a table; the first one there is while nobody has said which it is."""
    game = GAMES.get(rulebook) or next(iter(GAMES.values()))
    name, book = game.id, game.as_shipped
    if book.circle is not None:
        return Game(
            rulebook=name,
            boxes={},
            key_rows=_CIRCLE_KEY_ROWS,
            has_standing=False,
            sentence="",
            is_circle=True,
            is_draw=book.circle.draw_house is not None,
            hole=book.circle.hole,
        )
    unused = frozenset() if book.may_check else _CHECKS
    return Game(
        rulebook=name,
        boxes=game.boxes,
        key_rows=tuple(tuple(key for key in row if key not in unused) for row in _KEY_ROWS),
        has_standing=book.standing is not None,
        sentence=game.sentence,
        is_circle=False,
    )
