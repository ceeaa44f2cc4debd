"""A player shows his own cards while the hand is played (THL-PLE-10; draw-poker the same, by our ruling "betting
errors"): by mistake; play goes on, and the card counts towards no misdeal. It is shown to all (THL-GEN-14)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.rule import Outcome, Rule, noted
from tablectl.core.engine.seat_said import one_seat
from tablectl.core.engine.vocabulary import Declaration, Refusal
from tablectl.families.pots.retrieved_cards import live_hands
from tablectl.families.pots.state import PotGameState

_CLAUSE: Final = "THL-PLE-10"


def _outcome(state: PotGameState) -> Outcome:
    return noted(_CLAUSE, expected="cards-hidden", observed=Declaration.OWN_CARDS_SHOWN)


def _shown(state: PotGameState, fact: Declared) -> None:
    if not live_hands(state):
        state.refuse(Refusal.NOT_OFFERED, _CLAUSE)
        return
    seat = one_seat(state, fact, live_hands(state), _CLAUSE)
    if seat is not None:
        carried_out(state, replace(_outcome(state), seats=(seat,)))


RULES: Final[Mapping[Declaration, Rule[PotGameState]]] = {
    Declaration.OWN_CARDS_SHOWN: Rule(applies=lambda state: bool(live_hands(state)), foretells=_outcome, does=_shown)
}
#: The seats that the declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[PotGameState], tuple[int, ...]]]] = {
    Declaration.OWN_CARDS_SHOWN: live_hands
}
