"""What the stage needs to know of the table of a game: taken from the game itself, and none is named here.

Limits and seats are those that the game proposes to a house, the panel is the one that setup proposes. What goes wrong
follows from the kind of game, and from what its rulebook has a rule for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from simulators.stage.fault_plan import Slip
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
    slips: tuple[Slip, ...]
    #: the 24 keys of its panel: the list of incidents has what there is no room for, and the screen every key
    panel: tuple[Key, ...]
    #: how many seats its table has, and whether each of them is taken
    seats: int
    is_full: bool
    #: what everybody begins with, where that is agreed before the first hand; 0 where it is not
    resto: int


#: The game that is played where nobody says which.
FIRST: Final = next(iter(GAMES))
_SEATS: Final = 7
#: What everybody begins with, in least bets.
_RESTO_OF_LEAST: Final = 50
#: Only a shoe that says its cards can say that it could not read one, or forget to say one.
_OF_A_SHOE: Final = frozenset({Slip.UNREAD, Slip.UNREPORTED})
_AGAINST_A_BANK: Final = (
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

_FOR_POTS: Final = (
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
_WITH_DISCARDS: Final = (
    *(slip for slip in dict.fromkeys(_FOR_POTS) if slip not in (Slip.EARLY_TURN, Slip.ANY_OF_THE_LIST)),
    Slip.NO_CUT,
    Slip.FALSE_OPENING,
    Slip.TOO_MANY,
    Slip.NUMBER_CORRECTED,
    Slip.ASKED_EARLY,
    *(Slip.LAST_CARD,) * 2,
    *(Slip.DISCARDED_EARLY,) * 2,
    *(Slip.ANY_OF_THE_LIST,) * 14,
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
        slips=slips_of(game.as_shipped),
        panel=FOR_POTS if game.is_circle else AGAINST_A_BANK,
        seats=game.proposal.seats if is_full else min(_SEATS, game.proposal.seats),
        is_full=is_full,
        resto=_RESTO_OF_LEAST * limits["bet"].least if game.has_resto else 0,
    )


def changes_cards(rulebook: Rulebook) -> bool:
    """Whether players put cards away and get others."""
    return isinstance(rulebook, DrawRulebook)


def slips_of(rulebook: Rulebook) -> tuple[Slip, ...]:
    """What can go wrong in a game; what is there more often comes more often."""
    if isinstance(rulebook, BankedRulebook):
        return (*_AGAINST_A_BANK, *_with_a_rule(rulebook))
    return _WITH_DISCARDS if changes_cards(rulebook) else _FOR_POTS


def _with_a_rule(rulebook: BankedRulebook) -> Iterator[Slip]:
    """What not every document of a game against a bank has a rule for."""
    errors = rulebook.errors
    if errors.face_up.tolerated:
        yield Slip.FACE_UP_TWICE
    if errors.conduct.two_boxes is not None:
        yield from (Slip.TWO_BOXES, Slip.TWO_BOXES_LATE)
    if any(phase.burnt is not None for phase in rulebook.phases.values()):
        yield Slip.BURNED
    if errors.contact is not None:
        yield Slip.CONTACT
    if errors.conduct.own_cards_shown is not None:
        yield Slip.OWN_CARDS_SHOWN
    if rulebook.side_bet is not None:
        yield Slip.BANK_EXPOSED_LATE
    if rulebook.standing is not None:
        yield Slip.STANDS_BY_PANEL


def possible(slips: tuple[Slip, ...], *, has_shoe: bool) -> tuple[Slip, ...]:
    """What of it can go wrong at a table with, or without, a shoe that says its cards."""
    return slips if has_shoe else tuple(slip for slip in slips if slip not in _OF_A_SHOE)
