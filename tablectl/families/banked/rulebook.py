"""The shape of a game against the bank, as data: boxes, the bets in them, and how they are settled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tablectl.core.engine.clauses import BankedErrors, Standing
from tablectl.core.engine.rulebook import Kind, Rulebook, Situation
from tablectl.core.engine.vocabulary import Key
from tablectl.core.settlement.banked import SeatResult, Settlement


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
class BankedRulebook(Rulebook):
    """One game against the bank."""

    errors: BankedErrors
    #: the bet with which a seat is in the hand, and all bets that have a box
    entry_bet: str
    bets: Mapping[str, BetRule]
    settle: Callable[[Situation], Settlement]
    standing: Standing | None = None
    side_bet: SideBet | None = None

    @property
    def extra_bet(self) -> str | None:
        """The bet that a seat may add before the deal, beside the one with which it is in the hand."""
        return next((bet.name for bet in self.bets.values() if bet.needs is not None), None)

    @property
    def may_check(self) -> bool:
        """Whether somebody who is asked for a bet can check."""
        choices = (phase.choice for phase in self.phases.values())
        return any(choice is not None and choice.otherwise is Key.CHECK for choice in choices)

    def may_deal_after(self, phase: str) -> bool:
        """Whether a card can still be due in the hand once this phase is over."""
        found, to_look_at = {phase}, [phase]
        while to_look_at:
            source = to_look_at.pop()
            for line in self.transitions:
                if line.source == source and line.dest not in found and line.dest != self.initial:
                    found.add(line.dest)
                    to_look_at.append(line.dest)
        return any(self.phases[name].kind is Kind.DEALING for name in found - {phase})
