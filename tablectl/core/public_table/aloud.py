"""What the croupier calls aloud after a record (THL-DEF-5). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from tablectl.core.engine.circle.seating.places import Bet
from tablectl.core.engine.decisions import (
    BetTaken,
    CardPlaced,
    Decision,
    Exchanges,
    PhaseEntered,
    Spoke,
    Stored,
    TakenBack,
)
from tablectl.core.records import record
from tablectl.core.stream import Unknown

#: Phases of the controller that are none of the game's: nothing is called.
_SILENT: Final = frozenset({"closed", "blinds", "antes", "seating", "replacing", "settlement", "voided"})
#: The draw is called once, and not again after the cards of every seat.
_DRAW: Final = "draw"


@record
class Antes:
    """Everybody's ante in one sentence. `is_all`: nobody's is another amount."""

    amount: int | None
    is_all: bool


#: Every bet, blinds too, what becomes of it, and every phase.
Call: TypeAlias = Spoke | Stored | TakenBack | BetTaken | Exchanges | PhaseEntered | Antes


def calls(decisions: Sequence[Decision | Unknown]) -> tuple[Call, ...]:
    """What the croupier calls aloud after these decisions, in their order (THL-DEF-5): how many cards the one takes in
    whose name he deals, too (FCD-DSC-15)."""
    dealt = any(isinstance(each, CardPlaced) for each in decisions)
    return tuple(_antes_at_once([each for each in _called(decisions) if not (dealt and _is_draw(each))]))


def _called(decisions: Sequence[Decision | Unknown]) -> Iterator[Call]:
    for decision in decisions:
        match decision:
            case PhaseEntered(phase=phase):
                if phase not in _SILENT:
                    yield decision
            case Spoke() | Stored() | TakenBack() | BetTaken() | Exchanges():
                yield decision


def _is_draw(call: Call) -> bool:
    return isinstance(call, PhaseEntered) and call.phase == _DRAW


def _antes_at_once(called: list[Call]) -> Iterator[Call]:
    """Everybody's ante in one sentence; one that is another amount, of a player with fewer chips, on its own."""
    antes = [each for each in called if isinstance(each, BetTaken) and each.bet == Bet.ANTE]
    amounts = [each.amount for each in antes]
    usual = max(amounts, key=amounts.count, default=None)
    of_all = len(antes) > 1 and amounts.count(usual) > 1
    if of_all:
        yield Antes(amount=usual, is_all=amounts.count(usual) == len(antes))
    yield from (each for each in called if not (of_all and each in antes and _amount(each) == usual))


def _amount(call: Call) -> int | None:
    return call.amount if isinstance(call, BetTaken) else None
