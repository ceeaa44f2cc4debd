"""What a play of a cell is: the steps of a hand with a fault in it, and where the fault comes about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tests.fault_matrix.felt_model import FeltModel, Truth
from tests.fault_matrix.hand_plans import Step, reached, steps_of

#: Where a fault of the deal comes about: after the card of the second lap that seat 1 got.
_IN_LAP_2: Final = {"texas-poker": 5, "texas-bonus": 5, "circle-holdem": 4, "open-holdem": 4}


#: Of a hand: what the croupier does, and where a fault comes about, that.
Steps: TypeAlias = list[Step | Callable[[FeltModel], None]]


@dataclass
class Play:
    """The steps of a hand with a fault in it, what is declared of it and what people know."""

    steps: Steps
    at: int
    declares: str
    truth: Truth


def key_of(entry: Mapping[str, Any]) -> tuple[str, str, str]:
    return entry["fault"], entry["place"], entry.get("variant", "")


def place_of(entry: Mapping[str, Any]) -> str:
    place: str = entry["place"]
    return {"seat": "seat-1", "bank": "house"}.get(place, place)


def index_of(entry: Mapping[str, Any]) -> int:
    """Before which step of the clean hand the fault comes about."""
    game, at = entry["game"], entry["at"]
    if at != "during-the-deal":
        return reached(game, at)
    begins = reached(game, "during-the-deal")
    if entry["place"] == "bank":
        return begins + 7  # the bank has its first card, all seats have two
    return begins + _IN_LAP_2[game]


def clean(entry: Mapping[str, Any]) -> Steps:
    """The hand without the fault."""
    return [*steps_of(entry["game"])]


def one_card(entry: Mapping[str, Any]) -> tuple[Steps, int, str] | None:
    """The hand without the fault, which step brings the card with which something is wrong, and where it is dealt."""
    steps = clean(entry)
    index = reached(entry["game"], "deal-ended") - 1 if entry["place"] == "bank" else index_of(entry)
    card = steps[index]
    return (steps, index, card.spot) if isinstance(card, Step) and card.spot is not None else None
