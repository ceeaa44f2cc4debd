"""What goes wrong at the demo's table, as data under a seed: at most one mistake of croupier or players in a hand, and
devices whose wires fail."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from simulators.devices.faults import Fault, FaultKind, FaultPlan
from tablectl.core.engine.vocabulary import Declaration, Key


class HumanError(StrEnum):
    """What a croupier or a player can do wrong, or what has to be declared."""

    FACE_UP = "face-up"
    FACE_UP_TWICE = "face-up-twice"
    BANK_EXPOSED = "bank-exposed"
    #: where a side bet was settled before: TPC-MIS-0
    BANK_EXPOSED_LATE = "bank-exposed-late"
    EARLY_UNSEEN = "early-unseen"
    EARLY_SEEN = "early-seen"
    COUNT_AT_ONCE = "count-at-once"
    COUNT_LATE = "count-late"
    COUNT_BANK = "count-bank"
    WRONG_ORDER = "wrong-order"
    TURNED = "turned"
    TURNED_BANK = "turned-bank"
    BURNED = "burned"
    CONTACT = "contact"
    OWN_CARDS_SHOWN = "own-cards-shown"
    SHOWED_CARDS = "showed-cards"
    COMMENTED = "commented"
    TWO_BOXES = "two-boxes"
    TWO_BOXES_LATE = "two-boxes-late"
    NOT_CHIPS = "not-chips"
    NOT_CHIPS_LATE = "not-chips-late"
    MISSING_CARD = "missing-card"
    DEFECTIVE_DECK = "defective-deck"
    #: a standing bet without the seated player's consent, or in a game that has none
    STANDS_UNASKED = "stands-unasked"
    #: the list of incidents, opened and closed again
    LIST_CLOSED = "list-closed"
    #: something picked from it, and taken back when the table asks who it was
    TAKEN_BACK = "taken-back"
    DEAD_KEY = "dead-key"
    UNREAD = "unread"
    UNREPORTED = "unreported"
    CALL = "call"
    #: a standing bet asked for with the panel alone
    STANDS_BY_PANEL = "stands-by-panel"
    #: in a circle game: a raise below the least one, an entry corrected, a player who goes away between hands
    ILLEGAL_BET = "illegal-bet"
    CORRECTED = "corrected"
    GOES_AWAY = "goes-away"
    #: in a circle game: burn and next common card while the betting is open, and everybody sees it
    EARLY_TURN = "early-turn"
    #: whatever can be declared at that moment; a circle game has some forty lines of that
    ANY_OF_THE_LIST = "any-of-the-list"
    #: in a game with discards: dealt without offering the cut; an opening without jacks; too many cards to change, a
    #: number keyed wrongly, one for a seat whose turn it is not; cards put away too soon; the stub's last card
    NO_CUT = "no-cut"
    FALSE_OPENING = "false-opening"
    TOO_MANY = "too-many"
    NUMBER_CORRECTED = "number-corrected"
    ASKED_EARLY = "asked-early"
    DISCARDED_EARLY = "discarded-early"
    LAST_CARD = "last-card"


@dataclass(frozen=True, kw_only=True, slots=True)
class Chance:
    """When an error can happen: at these instructions, after a card to one of these spots (any, where there is none),
    while this key is live. At about one of the first `among` such moments it does. `declares`: what the croupier then
    picks from the list of incidents."""

    at: frozenset[str]
    after: tuple[str, ...] = ()
    key: Key | None = None
    among: int = 6
    declares: Declaration | None = None


_BETS: Final = frozenset({"take-bets", "post-blinds", "post-antes"})
_DEAL: Final = frozenset({"deal"})
_SPEAK: Final = frozenset({"speak", "close-round"})
_ASK: Final = frozenset({"ask-seat"}) | _SPEAK
_CLAIMS: Final = frozenset({"ask-claims", "pay-claims"})
_CHANGES: Final = frozenset({"ask-cards", "put-away"})
_REVEAL: Final = frozenset({"reveal-bank", "show-hand"})
_BEFORE: Final = frozenset({"post-blinds", "post-antes", "offer-cut"})
#: Cards lie before the players, and not all of them are shown.
_CARDS: Final = _DEAL | _ASK | _CLAIMS | _REVEAL
_EARLY: Final = Chance(at=_BETS | _ASK | _CLAIMS | _REVEAL)
_FACE_UP: Final = Chance(at=_DEAL, key=Key.FACE_UP, declares=Declaration.FACE_UP_IN_SHOE)

CHANCES: Final[Mapping[HumanError, Chance]] = {
    HumanError.FACE_UP: _FACE_UP,
    HumanError.FACE_UP_TWICE: _FACE_UP,
    HumanError.BANK_EXPOSED: Chance(at=_CARDS, key=Key.BANK_EXPOSED, declares=Declaration.BANK_CARD_EXPOSED),
    HumanError.BANK_EXPOSED_LATE: Chance(
        at=_DEAL | _REVEAL | frozenset({"pay-claims"}),
        after=("board.3", "board.4", "board.5"),
        key=Key.BANK_EXPOSED,
        among=3,
        declares=Declaration.BANK_CARD_EXPOSED,
    ),
    HumanError.EARLY_UNSEEN: _EARLY,
    HumanError.EARLY_SEEN: _EARLY,
    HumanError.COUNT_AT_ONCE: Chance(at=_DEAL, after=("seat-", "house"), key=Key.WRONG_COUNT),
    HumanError.COUNT_LATE: Chance(at=_ASK, key=Key.WRONG_COUNT, among=2),
    HumanError.COUNT_BANK: Chance(at=_DEAL, after=("house",), key=Key.WRONG_COUNT, among=1),
    HumanError.WRONG_ORDER: Chance(at=_DEAL, after=("seat-",), declares=Declaration.WRONG_ORDER),
    HumanError.TURNED: Chance(at=_DEAL, after=("seat-",), declares=Declaration.TURNED_WHILE_DEALT),
    HumanError.TURNED_BANK: Chance(at=_DEAL, after=("house",), among=2, declares=Declaration.TURNED_WHILE_DEALT),
    HumanError.BURNED: Chance(at=_DEAL | _ASK | _REVEAL, after=("board",), among=4, declares=Declaration.BURNED),
    HumanError.CONTACT: Chance(at=_CARDS, after=("seat-", "house", "board"), declares=Declaration.CARDS_IN_CONTACT),
    HumanError.OWN_CARDS_SHOWN: Chance(at=_ASK, among=3, declares=Declaration.OWN_CARDS_SHOWN),
    HumanError.SHOWED_CARDS: Chance(at=_ASK | _CLAIMS, among=3, declares=Declaration.SHOWED_CARDS),
    HumanError.COMMENTED: Chance(at=_ASK | _CLAIMS, among=3, declares=Declaration.COMMENTED),
    HumanError.TWO_BOXES: Chance(at=_BETS, among=1, declares=Declaration.TWO_BOXES),
    HumanError.TWO_BOXES_LATE: Chance(at=_DEAL | _ASK, declares=Declaration.TWO_BOXES),
    HumanError.NOT_CHIPS: Chance(at=_BETS, among=1, declares=Declaration.NOT_CHIPS),
    HumanError.NOT_CHIPS_LATE: Chance(at=_DEAL | _ASK, declares=Declaration.NOT_CHIPS),
    HumanError.MISSING_CARD: Chance(at=_CARDS | frozenset({"settle"}), declares=Declaration.MISSING_CARD),
    HumanError.DEFECTIVE_DECK: Chance(at=_CARDS | frozenset({"settle"}), declares=Declaration.DEFECTIVE_DECK),
    HumanError.STANDS_UNASKED: Chance(at=_BETS, among=1),
    HumanError.LIST_CLOSED: Chance(at=_BETS | _CARDS | frozenset({"settle"}), key=Key.INCIDENT),
    HumanError.TAKEN_BACK: Chance(at=_ASK, among=3, declares=Declaration.COMMENTED),
    HumanError.DEAD_KEY: Chance(at=_BETS | _CARDS),
    HumanError.UNREAD: Chance(at=_DEAL),
    HumanError.UNREPORTED: Chance(at=_DEAL),
    HumanError.CALL: Chance(at=_BETS | _CARDS, declares=Declaration.PIT_BOSS),
    HumanError.ILLEGAL_BET: Chance(at=_SPEAK, key=Key.RAISE, among=3),
    HumanError.CORRECTED: Chance(at=_SPEAK, key=Key.CANCEL),
    HumanError.GOES_AWAY: Chance(at=frozenset({"post-blinds", "post-antes"}), among=1),
    HumanError.EARLY_TURN: Chance(at=_SPEAK, among=8),
    HumanError.ANY_OF_THE_LIST: Chance(
        at=_CARDS | _CHANGES | _BEFORE | frozenset({"settle", "deliver", "new-hand"}), key=Key.INCIDENT, among=12
    ),
    HumanError.NO_CUT: Chance(at=frozenset({"offer-cut"}), key=Key.NO_MORE_BETS, among=1),
    HumanError.FALSE_OPENING: Chance(at=_SPEAK, key=Key.BET, among=1),
    HumanError.TOO_MANY: Chance(at=frozenset({"ask-cards"}), among=2),
    HumanError.NUMBER_CORRECTED: Chance(at=_CHANGES, key=Key.CANCEL, among=2),
    HumanError.ASKED_EARLY: Chance(at=frozenset({"ask-cards"}), among=2),
    HumanError.DISCARDED_EARLY: Chance(at=frozenset({"ask-cards"}), among=1, declares=Declaration.DISCARDED_EARLY),
    HumanError.LAST_CARD: Chance(at=frozenset({"answer"}), key=Key.CONFIRM, among=1),
    HumanError.STANDS_BY_PANEL: Chance(at=_BETS, among=1, declares=Declaration.STANDING_BET),
}


class Trouble(StrEnum):
    """What happens to a device."""

    SHOE_UNPLUGGED = "shoe-unplugged"
    PANEL_UNPLUGGED = "panel-unplugged"
    LIGHT_UNPLUGGED = "light-unplugged"
    #: any of the readers under the felt; where there are none, nothing
    ANTENNA_UNPLUGGED = "antenna-unplugged"


class Level(StrEnum):
    """`--faults`."""

    NONE = "none"
    SOME = "some"
    MANY = "many"


@dataclass(frozen=True, kw_only=True, slots=True)
class HandPlan:
    """One hand: an error after so many chances for it, a trouble after so many cards; None where all goes well."""

    error: HumanError | None
    chances: int
    trouble: Trouble | None
    cards: int


NOTHING_PLANNED: Final = HandPlan(error=None, chances=0, trouble=None, cards=0)
_HUMAN_ERRORS: Final = {Level.NONE: 0.0, Level.SOME: 0.35, Level.MANY: 0.75}
_TROUBLES: Final = {Level.NONE: 0.0, Level.SOME: 0.05, Level.MANY: 0.25}


def plan_of(hand: int, *, seed: int, level: Level, human_errors: tuple[HumanError, ...]) -> HandPlan:
    """The plan of a hand follows from its number, the seed and what can go wrong in the game."""
    dice = random.Random(f"{seed}/{hand}")
    error = dice.choice(human_errors) if dice.random() < _HUMAN_ERRORS[level] else None
    trouble = dice.choice(list(Trouble)) if dice.random() < _TROUBLES[level] else None
    return HandPlan(
        error=error,
        chances=dice.randrange(CHANCES[error].among) if error is not None else 0,
        trouble=trouble,
        cards=dice.randrange(3, 20),
    )


def wire_faults(level: Level) -> FaultPlan:
    """What happens to the shoe's messages. It says each of them three times, so a lost one loses no card."""
    if level is Level.NONE:
        return FaultPlan()
    share = 1.0 if level is Level.MANY else 0.2
    return FaultPlan(
        faults=(
            Fault(kind=FaultKind.JUNK, probability=0.02 * share, count=3),
            Fault(kind=FaultKind.CORRUPT, probability=0.02 * share),
            Fault(kind=FaultKind.REPEAT, probability=0.02 * share, count=1),
            Fault(kind=FaultKind.LOSE, probability=0.02 * share),
            Fault(kind=FaultKind.SPLIT, probability=0.02 * share, for_s=0.002),
            Fault(kind=FaultKind.UNPLUG_MID_FRAME, probability=0.002 * share, for_s=0.05),
        )
    )
