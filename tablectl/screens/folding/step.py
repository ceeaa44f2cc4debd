"""What every step of the fold is made of: the view before, a fact or decision, and the record in which it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from tablectl.screens.model import SEATED, SeatView, TableView


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """What a decision stands in: its fact, its time, and how this table tracks bets."""

    seq: int
    at: str
    fact: Mapping[str, Any]
    decisions: tuple[Mapping[str, Any], ...]
    reveals: tuple[Mapping[str, Any], ...]
    #: the draws that are in the deck again
    back: frozenset[int] = frozenset()
    presence: bool


Step: TypeAlias = Callable[[TableView, Mapping[str, Any], Record], TableView]


def nothing(view: TableView, _said: Mapping[str, Any], _record: Record) -> TableView:
    """What has no place in the picture."""
    return view


def sit(view: TableView, seat: SeatView) -> TableView:
    """With this seat as it is now."""
    return replace(view, seats={**view.seats, seat.seat: seat})


def bettor_of(said: Mapping[str, Any]) -> int:
    """Whose bet a decision is about: who sits there, or who stands behind."""
    return int(said.get("bettor", SEATED))
