"""How the hand ended, put together from its public records: where the cards lie and what became of every bet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablectl.evidence.hand import Hand, Recorded


@dataclass(kw_only=True, slots=True)
class Card:
    """One card of the hand. `code` is there where the rules showed it, or a person named it."""

    draw: int
    code: str | None
    is_read: bool
    slot: str = ""
    is_named: bool = False


@dataclass(kw_only=True, slots=True)
class SeatResult:
    """One seat: its bets in the order in which they were made, and what became of them."""

    seat: int
    bets: dict[str, int | None] = field(default_factory=dict)
    settled: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    refunded: set[str] = field(default_factory=set)
    is_folded: bool = False
    is_void: bool = False

    @property
    def net(self) -> int | None:
        """What the seat wins or loses beside its stakes; None while nothing is decided or without amounts."""
        pays = [each["pays"] for each in self.settled.values()]
        if not pays and self.refunded:
            return 0
        return sum(pays) if pays and None not in pays else None


class Felt:
    """The table as the last record of the hand left it."""

    def __init__(self, hand: Hand) -> None:
        self.seats: dict[int, SeatResult] = {}
        self.ranks: dict[str, str] = {}
        self.void: str | None = None
        self._cards: dict[int, Card] = {}
        revealed = hand.revealed()
        for record in hand.records:
            self._take(record, revealed)

    def at(self, spot: str) -> list[Card]:
        """The cards that lie there, in order."""
        found = [each for each in self._cards.values() if each.slot.partition(".")[0] == spot]
        return sorted(found, key=lambda each: int(each.slot.partition(".")[2]))

    def by_draw(self, draw: int | None) -> Card | None:
        """A card by its number in the order of drawing."""
        return self._cards.get(draw) if draw is not None else None

    @property
    def waiting(self) -> list[Card]:
        """Cards that are out of the shoe and were given no place."""
        return [each for each in self._cards.values() if not each.slot]

    @property
    def has_named(self) -> bool:
        """Whether a person said of some card which one it is."""
        return any(each.is_named for each in self._cards.values())

    @property
    def players(self) -> Iterable[SeatResult]:
        """The seats of the hand, in order."""
        return [self.seats[seat] for seat in sorted(self.seats)]

    def _take(self, record: Recorded, revealed: Mapping[int, str]) -> None:
        fact = record.fact
        if (draw := fact.get("draw")) is not None:
            self._cards[draw] = Card(draw=draw, code=revealed.get(draw), is_read=fact.get("card") is not None)
        for said in record.public["decisions"]:
            self._decide(said)
        if fact["kind"] == "named" and not record.said("refused"):
            named = next((each for each in self._cards.values() if each.slot == fact["slot"]), None)
            if named is not None:
                named.code, named.is_named = fact["card"], True

    def _decide(self, said: Mapping[str, Any]) -> None:
        match said["kind"]:
            case "card-placed":
                for other in self._cards.values():
                    if other.slot == said["slot"]:
                        other.slot = ""
                self._cards[said["draw"]].slot = said["slot"]
            case "bet-taken":
                self._seat(said).bets[said["bet"]] = said["amount"]
            case "bets-returned":
                self.seats.pop(said["seat"], None)
            case "folded":
                self._seat(said).is_folded = True
            case "seat-voided":
                self._seat(said).is_void = True
            case "refund":
                self._seat(said).refunded.add(said["bet"])
            case "bet-settled":
                self._seat(said).settled[said["bet"]] = said
            case "ranked":
                self.ranks[said["spot"]] = said["category"]
            case "hand-voided":
                self.void = said["clause"]

    def _seat(self, said: Mapping[str, Any]) -> SeatResult:
        return self.seats.setdefault(said["seat"], SeatResult(seat=said["seat"]))
