"""What a play of a cell is: the steps of a hand with a fault in it, and where the fault comes about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tablectl.core.engine.vocabulary import Declaration
from tests.fault_matrix.felt_model import FeltModel, Truth
from tests.fault_matrix.hand_plans import Step, reached, steps_of

#: Where a fault of the deal comes about: after the card of the second lap that seat 1 got.
_IN_LAP_2: Final = {"texas-poker": 5, "texas-bonus": 5, "circle-holdem": 4, "open-holdem": 4, "draw-poker": 4}


#: Of a hand: what the croupier does, and where a fault comes about, that.
Steps: TypeAlias = list[Step | Callable[[FeltModel], None]]


@dataclass
class Play:
    """The steps of a hand with a fault in it, what is declared of it and what people know."""

    steps: Steps
    at: int
    #: lines of a hand file, or what makes them when they are said
    declares: str | Callable[[FeltModel], str]
    truth: Truth
    #: a line that follows in any case: a demand
    then: str = ""
    #: what is declared is said before anybody answers what readers made the table ask: the clause wants a person's word
    is_said_first: bool = False
    #: the step before which it is told, where the moment is not enough to say it
    until: int | None = None
    #: the cards in the order of drawing, where they are others
    deck: str = ""
    #: what is said of the hand after the remedy, where a word of the engine does not say enough
    judge: Callable[[FeltModel, str], str] = lambda model, word: word
    #: what it led to before the moment at which it is noticed is another cell: questions are answered and forgotten
    is_old: bool = False


#: How a play is made of an entry of the table, with the moment of its cell.
Plays: TypeAlias = Mapping[tuple[str, str, str], Callable[[Mapping[str, Any]], Play | None]]
#: In place of a declaration: what each game has for something that is found when the pot is delivered.
CLAIMS: Final = "claims"


def claim_of(game: str) -> str:
    """What can be said of a hand that is over: a claim, where the game knows it, or the pit boss is called."""
    is_known = game in ("circle-holdem", "open-holdem", "draw-poker")
    return f"declare {Declaration.CLAIM} seat-1" if is_known else f"declare {Declaration.PIT_BOSS}"


def key_of(entry: Mapping[str, Any]) -> tuple[str, str, str]:
    """By what a play is found."""
    return entry["fault"], entry["place"], entry.get("variant", "")


def place_of(entry: Mapping[str, Any]) -> str:
    """The spot that a place of the table means."""
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
    """The hand without the fault, which step brings the card with which something is wrong, and where it is dealt: the
    next one to its place, or the last one, where the moment is that it is out."""
    steps = clean(entry)
    begins = reached(entry["game"], "deal-ended") - 1 if entry["place"] == "bank" else index_of(entry)
    place = entry["place"]
    for index in (begins, begins - 1):
        card = steps[index]
        if isinstance(card, Step) and card.spot is not None and (place == "seat" or card.spot == place_of(entry)):
            return steps, index, card.spot
    return None
