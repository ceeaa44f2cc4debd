"""Where the felt is the deal: cards that passed by each other's places.

A card that an antenna sees where the next one is due is taken for that one. If it goes on within the dwell time, it
only passed by, and the card that stays there, or comes there, was the one that was due. They exchange their places, and
nothing is said: nothing of it lasted.
"""

from __future__ import annotations

from tablectl.core.engine import dealing
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Equipment


def exchange(state: State) -> bool:
    """Lay every card that passed by a place where it lies, if other cards lie at all these places. False where nothing
    of that is known yet."""
    if state.setup.equipment is not Equipment.ANTENNAS:
        return False
    passed = _passed_by(state)
    if not passed:
        return False
    lying = [passing.draw for passing in state.felt.passing if passing.draw.slot is None]
    found = _lying_at(state, list(passed), sorted([*passed.values(), *lying], key=lambda draw: draw.number))
    if found is None:
        return False
    left = [draw for draw in passed.values() if draw not in found]
    if left and (not dealing.is_due(state) or state.deal.empty):
        return False
    following = _lying_at(state, list(state.deal.plan[state.deal.next :][: len(left)]), left)
    if following is None or len(following) < len(left):
        return False
    for slot, draw in zip(passed, found, strict=True):
        state.deal.at[slot] = draw
        draw.slot = slot
        state.say(CardPlaced(draw=draw.number, slot=slot))
    for draw in following:
        dealing.place(state, draw)
    for draw in (*found, *following):
        state.felt.arrives(draw)
        state.felt.confirmed.add(draw.number)
    return True


def _passed_by(state: State) -> dict[Slot, Draw]:
    """The cards that were taken for those of these places, and did not stay there."""
    return {
        slot: draw
        for draw in (passing.draw for passing in state.felt.passing)
        if (slot := draw.slot) is not None and state.deal.at.get(slot) is draw and state.has_passed_by(draw)
    }


def _lying_at(state: State, slots: list[Slot], draws: list[Draw]) -> list[Draw] | None:
    """One card of these for each place, which an antenna sees there; None where a place has none."""
    found: list[Draw] = []
    for slot in slots:
        lies = next((draw for draw in draws if state.felt.spot_of(draw) == slot.spot and draw not in found), None)
        if lies is None:
            return None
        found.append(lies)
    return found
