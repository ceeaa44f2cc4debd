"""Claims about a hand that was decided (THL-SDN-8; at draw-poker the same, by its ruling).

Until the first card of the next deal a claim goes to the pit boss, and money is moved between stacks; none is admitted
afterwards. What was announced wrongly decides nothing: the cards on the table do, as far as they still lie there
(THL-CRE-1, FCD-WIN-4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.vocabulary import Chooser, Declaration, Refusal, Remedy
from tablectl.families.pots.state import PotGameState


def can_claim(state: PotGameState) -> bool:
    """There was a hand before this one, and nothing of this one is to be agreed on instead."""
    return state.hand > int(state.in_play) and state.phase.kind is not Kind.SETTLING


def next_deal_began(state: PotGameState) -> bool:
    """The first card of the next hand is dealt; a card of the draw for the button is none of a hand."""
    stakes_lie = state.rounds is not None
    return stakes_lie and any(not draw.is_back for draw in state.deal.draws)


def _outcome(state: PotGameState) -> Outcome:
    outcome = Outcome(
        clause=state.rulebook.clauses.claim,
        expected="before-the-deal",
        observed=Declaration.CLAIM,
        remedies=(Remedy.REJECT,),
    )
    if next_deal_began(state):
        return outcome
    return replace(outcome, remedies=(Remedy.CORRECT, Remedy.CONTINUE), chooser=Chooser.PIT_BOSS)


def _claim(state: PotGameState, fact: Declared) -> None:
    """THL-SDN-8, FCD-WIN-4: a claim on the hand before."""
    if not can_claim(state):
        is_open = state.phase.kind is Kind.SETTLING
        clauses = state.rulebook.clauses
        state.refuse(Refusal.NOT_OFFERED, clauses.agreement if is_open else clauses.claim)
        return
    there = {*state.order, *(player.seat for player in state.players)}
    of_a_player(state, fact, _outcome(state), tuple(sorted(there)))


def of_a_player(state: PotGameState, fact: Declared, outcome: Outcome, seats: tuple[int, ...]) -> None:
    """Whoever says it may be named; it is not asked, since what follows does not depend on him."""
    seat = seat_of(fact.spot) if fact.spot is not None else None
    if fact.spot is not None and seat not in seats:
        state.refuse(Refusal.UNKNOWN_SEAT, outcome.clause, fact.spot)
        return
    carried_out(state, replace(outcome, seats=() if seat is None else (seat,)))


RULES: Final[Mapping[Declaration, Rule[PotGameState]]] = {
    Declaration.CLAIM: Rule(applies=can_claim, foretells=_outcome, does=_claim),
}
