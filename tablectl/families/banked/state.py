"""What the engine remembers of a game against the bank: bets, decisions, and what was settled in mid-hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from tablectl.core.engine.decisions import BetSettled
from tablectl.core.engine.lifetime import between_hands, of_hand
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Declaration
from tablectl.families.banked.rulebook import BankedRulebook


@dataclass(slots=True, eq=False)
class BankedState(State):
    """Mutable and private to the engine."""

    rulebook: BankedRulebook
    #: seats that have decided in the phase in force
    decided: set[int] = field(init=False, default_factory=set)
    #: those that had decided when a card of the deal before it became due again
    decided_before: frozenset[int] = of_hand(frozenset)
    #: the seat whose decision comes next, where the croupier chose one
    chosen: int | None = field(init=False, default=None)
    #: bets of the last hand, offered again
    previous: dict[int, dict[str, int | None]] = between_hands(dict)
    #: entry bets of an annulled hand that stay in their boxes (AMB-46)
    kept: dict[int, dict[str, int | None]] = between_hands(dict)
    #: how often a seat's player did what he may not, for as long as the seat is played; a contact, while it is not, too
    conduct: dict[tuple[int, Declaration], int] = between_hands(dict)
    #: side bets that are settled already
    settled_early: list[BetSettled] = of_hand(list)
    #: what became of all other bets at the settlement, until it is confirmed
    settled: list[BetSettled] = of_hand(list)
    #: the next seat's key is about the extra bet
    modifier: bool = of_hand(bool)
