"""The shape of a game as data: phases, the literal transition table, bets, deal plans, error clauses, settlement.

A rulebook is one value of `Rulebook`. The engine interprets it; it holds no state, and its few functions are pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, TypeAlias

from tablectl.engine.deal import Deal
from tablectl.engine.seats import Seats
from tablectl.engine.slots import Slot
from tablectl.engine.words import Key, Refusal, Remedy
from tablectl.settlement.banked import Settlement


class Kind(StrEnum):
    """What goes on in a phase."""

    IDLE = "idle"
    BETTING = "betting"
    DEALING = "dealing"
    DECIDING = "deciding"
    REVEALING = "revealing"
    SETTLING = "settling"
    VOIDED = "voided"


class Exposure(StrEnum):
    """Which deadline an exposed bank card still meets in a phase (AMB-82)."""

    BEFORE_FIRST_DECISIONS = "before-first-decisions"
    BEFORE_LAST_DECISION = "before-last-decision"
    AFTER = "after"


#: The trigger that goes back to a phase of dealing without a new plan: a card there is due again.
REOPEN: Final = "reopen"

#: The deal plan of a phase: the slots in the order in which the next cards must fill them, for the seats in order.
PlanOf: TypeAlias = Callable[[tuple[int, ...]], tuple[Slot, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """What each seat in turn is asked: a bet of an exact multiple of another, or else to fold or to check."""

    bet: str
    otherwise: Key
    clause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Phase:
    """One state of the hand."""

    name: str
    kind: Kind
    clauses: tuple[str, ...]
    exposure: Exposure = Exposure.AFTER
    plan: PlanOf | None = None
    choice: Choice | None = None


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
class Misdeals:
    """The clauses on dealing errors that the engine applies, and what each of them says to do.

    `seen_early`: proposals to the pit boss, the first is the default.
    """

    bank_exposed: str
    face_up: str
    face_up_again: str
    drawn_early: str
    seen_early: tuple[Remedy, ...]
    wrong_count_seat: str
    wrong_count_bank: str
    bank_in_place: str
    wrong_order: str
    defective_deck: str
    outside_shoe: str
    ruling: str
    out_of_turn: str
    too_early_entry: str
    no_such_seat: str
    no_such_bet: str
    #: the exposure windows in which an exposed bank card voids the hand
    voiding: frozenset[Exposure]
    #: what a wrong count at a seat voids (AMB-53)
    count_remedy: Remedy
    #: whether a card face up in the deck counts behind the hole cards too (AMB-54)
    face_up_after_hole_cards: bool
    #: whether hole cards in the wrong order are simply accepted (AMB-55)
    wrong_order_accepted: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Rulebook:
    """One game."""

    id: str
    version: str
    title: str
    max_seats: int
    entry_bet: str
    bets: Mapping[str, BetRule]
    phases: Mapping[str, Phase]
    transitions: tuple[Transition, ...]
    misdeals: Misdeals
    #: which seats' cards are turned at the reveal
    shows: Callable[[Situation], tuple[int, ...]]
    settle: Callable[[Situation], Settlement]

    @property
    def initial(self) -> str:
        """The phase between two hands: the first one of the table."""
        return next(iter(self.phases))
