"""What the croupier has to do now, as data: the screen puts it into words, the panel lights the keys that are live.

Only this module knows in which order things are asked for when several wait; what a phase asks for its family knows.
"""

from __future__ import annotations

from dataclasses import replace

from tablectl.core.engine import staff
from tablectl.core.engine.declarations import asked_now, offers
from tablectl.core.engine.equipment import reader
from tablectl.core.engine.keys import live, undoes
from tablectl.core.engine.prompt import Instruction, Prompt
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import State


def prompt(state: State) -> Prompt:
    """What the croupier is told now."""
    told = state.family.completed(state, _told(state))
    if (number := undoes(state)) is not None:
        told = replace(told, undo=number)
    return replace(told, back=_back(state)) if state.deal.n_back else told


def _told(state: State) -> Prompt:
    keys, held = live(state), state.held
    if state.menu:
        about = state.menu[0] if len(state.menu) == 1 else "incidents"
        return Prompt(instruction=Instruction.DECLARE, about=about, keys=keys, held=held, offers=offers(state))
    if state.shoe_lost is not None:
        about, number = reader(state.setup), state.shoe_lost.number
        return Prompt(instruction=Instruction.WAIT_SHOE, about=about, keys=keys, held=held, incident=number)
    is_nobody_there = staff.is_missing(state)
    first = asked_now(state) if state.asking and not is_nobody_there else None
    if first is not None:
        return Prompt(
            instruction=Instruction.ANSWER,
            about=first.about,
            keys=keys,
            question=first.question,
            incident=first.incident.number if first.incident else None,
            held=held,
        )
    if state.ruling:
        number = min(state.ruling)
        clause = state.ruling[number].clause
        return Prompt(instruction=Instruction.WAIT_PIT_BOSS, about=clause, keys=keys, incident=number, held=held)
    if is_nobody_there:
        return Prompt(instruction=Instruction.SIGN_ON, about="croupier", keys=keys, held=held)
    if state.unnamed:
        slot = state.unnamed[0].slot
        about = slot.name if slot is not None else "card"
        return Prompt(instruction=Instruction.NAME_CARD, about=about, keys=keys, held=held)
    return state.family.prompt(state, keys)


def _back(state: State) -> tuple[int, ...]:
    return tuple(draw.number for draw in state.deal.draws if draw.is_back)


def in_every_game(state: State) -> tuple[Instruction, str]:
    """The instruction of a phase that is the same in all games, and what it is about: cards are dealt, or those of a
    void hand are collected."""
    phase, due = state.phase, state.deal.due
    if phase.kind is Kind.VOIDED:
        return Instruction.COLLECT, str(len(state.deal.draws))
    assert phase.kind is Kind.DEALING, f"{phase.name} is another one in each family"
    return Instruction.DEAL, due.name if due is not None else ""
