"""What is said of a hand that was decided: agreement, objection, claims (THL-SDN-6, -8, THL-CRE-1).

Silence is agreement: the pot is delivered when the croupier confirms, unless somebody objects before (AMB-32). What was
announced wrongly decides nothing (THL-CRE-1); until the next deal begins a claim goes to the pit boss, and none is
admitted afterwards (THL-SDN-8). `open-holdem` takes these clauses.
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
from tablectl.core.options.holdem import Objection
from tablectl.families.holdem.state import HoldemState

_AGREEMENT: Final = "THL-SDN-6"
_CLAIM: Final = "THL-SDN-8"


# --- before the pot is delivered -----------------------------------------------------------------------------------


def _can_object(state: HoldemState) -> bool:
    return state.phase.kind is Kind.SETTLING and not state.is_to_settle


def _objection_outcome(state: HoldemState) -> Outcome:
    """The pit boss decides, or the pot waits until everybody agrees: then he can only say that they do."""
    game = state.rulebook
    decides = game.house.objection is Objection.PIT_BOSS
    return Outcome(
        clause=_AGREEMENT,
        expected="agreement",
        observed=Declaration.OBJECTION,
        remedies=(Remedy.CONTINUE, Remedy.VOID_HAND) if decides else (Remedy.CONTINUE,),
        chooser=Chooser.PIT_BOSS,
    )


def _objection(state: HoldemState, fact: Declared) -> None:
    """THL-SDN-6: somebody does not agree with the winning hand. The pot stays where it is."""
    if not _can_object(state):
        state.refuse(Refusal.NOT_OFFERED, _AGREEMENT)
    else:
        _of_a_player(state, fact, _objection_outcome(state), state.order)


# --- afterwards ----------------------------------------------------------------------------------------------------


def can_claim(state: HoldemState) -> bool:
    """There was a hand before this one, and nothing of this one is to be agreed on instead."""
    return state.hand > int(state.in_play) and state.phase.kind is not Kind.SETTLING


def next_deal_began(state: HoldemState) -> bool:
    """The first card of the next hand is dealt; a card of the draw for the button is none of a hand."""
    blinds_lie = state.rounds is not None
    return blinds_lie and any(not draw.is_back for draw in state.deal.draws)


def _claim_outcome(state: HoldemState) -> Outcome:
    outcome = Outcome(clause=_CLAIM, expected="before-the-deal", observed=Declaration.CLAIM, remedies=(Remedy.REJECT,))
    if next_deal_began(state):
        return outcome
    # In time: the cards on the table speak (THL-CRE-1), as far as they still lie there.
    return replace(outcome, remedies=(Remedy.CONTINUE, Remedy.CORRECT), chooser=Chooser.PIT_BOSS)


def _claim(state: HoldemState, fact: Declared) -> None:
    """THL-SDN-8: a claim on the hand before."""
    if not can_claim(state):
        state.refuse(Refusal.NOT_OFFERED, _AGREEMENT if state.phase.kind is Kind.SETTLING else _CLAIM)
        return
    there = {*state.order, *(player.seat for player in state.players)}
    _of_a_player(state, fact, _claim_outcome(state), tuple(sorted(there)))


def _of_a_player(state: HoldemState, fact: Declared, outcome: Outcome, seats: tuple[int, ...]) -> None:
    """Whoever says it may be named; it is not asked, since what follows does not depend on him."""
    seat = seat_of(fact.spot) if fact.spot is not None else None
    if fact.spot is not None and seat not in seats:
        state.refuse(Refusal.UNKNOWN_SEAT, outcome.clause, fact.spot)
        return
    carried_out(state, replace(outcome, seats=() if seat is None else (seat,)))


RULES: Final[Mapping[Declaration, Rule[HoldemState]]] = {
    Declaration.OBJECTION: Rule(applies=_can_object, foretells=_objection_outcome, does=_objection),
    Declaration.CLAIM: Rule(applies=can_claim, foretells=_claim_outcome, does=_claim),
}
