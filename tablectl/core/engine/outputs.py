"""What must be visible outside after a record: which keys are lit and what the tower light says. Pure, and levels
rather than edges, so that a device that comes back is right at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tablectl.core.engine.prompt import Instruction, Prompt
from tablectl.core.engine.vocabulary import Key


class Signal(StrEnum):
    """What the tower light tells a room."""

    OFF = "off"
    IDLE = "idle"
    PLAY = "play"
    QUESTION = "question"
    PIT_BOSS = "pit-boss"
    FAULT = "fault"


@dataclass(frozen=True, kw_only=True, slots=True)
class Outputs:
    """The outside of a table. `refused` is a key that was pressed in vain just now."""

    lit: tuple[Key, ...]
    signal: Signal
    card_due: bool
    refused: Key | None = None


#: The controller ended in order, or it must not go on.
OFF = Outputs(lit=(), signal=Signal.OFF, card_due=False)
DARK = Outputs(lit=(), signal=Signal.FAULT, card_due=False)


def outputs(prompt: Prompt, *, refused: Key | None) -> Outputs:
    """What follows from what the croupier is told."""
    return Outputs(
        lit=prompt.keys,
        signal=_signal(prompt),
        card_due=prompt.instruction is Instruction.DEAL and not prompt.held,
        refused=refused,
    )


def _signal(prompt: Prompt) -> Signal:
    match prompt.instruction:
        case Instruction.WAIT_PIT_BOSS | Instruction.WAIT_SHOE:
            return Signal.PIT_BOSS
        case Instruction.ANSWER | Instruction.NAME_CARD | Instruction.COLLECT | Instruction.DECLARE:
            return Signal.QUESTION
        case Instruction.NEW_HAND | Instruction.SIGN_ON:
            return Signal.IDLE
        case _:
            return Signal.PLAY
