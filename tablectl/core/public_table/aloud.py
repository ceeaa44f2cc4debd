"""What the croupier calls aloud after a record (THL-DEF-5). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

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
from tablectl.core.engine.vocabulary import Posted
from tablectl.core.events.stream import Unknown
from tablectl.core.records import record

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
    dealt = any(isinstance(decision, CardPlaced) for decision in decisions)
    return tuple(_antes_at_once([call for call in _called(decisions) if not (dealt and _is_draw(call))]))


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
    antes = [call for call in called if isinstance(call, BetTaken) and call.bet == Posted.ANTE]
    amounts = [ante.amount for ante in antes]
    usual = max(amounts, key=amounts.count, default=None)
    of_all = len(antes) > 1 and amounts.count(usual) > 1
    if of_all:
        yield Antes(amount=usual, is_all=amounts.count(usual) == len(antes))
    yield from (call for call in called if not (of_all and call in antes and _amount(call) == usual))


def _amount(call: Call) -> int | None:
    return call.amount if isinstance(call, BetTaken) else None
