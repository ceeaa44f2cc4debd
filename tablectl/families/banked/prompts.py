"""What the croupier is told in a game against the bank."""

from __future__ import annotations

from tablectl.core.engine.prompt import Instruction, Prompt
from tablectl.core.engine.prompts import in_every_game
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Key
from tablectl.families.banked.state import BankedState


def prompt(state: BankedState, keys: tuple[Key, ...]) -> Prompt:
    """What is to be done in the phase in force."""
    instruction, about = _instruction(state)
    return Prompt(instruction=instruction, about=about, keys=keys, held=state.held)


def _instruction(state: BankedState) -> tuple[Instruction, str]:
    match state.phase.kind:
        case Kind.IDLE:
            return Instruction.NEW_HAND, "deck"
        case Kind.BETTING:
            return Instruction.TAKE_BETS, _bet_asked_for(state)
        case Kind.DECIDING:
            return Instruction.ASK_SEAT, f"seat-{state.turn}"
        case Kind.CLAIMING:
            return Instruction.ASK_CLAIMS, _side_bet(state)
        case Kind.PAYING:
            return Instruction.PAY_CLAIMS, _side_bet(state)
        case Kind.REVEALING:
            return Instruction.REVEAL_BANK, "house"
        case Kind.SETTLING:
            return Instruction.SETTLE, "bets"
        case _:
            return in_every_game(state)


def _bet_asked_for(state: BankedState) -> str:
    extra = state.rulebook.extra_bet
    return extra if state.modifier and extra is not None else state.rulebook.entry_bet


def _side_bet(state: BankedState) -> str:
    return state.rulebook.side_bet.bet if state.rulebook.side_bet is not None else ""
