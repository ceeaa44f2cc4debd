"""Which seat a prompt is about, and whether a seat's key then means a number: for controller and screens alike."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.vocabulary import SEAT_KEYS

#: Instructions that are about a seat: whose action, cards or hand the next key is about.
_ABOUT_A_SEAT: Final = frozenset({"ask-seat", "speak", "show-hand", "ask-cards", "put-away"})
#: Where a seat's key says how many (FCD-DSC-4): the instruction, and the questions.
_ASKS_A_NUMBER: Final = "ask-cards"
_NUMBERS: Final = frozenset({"count-cards", "count-lap"})
#: What a panel is on record to have said, with the key's number, when it came again too soon to be another press.
REPEATED_KEY: Final = "repeated-key"


def seat_of(instruction: str, about: str) -> int | None:
    """The seat that a prompt is about; None where it is about none."""
    if instruction not in _ABOUT_A_SEAT:
        return None
    number = about.rpartition("-")[2]
    return int(number) if number.isdigit() else None


def asks_a_number(instruction: str, question: str | None) -> bool:
    """Whether a prompt asks how many, so that the same digit may well be said twice in a row."""
    return instruction == _ASKS_A_NUMBER or question in _NUMBERS


def is_digit(key: str, instruction: str, question: str | None) -> bool:
    """Whether a key means a number there."""
    return key in SEAT_KEYS and asks_a_number(instruction, question)
