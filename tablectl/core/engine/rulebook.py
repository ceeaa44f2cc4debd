"""The shape of a game as data: phases, the literal transition table, bets, deal plans, error clauses, settlement.

A rulebook is one value of `Rulebook`. The engine interprets it; it holds no state, and its few functions are pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol, TypeAlias

from tablectl.core.engine.circle.game import CircleGame
from tablectl.core.engine.clauses import BankedErrors, Errors, Exposure, Standing
from tablectl.core.engine.deal import Deal
from tablectl.core.engine.limit_rules import LimitRule
from tablectl.core.engine.seats import Seats
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.words import Key, Refusal
from tablectl.core.settlement.banked import SeatResult, Settlement


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


#: A hand is open, and its last card need not have been dealt.
IN_HAND: Final = frozenset({Kind.DEALING, Kind.DECIDING, Kind.EXCHANGING, Kind.CLAIMING, Kind.PAYING, Kind.REVEALING})


#: The trigger that goes back to a phase of dealing without a new plan: a card there is due again.
REOPEN: Final = "reopen"

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
    rulebook's general one; `burnt`: that on a card laid down here as a burn although none is due, where that can be."""

    name: str
    kind: Kind
    clauses: tuple[str, ...]
    exposure: Exposure = Exposure.AFTER
    plan: PlanOf | None = None
    choice: Choice | None = None
    early: str | None = None
    burnt: str | None = None
    #: in a circle game: which round of betting it is, from 0
    round: int | None = None


class Situation(Protocol):
    """What a rulebook may look at: who is in the hand with which bets, and where the cards lie."""

    @property
    def seats(self) -> Seats:
        """Bets, folds and voided hands."""

    @property
    def deal(self) -> Deal:
        """Cards and slots."""

    @property
    def button(self) -> int | None:
        """In a circle game: the seat of the button, or None before it was drawn."""

    @property
    def is_one_left(self) -> bool:
        """In a circle game: everybody but one has folded."""

    @property
    def betting_round(self) -> int | None:
        """In a circle game: the round of betting that was opened last, from 0; None before the first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Guard:
    """A condition on a transition: a plain function of the state, and what is said when it is false."""

    name: str
    holds: Callable[[Situation], bool]
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
class BetRule:
    """One box on the layout.

    `needs`: another bet that must lie first. `multiple_of`: exactly so many times another bet, and not limited by
    itself. Clauses are those that forbid a wrong amount or a missing other bet.
    """

    name: str
    clause: str
    needs: str | None = None
    needs_clause: str | None = None
    limits_clause: str | None = None
    multiple_of: tuple[str, int] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SideBet:
    """A bet that is decided in the middle of the hand. `settle` gives one result for each bettor who has one, `void`
    is the clause under which an annulled hand leaves it to the pit boss (AMB-46)."""

    bet: str
    void: str
    settle: Callable[[Situation], tuple[SeatResult, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rulebook:
    """One game."""

    id: str
    version: str
    title: str
    max_seats: int
    limits: LimitRule
    phases: Mapping[str, Phase]
    transitions: tuple[Transition, ...]
    errors: Errors
    #: which seats' cards are turned at the reveal
    shows: Callable[[Situation], tuple[int, ...]]
    #: a game against the bank has boxes, and is settled bet by bet
    entry_bet: str = ""
    bets: Mapping[str, BetRule] = field(default_factory=dict)
    settle: Callable[[Situation], Settlement] | None = None
    standing: Standing | None = None
    side_bet: SideBet | None = None
    #: a circle game has a button, rounds of betting and pots
    circle: CircleGame | None = None

    @property
    def banked(self) -> BankedErrors:
        """The error clauses of a game against the bank: only where there is one may they be asked for."""
        assert isinstance(self.errors, BankedErrors), "a circle game has no bank"
        return self.errors

    @property
    def extra_bet(self) -> str | None:
        """The bet that a seat may add before the deal, beside the one with which it is in the hand."""
        return next((bet.name for bet in self.bets.values() if bet.needs is not None), None)

    @property
    def may_check(self) -> bool:
        """Whether somebody who is asked for a bet can check."""
        choices = (phase.choice for phase in self.phases.values())
        return any(choice is not None and choice.otherwise is Key.CHECK for choice in choices)

    @property
    def initial(self) -> str:
        """The phase between two hands: the first one of the table."""
        return next(iter(self.phases))
