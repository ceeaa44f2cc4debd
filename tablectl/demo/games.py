"""What the demo needs to know of each game beside its rulebook: the limits of its table, and what goes wrong in it.

Everything else the demo's people see as people do: in the prompts, and in the rulebook's own data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tablectl.core.engine.words import SEAT_KEYS, Key
from tablectl.demo.mistakes import Slip


@dataclass(frozen=True, kw_only=True, slots=True)
class Band:
    """Limits of a bet and the band that was authorised for it."""

    least: int
    most: int
    authorised: tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Game:
    """One game at the demo's table."""

    limits: Mapping[str, Band]
    slips: tuple[Slip, ...]
    #: the 24 keys of its panel: the list of incidents has what there is no room for, and the screen every key
    panel: tuple[Key, ...]
    #: how many seats its table has, and whether each of them is taken
    seats: int = 7
    is_full: bool = False
    #: what everybody begins with, where that is agreed before the first hand; 0 where it is not
    resto: int = 0


#: Only a shoe that says its cards can say that it could not read one, or forget to say one.
_OF_A_SHOE: Final = frozenset({Slip.UNREAD, Slip.UNREPORTED})
_IN_EVERY_GAME: Final = (
    Slip.FACE_UP,
    Slip.BANK_EXPOSED,
    Slip.EARLY_UNSEEN,
    Slip.EARLY_SEEN,
    Slip.COUNT_AT_ONCE,
    Slip.COUNT_LATE,
    Slip.COUNT_BANK,
    Slip.DEAD_KEY,
    Slip.UNREAD,
    Slip.UNREPORTED,
    Slip.CALL,
    Slip.WRONG_ORDER,
    Slip.TURNED,
    Slip.TURNED_BANK,
    Slip.SHOWED_CARDS,
    Slip.COMMENTED,
    Slip.NOT_CHIPS,
    Slip.NOT_CHIPS_LATE,
    Slip.MISSING_CARD,
    Slip.DEFECTIVE_DECK,
    Slip.STANDS_UNASKED,
    Slip.LIST_CLOSED,
    Slip.TAKEN_BACK,
)

_IN_A_CIRCLE: Final = (
    Slip.DEAD_KEY,
    Slip.UNREAD,
    Slip.UNREPORTED,
    Slip.CALL,
    Slip.LIST_CLOSED,
    Slip.MISSING_CARD,
    Slip.DEFECTIVE_DECK,
    Slip.ILLEGAL_BET,
    Slip.CORRECTED,
    Slip.GOES_AWAY,
    Slip.EARLY_UNSEEN,
    Slip.EARLY_SEEN,
    *(Slip.EARLY_TURN,) * 3,
    # Most of what goes wrong here is declared: it comes as often as all the rest.
    *(Slip.ANY_OF_THE_LIST,) * 12,
)
_IN_A_DRAW: Final = (
    *(slip for slip in dict.fromkeys(_IN_A_CIRCLE) if slip not in (Slip.EARLY_TURN, Slip.ANY_OF_THE_LIST)),
    Slip.NO_CUT,
    Slip.FALSE_OPENING,
    Slip.TOO_MANY,
    Slip.NUMBER_CORRECTED,
    Slip.ASKED_EARLY,
    *(Slip.LAST_CARD,) * 2,
    *(Slip.DISCARDED_EARLY,) * 2,
    *(Slip.ANY_OF_THE_LIST,) * 14,
)
_BANKED_PANEL: Final = (
    *SEAT_KEYS[:9],
    *(Key.NEW_HAND, Key.NO_MORE_BETS, Key.BONUS, Key.BET, Key.FOLD, Key.CHECK, Key.ALL_BET, Key.ALL_CHECK),
    *(Key.BANK, Key.CONFIRM, Key.WRONG_COUNT, Key.SEEN, Key.NOT_SEEN, Key.INCIDENT, Key.CANCEL),
)
_CIRCLE_PANEL: Final = (
    *SEAT_KEYS,
    *(Key.NEW_HAND, Key.NO_MORE_BETS, Key.FOLD, Key.CHECK, Key.CALL, Key.BET, Key.RAISE, Key.ALL_IN, Key.ALL_CHECK),
    *(Key.SHOW, Key.SHOW_ALL, Key.CONFIRM, Key.INCIDENT, Key.CANCEL),
)
_CIRCLE_LIMITS: Final = {"bet": Band(least=200, most=200_000, authorised=(200, 200_000))}

GAMES: Final[Mapping[str, Game]] = {
    "texas-bonus": Game(
        limits={
            "ante": Band(least=500, most=10_000, authorised=(500, 10_000)),
            "bonus": Band(least=100, most=5_000, authorised=(100, 5_000)),
        },
        # THB-ERR-2 and -3: only here does one face-up card not void the hand.
        slips=(*_IN_EVERY_GAME, Slip.FACE_UP_TWICE, Slip.TWO_BOXES, Slip.TWO_BOXES_LATE),
        panel=_BANKED_PANEL,
    ),
    "texas-poker": Game(
        limits={
            "ante": Band(least=500, most=10_000, authorised=(500, 25_000)),
            "txb": Band(least=100, most=2_500, authorised=(100, 5_000)),
        },
        slips=(
            *_IN_EVERY_GAME,
            Slip.BURNED,
            Slip.CONTACT,
            Slip.OWN_CARDS_SHOWN,
            Slip.BANK_EXPOSED_LATE,
            Slip.STANDS_BY_PANEL,
        ),
        panel=_BANKED_PANEL,
    ),
    "circle-holdem": Game(limits=_CIRCLE_LIMITS, slips=_IN_A_CIRCLE, panel=_CIRCLE_PANEL),
    "open-holdem": Game(limits=_CIRCLE_LIMITS, slips=_IN_A_CIRCLE, panel=_CIRCLE_PANEL),
    "draw-poker": Game(
        limits={**_CIRCLE_LIMITS, "ante": Band(least=100, most=100, authorised=(100, 100))},
        slips=_IN_A_DRAW,
        panel=_CIRCLE_PANEL,
        # So many that a stub runs out now and then (FCD-DSC-5).
        seats=8,
        is_full=True,
        resto=10_000,
    ),
}


def possible(slips: tuple[Slip, ...], *, has_shoe: bool) -> tuple[Slip, ...]:
    """What of it can go wrong at a table with, or without, a shoe that says its cards."""
    return slips if has_shoe else tuple(slip for slip in slips if slip not in _OF_A_SHOE)
