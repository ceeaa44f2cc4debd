"""The shape of a game as data: phases, the literal transition table, bets, deal plans, error clauses, settlement.

A rulebook is one value of `Rulebook`. The engine interprets it; it holds no state, and its few functions are pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Protocol, TypeAlias

from tablectl.core.engine.card_places import HOLDEM_PLACES, CardPlaces
from tablectl.core.engine.clauses import Errors, Exposure
from tablectl.core.engine.deal import Deal
from tablectl.core.engine.family import AnyFamily
from tablectl.core.engine.limit_rules import LimitRule
from tablectl.core.engine.seats import Seats
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.vocabulary import Key, Refusal
from tablectl.core.options.choices import DWELL_MS


class Kind(StrEnum):
    """What goes on in a phase."""

    IDLE = "idle"
    BETTING = "betting"
    DEALING = "dealing"
    DECIDING = "deciding"
    #: each player says how many cards he changes, and puts them away
    EXCHANGING = "exchanging"
    #: a side bet that is decided in the middle of the hand: who claims it?
    CLAIMING = "claiming"
    #: it was decided, and is paid and collected before the next card
    PAYING = "paying"
    REVEALING = "revealing"
    SETTLING = "settling"
    VOIDED = "voided"


class Part(StrEnum):
    """Which part of a hand between players a phase is, where its kind does not say it."""

    #: the draw for the first button
    BUTTON = "button"
    #: blinds or antes are put in
    POSTS = "posts"
    #: the players' own cards are dealt
    HOLE_CARDS = "hole-cards"
    #: common cards are dealt
    STREET = "street"
    #: cards take the place of those that a player put away
    REPLACEMENTS = "replacements"


#: A hand is open, and its last card need not have been dealt.
IN_HAND: Final = frozenset({Kind.DEALING, Kind.DECIDING, Kind.EXCHANGING, Kind.CLAIMING, Kind.PAYING, Kind.REVEALING})


#: The trigger that goes back to a phase of dealing without a new plan: a card there is due again.
REOPEN: Final = "reopen"
#: The trigger of a deal plan that is done.
DEALT: Final = "dealt"

#: The deal plan of a phase: the slots in the order in which the next cards must fill them, for the seats in order.
PlanOf: TypeAlias = Callable[[tuple[int, ...]], tuple[Slot, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """What each seat is asked: a bet of an exact multiple of another, or else to fold or to check.

    `in_turn`: from the croupier's left, one after the other; otherwise that is how they are asked, and any order is
    taken.
    """

    bet: str
    otherwise: Key
    clause: str
    in_turn: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Phase:
    """One state of the hand. `early`: the clause on a card that is drawn here too early, where it is not the
    rulebook's general one; `burnt`: that on a card laid down here as a burn although none is due, where that can be;
    `burns`: that on the burn that is dealt here first, where the bank's game has one."""

    name: str
    kind: Kind
    clauses: tuple[str, ...]
    exposure: Exposure = Exposure.AFTER
    plan: PlanOf | None = None
    choice: Choice | None = None
    early: str | None = None
    burnt: str | None = None
    burns: str | None = None
    #: in a game between players: which part it is, which round of betting and which street, both from 0
    part: Part | None = None
    round: int | None = None
    street: int | None = None


class Situation(Protocol):
    """What a rulebook may look at: who is in the hand with which bets, and where the cards lie."""

    @property
    def seats(self) -> Seats:
        """Bets, folds and voided hands."""

    @property
    def deal(self) -> Deal:
        """Cards and slots."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Guard:
    """A condition on a transition: a plain function of the state that the game's family owns, and what is said when it
    is false."""

    name: str
    holds: Callable[[Any], bool]
    refusal: Refusal
    clause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Transition:
    """One line of the transition table."""

    trigger: str
    source: str
    dest: str
    guard: Guard | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Rulebook:
    """One game."""

    id: str
    version: str
    max_seats: int
    limits: LimitRule
    phases: Mapping[str, Phase]
    transitions: tuple[Transition, ...]
    errors: Errors
    #: which seats' cards are turned at the reveal
    shows: Callable[[Situation], tuple[int, ...]]
    #: the rules that it shares with other games of its kind
    family: AnyFamily
    places: CardPlaces = HOLDEM_PLACES
    #: how long a card has to lie at a place before it counts there (ruling "wrong place"), in microseconds
    dwell_us: int = DWELL_MS * 1_000

    @property
    def initial(self) -> str:
        """The phase between two hands: the first one of the table."""
        return next(iter(self.phases))
