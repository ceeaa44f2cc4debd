"""What the stage needs to know of the table of a game: taken from the game itself, and none is named here.

Limits and seats are those that the game proposes to a house, the panel is the one that setup proposes. What goes wrong
follows from the kind of game, and from what its rulebook has a rule for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from simulators.stage.fault_plan import HumanError
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.vocabulary import Key
from tablectl.families.banked.rulebook import BankedRulebook
from tablectl.families.draw.rulebook import DrawRulebook
from tablectl.games.registry import GAMES
from tablectl.ops.setup.proposals import AGAINST_A_BANK, FOR_POTS


@dataclass(frozen=True, kw_only=True, slots=True)
class Band:
    """Limits of a bet and the band that was authorised for it."""

    least: int
    most: int
    authorised: tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class GameTable:
    """The table of one game."""

    limits: Mapping[str, Band]
    human_errors: tuple[HumanError, ...]
    #: the 24 keys of its panel: the list of incidents has what there is no room for, and the screen every key
    panel: tuple[Key, ...]
    #: how many seats its table has, and whether each of them is taken
    seats: int
    is_full: bool
    #: what everybody begins with, where that is agreed before the first hand; 0 where it is not
    resto: int


#: The game that is played where nobody says which.
FIRST: Final = next(iter(GAMES))
#: The smallest chip of the simulated house, in cents: whoever bets against others does so in whole chips.
SMALLEST_CHIP: Final = 100
_SEATS: Final = 7
#: What everybody begins with, in least bets.
_RESTO_OF_LEAST: Final = 50
#: Only a shoe that says its cards can say that it could not read one, or forget to say one.
_OF_A_SHOE: Final = frozenset({HumanError.UNREAD, HumanError.UNREPORTED})
_AGAINST_A_BANK: Final = (
    HumanError.FACE_UP,
    HumanError.BANK_EXPOSED,
    HumanError.EARLY_UNSEEN,
    HumanError.EARLY_SEEN,
    HumanError.COUNT_AT_ONCE,
    HumanError.COUNT_LATE,
    HumanError.COUNT_BANK,
    HumanError.DEAD_KEY,
    HumanError.UNREAD,
    HumanError.UNREPORTED,
    HumanError.CALL,
    HumanError.WRONG_ORDER,
    HumanError.TURNED,
    HumanError.TURNED_BANK,
    HumanError.SHOWED_CARDS,
    HumanError.COMMENTED,
    HumanError.NOT_CHIPS,
    HumanError.NOT_CHIPS_LATE,
    HumanError.MISSING_CARD,
    HumanError.DEFECTIVE_DECK,
    HumanError.STANDS_UNASKED,
    HumanError.LIST_CLOSED,
    HumanError.TAKEN_BACK,
)

_FOR_POTS: Final = (
    HumanError.DEAD_KEY,
    HumanError.UNREAD,
    HumanError.UNREPORTED,
    HumanError.CALL,
    HumanError.LIST_CLOSED,
    HumanError.MISSING_CARD,
    HumanError.DEFECTIVE_DECK,
    HumanError.ILLEGAL_BET,
    HumanError.CORRECTED,
    HumanError.GOES_AWAY,
    HumanError.EARLY_UNSEEN,
    HumanError.EARLY_SEEN,
    *(HumanError.EARLY_TURN,) * 3,
    # Most of what goes wrong here is declared: it comes as often as all the rest.
    *(HumanError.ANY_OF_THE_LIST,) * 12,
)
_WITH_DISCARDS: Final = (
    *(error for error in dict.fromkeys(_FOR_POTS) if error not in (HumanError.EARLY_TURN, HumanError.ANY_OF_THE_LIST)),
    HumanError.NO_CUT,
    HumanError.FALSE_OPENING,
    HumanError.TOO_MANY,
    HumanError.NUMBER_CORRECTED,
    HumanError.ASKED_EARLY,
    *(HumanError.LAST_CARD,) * 2,
    *(HumanError.DISCARDED_EARLY,) * 2,
    *(HumanError.ANY_OF_THE_LIST,) * 14,
)


@cache
def table_of(rulebook: str) -> GameTable:
    """The table of the game with this id."""
    game = GAMES[rulebook]
    limits = {
        bet: Band(least=least, most=most, authorised=authorised)
        for bet, (authorised, (least, most)) in game.proposal.limits.items()
    }
    # Where cards are changed everybody plays: so a stub runs out now and then.
    is_full = changes_cards(game.as_shipped)
    return GameTable(
        limits=limits,
        human_errors=human_errors_of(game.as_shipped),
        panel=FOR_POTS if game.is_circle else AGAINST_A_BANK,
        seats=game.proposal.seats if is_full else min(_SEATS, game.proposal.seats),
        is_full=is_full,
        resto=_RESTO_OF_LEAST * limits["bet"].least if game.has_resto else 0,
    )


def changes_cards(rulebook: Rulebook) -> bool:
    """Whether players put cards away and get others."""
    return isinstance(rulebook, DrawRulebook)


def human_errors_of(rulebook: Rulebook) -> tuple[HumanError, ...]:
    """What can go wrong in a game; what is there more often comes more often."""
    if isinstance(rulebook, BankedRulebook):
        return (*_AGAINST_A_BANK, *_with_a_rule(rulebook))
    return _WITH_DISCARDS if changes_cards(rulebook) else _FOR_POTS


def _with_a_rule(rulebook: BankedRulebook) -> Iterator[HumanError]:
    """What not every document of a game against a bank has a rule for."""
    errors = rulebook.errors
    if errors.face_up.tolerated:
        yield HumanError.FACE_UP_TWICE
    if errors.conduct.two_boxes is not None:
        yield from (HumanError.TWO_BOXES, HumanError.TWO_BOXES_LATE)
    if any(phase.burnt is not None for phase in rulebook.phases.values()):
        yield HumanError.BURNED
    if errors.contact is not None:
        yield HumanError.CONTACT
    if errors.conduct.own_cards_shown is not None:
        yield HumanError.OWN_CARDS_SHOWN
    if rulebook.side_bet is not None:
        yield HumanError.BANK_EXPOSED_LATE
    if rulebook.standing is not None:
        yield HumanError.STANDS_BY_PANEL


def possible(human_errors: tuple[HumanError, ...], *, has_shoe: bool) -> tuple[HumanError, ...]:
    """What of it can go wrong at a table with, or without, a shoe that says its cards."""
    return human_errors if has_shoe else tuple(error for error in human_errors if error not in _OF_A_SHOE)
