"""What of a page depends on the game: the boxes of a player's zone, the keys there are, whether people bet standing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from tablectl.core.engine.card_places import CardPlaces
from tablectl.core.engine.vocabulary import Key
from tablectl.core.options.choices import profile_of
from tablectl.families.banked.rulebook import BankedRulebook
from tablectl.families.draw.rulebook import DrawRulebook
from tablectl.families.pots.rulebook import PotRulebook
from tablectl.games.registry import GAMES

#: The panel: which keys stand together, row by row. Seats first, then the hand, then what only a person can see. Keys
#: that declare what may annul a hand (`SHORT_CUTS`) are none of them: what they declare stands in the list, as many
#: touches away.
_KEY_ROWS: Final[tuple[tuple[Key, ...], ...]] = (
    (Key.NEW_HAND, Key.NO_MORE_BETS, Key.BONUS, Key.BANK, Key.CONFIRM),
    (Key.BET, Key.FOLD, Key.CHECK, Key.ALL_BET, Key.ALL_CHECK),
    (Key.INCIDENT, Key.WRONG_COUNT, Key.SEEN, Key.NOT_SEEN, Key.CANCEL),
)
#: Of a circle game: what a player does, then what the croupier does, then what only a person can see.
_CIRCLE_KEY_ROWS: Final[tuple[tuple[Key, ...], ...]] = (
    (Key.FOLD, Key.CHECK, Key.CALL, Key.BET, Key.RAISE, Key.ALL_IN),
    (Key.NEW_HAND, Key.NO_MORE_BETS, Key.ALL_CHECK, Key.SHOW, Key.SHOW_ALL, Key.CONFIRM),
    (Key.INCIDENT, Key.WRONG_COUNT, Key.SEEN, Key.NOT_SEEN, Key.CANCEL),
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
    #: where the cards of a hand lie
    places: CardPlaces
    is_draw: bool = False


def asked_multiple(rulebook: str, profile: Mapping[str, str], phase: str) -> tuple[str, int] | None:
    """Which bet the one that a player is asked for in this phase follows from, and how many times it is; None where no
    such bet is asked for. `profile`: the choices of the house."""
    return _asked_multiples(rulebook, tuple(profile.items())).get(phase)


@cache
def _asked_multiples(rulebook: str, profile: tuple[tuple[str, str], ...]) -> Mapping[str, tuple[str, int]]:
    game, chosen = GAMES.get(rulebook), dict(profile)
    if game is None or isinstance(profile_of(game.options, chosen, rulebook), list):
        return {}  # the choices are those of another game of the table
    book = game.rulebook(chosen)
    if not isinstance(book, BankedRulebook):
        return {}
    asked = ((phase.name, book.bets[phase.choice.bet]) for phase in book.phases.values() if phase.choice is not None)
    return {phase: bet.multiple_of for phase, bet in asked if bet.multiple_of is not None}


@cache
def game_of(rulebook: str) -> Game:
    """The game of a table; the first one there is while nobody has said which it is."""
    game = GAMES.get(rulebook) or next(iter(GAMES.values()))
    name, book = game.id, game.as_shipped
    if isinstance(book, PotRulebook):
        return Game(
            rulebook=name,
            boxes={},
            key_rows=_CIRCLE_KEY_ROWS,
            has_standing=False,
            sentence="",
            is_circle=True,
            is_draw=isinstance(book, DrawRulebook),
            places=book.places,
        )
    assert isinstance(book, BankedRulebook), "players bet against each other or against the bank"
    unused = frozenset() if book.may_check else _CHECKS
    if book.extra_bet is None:
        unused |= {Key.BONUS}
    return Game(
        rulebook=name,
        boxes=game.boxes,
        key_rows=tuple(tuple(key for key in row if key not in unused) for row in _KEY_ROWS),
        has_standing=book.standing is not None,
        sentence=game.sentence,
        is_circle=False,
        places=book.places,
    )
