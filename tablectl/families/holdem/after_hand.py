"""What is said of a hand that is decided and not delivered yet: agreement, objection (THL-SDN-6).

Silence is agreement: the pot is delivered when the croupier confirms, unless somebody objects before (AMB-32).
`open-holdem` takes this clause.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Chooser, Declaration, Refusal, Remedy
from tablectl.core.options.holdem import Objection
from tablectl.families.holdem.state import HoldemState
from tablectl.families.pots import claims

_AGREEMENT: Final = "THL-SDN-6"


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
        claims.of_a_player(state, fact, _objection_outcome(state), state.order)


RULES: Final[Mapping[Declaration, Rule[HoldemState]]] = {
    Declaration.OBJECTION: Rule(applies=_can_object, foretells=_objection_outcome, does=_objection),
    **claims.RULES,
}
