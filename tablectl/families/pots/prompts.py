"""What the croupier is told in a game between players."""

from __future__ import annotations

from tablectl.core.engine.prompt import Instruction, Prompt
from tablectl.core.engine.prompts import in_every_game
from tablectl.core.engine.rulebook import Kind, Part
from tablectl.core.engine.vocabulary import Key, Refusal, Tracking
from tablectl.families.pots import chips_down, opening, showdown
from tablectl.families.pots.state import PotGameState


def prompt(state: PotGameState, keys: tuple[Key, ...]) -> Prompt:
    """What is to be done, about whom, and with how much in the pot."""
    rounds = state.rounds
    pot, legal = rounds.pot if rounds is not None else None, None
    if state.phase.kind is Kind.DECIDING and state.setup.tracking is not Tracking.ROUNDS and rounds is not None:
        legal = chips_down.legal(state) if rounds.turn is not None else None
    instruction, about = state.family.instruction(state, keys) or _instruction(state)
    return Prompt(instruction=instruction, about=about, keys=keys, held=state.held, legal=legal, pot=pot)


def _instruction(state: PotGameState) -> tuple[Instruction, str]:
    match state.phase.kind:
        case Kind.IDLE:
            against = opening.why_no_hand(state)
            is_short = against is not None and against[0] is Refusal.NO_PLAYERS
            return Instruction.NEW_HAND, "players" if is_short else "deck"
        case Kind.BETTING if state.phase.part is Part.BUTTON:
            return Instruction.DRAW_BUTTON, "button"
        case Kind.BETTING:
            return Instruction.POST_BLINDS, f"seat-{state.positions.button}" if state.positions else ""
        case Kind.DECIDING if state.setup.tracking is Tracking.ROUNDS:
            return Instruction.CLOSE_ROUND, state.phase.name
        case Kind.DECIDING:
            return Instruction.SPEAK, f"seat-{state.chosen if state.chosen is not None else state.turn}"
        case Kind.REVEALING:
            return Instruction.SHOW_HAND, f"seat-{showdown.next_to_show(state)}"
        case Kind.SETTLING:
            return Instruction.DELIVER, "pot"
        case _:
            return in_every_game(state)
