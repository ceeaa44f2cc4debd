"""What the croupier has to do now, as data: the screen puts it into words, the panel lights the keys that are live.

Only this module knows in which order things are asked for when several wait.
"""

from __future__ import annotations

from enum import StrEnum

from tablectl.engine.keys import live
from tablectl.engine.rulebook import Kind
from tablectl.engine.state import State
from tablectl.engine.words import Key, Question
from tablectl.records import record


class Instruction(StrEnum):
    """One thing to do."""

    NEW_HAND = "new-hand"
    TAKE_BETS = "take-bets"
    DEAL = "deal"
    ASK_SEAT = "ask-seat"
    REVEAL_BANK = "reveal-bank"
    SETTLE = "settle"
    COLLECT = "collect"
    NAME_CARD = "name-card"
    ANSWER = "answer"
    WAIT_PIT_BOSS = "wait-pit-boss"
    WAIT_SHOE = "wait-shoe"


@record
class Prompt:
    """The instruction, what it is about (a slot, a seat, a question) and the keys that are live."""

    instruction: Instruction
    about: str
    keys: tuple[Key, ...]
    question: Question | None = None
    incident: int | None = None
    held: bool = False


def prompt(state: State) -> Prompt:
    """What the croupier is told now."""
    keys, held = live(state), state.held
    if state.shoe_lost is not None:
        return Prompt(
            instruction=Instruction.WAIT_SHOE, about="shoe", keys=keys, held=held, incident=state.shoe_lost.number
        )
    if state.asking:
        first = state.asking[0]
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
    instruction, about = _by_phase(state)
    return Prompt(instruction=instruction, about=about, keys=keys, held=held)


def _by_phase(state: State) -> tuple[Instruction, str]:
    if state.naming:
        slot = state.naming[0].slot
        return (Instruction.NAME_CARD, slot.name if slot is not None else "card")
    match state.phase.kind:
        case Kind.IDLE:
            return (Instruction.NEW_HAND, "deck")
        case Kind.BETTING:
            return (Instruction.TAKE_BETS, "bonus" if state.modifier else state.rulebook.entry_bet)
        case Kind.DEALING:
            due = state.deal.due
            return (Instruction.DEAL, due.name if due is not None else "")
        case Kind.DECIDING:
            return (Instruction.ASK_SEAT, f"seat-{state.turn}")
        case Kind.REVEALING:
            return (Instruction.REVEAL_BANK, "house")
        case Kind.SETTLING:
            return (Instruction.SETTLE, "bets")
        case Kind.VOIDED:
            return (Instruction.COLLECT, "cards")
