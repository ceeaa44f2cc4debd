"""Beside a shoe: cards that were dealt and that no antenna has seen at their places. The croupier is asked about them
before the next cards come."""

from __future__ import annotations

from tablectl.core.engine.deal import STAND_IN, Draw
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Chooser, Equipment, Question, Remedy, Severity


def unconfirmed(state: State) -> tuple[Slot, ...]:
    """Beside a shoe: the places of this hand whose card no antenna has seen there, where all antennas could."""
    if state.setup.equipment is not Equipment.BOTH or state.is_blind:
        return ()
    numbers = {*state.felt.confirmed, STAND_IN}
    return tuple(slot for slot, draw in state.deal.at.items() if draw.number not in numbers)


def look_back(state: State, on_its_way: Draw | None = None) -> None:
    """Before the next cards: whatever was assigned and never seen at its place is asked of the croupier, once; but for
    one that cannot be there yet."""
    if state.held or state.phase.kind is Kind.VOIDED:
        return
    for slot in unconfirmed(state):
        draw = state.deal.at[slot]
        if draw is on_its_way or (draw is state.deal.last and state.phase.kind is Kind.DEALING):
            continue
        state.felt.confirmed.add(draw.number)
        incident = raised(
            state,
            Outcome(
                clause=state.rulebook.errors.dealt_by(slot),
                expected=slot.name,
                observed="not-seen",
                remedies=(Remedy.CONTINUE,),
                chooser=Chooser.CROUPIER,
                severity=Severity.NOTICE,
                draw=draw,
            ),
        )
        ask(state, Question.AT_ITS_SPOT, slot.name, incident)
