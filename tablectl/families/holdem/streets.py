"""The plans of flop, turn and river, as earlier cards that came too soon have changed them."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.rulebook import DEALT, REOPEN, Kind
from tablectl.core.engine.slots import BOARD, BURN, Slot
from tablectl.families.holdem import stub
from tablectl.families.holdem.state import HoldemState

FLOP, TURN, RIVER = range(3)
N_STREETS: Final = 3
_BURN, _BOARD = BURN[0].spot, BOARD[0].spot


def is_burn(slot: Slot) -> bool:
    """Whether the card that belongs there is burnt."""
    return slot.spot == _BURN


def plan_of(state: HoldemState, street: int) -> tuple[Slot, ...]:
    """What is still to be dealt in this street: without burns that were made already, or are not made (THL-CRE-5 to
    -7: "sin quemar ninguna")."""
    phase = next((candidate for candidate in state.rulebook.phases.values() if candidate.street == street), None)
    if phase is None or phase.plan is None:
        return ()
    early, at = state.early, state.deal.at
    made = phase.plan(state.order)
    if street == TURN and early.burns_again:
        made = tuple(free_burn(state) if is_burn(slot) else slot for slot in made)
    if street == RIVER and early.river_without_burn:
        made = tuple(slot for slot in made if not is_burn(slot))
    spent = early.spent
    left = tuple([slot for slot in made if slot not in at and slot not in spent])
    # Where every common card of the street lies there, nothing is burnt for it.
    return left if any(slot.spot == _BOARD for slot in left) else ()


def free_burn(state: HoldemState, *, beside: bool = False) -> Slot:
    """Where a burn goes that the document's plan does not have; `beside`: and which stands for none of its own."""
    taken = {*state.deal.at, *state.early.spent}
    return next((slot for slot in BURN[N_STREETS if beside else 0 :] if slot not in taken), BURN[-1])


def coming(state: HoldemState) -> list[Slot]:
    """The slots that the next cards out of the deck fill, in a round that is open; those that wait are the first."""
    number = state.phase.round
    if number is None:
        return []
    slots = [slot for street in range(number, N_STREETS) for slot in plan_of(state, street)]
    return slots[len(state.deal.waiting) :]


def begin(state: HoldemState) -> None:
    """A street's round is closed. THL-CRE-5: before the river, the turn that was shown too soon goes back into the
    stub, which is shuffled. Cards that were kept go to their places."""
    early, street = state.early, state.phase.street
    assert street is not None, "common cards are dealt"
    early.shown.clear()
    early.burns.clear()
    if street == RIVER and early.later:
        back, early.later = early.later, []
        stub.give_back(state, back)
    plan = plan_of(state, street)
    if early.kept:
        for slot in plan:
            if early.kept and not is_burn(slot):
                lay(state, early.kept.pop(0).number, slot)
        plan = tuple([slot for slot in plan if slot not in state.deal.at])
    state.deal.start(plan)
    if state.deal.due is None:
        state.fire(DEALT)


def deal_now(state: HoldemState, street: int) -> None:
    """AMB-18, AMB-19: cards of a street are dealt while the round before it is still open, which then goes on."""
    plan = plan_of(state, street)
    if plan and state.phase.kind is Kind.DECIDING and state.fire(REOPEN):
        state.entered = None
        state.deal.start(plan)


def lay(state: HoldemState, number: int, slot: Slot) -> None:
    """This card lies there now."""
    state.deal.lay(state.deal.draws[number - 1], slot)
    state.say(CardPlaced(draw=number, slot=slot))
