"""How the hand ended, put together from its public records: where the cards lie and what became of every bet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tablectl.journal.evidence.hand import Hand, Recorded

#: The bet that a standing bettor takes back when he does not go on.
_ADDED: Final = "second"
#: Where cards are that were changed, those that are shuffled into a new stub, and those of a seat that were taken away.
_AMONG_DISCARDS: Final = "discard."
_IN_THE_STUB: Final = "stub."
_TAKEN_AWAY: Final = "taken."


@dataclass(kw_only=True, slots=True)
class Card:
    """One card of the hand. `code` is there where the rules showed it, or a person named it."""

    draw: int
    code: str | None
    is_read: bool
    slot: str = ""
    is_named: bool = False
    #: it went back into the deck: it lies nowhere, and whatever came of it later is another draw
    is_back: bool = False


@dataclass(kw_only=True, slots=True)
class SeatResult:
    """One bettor of a seat, 1 being who sits there: his bets in the order in which they were made, and what became of
    them. A bet that was settled and undone is `reversed`."""

    seat: int
    bettor: int = 1
    bets: dict[str, int | None] = field(default_factory=dict)
    settled: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    refunded: set[str] = field(default_factory=set)
    reversed: set[str] = field(default_factory=set)
    is_folded: bool = False
    #: without amounts: has said in the phase in force whether he bets
    has_decided: bool = False
    is_void: bool = False
    is_withdrawn: bool = False
    is_expelled: bool = False

    @property
    def name(self) -> str:
        """As the layout has it: `3`, and `3/2` for the second bettor of that box."""
        return str(self.seat) if self.bettor == 1 else f"{self.seat}/{self.bettor}"

    @property
    def net(self) -> int | None:
        """What the seat wins or loses beside its stakes; None while nothing is decided or without amounts."""
        pays = [each["pays"] for bet, each in self.settled.items() if bet not in self.reversed]
        if not pays and (self.refunded or self.reversed):
            return 0
        return sum(pays) if pays and None not in pays else None


class Felt:
    """The table as the last record of the hand left it."""

    def __init__(self, hand: Hand) -> None:
        self.seats: dict[tuple[int, int], SeatResult] = {}
        self.ranks: dict[str, str] = {}
        self.void: str | None = None
        #: what the table's float should have changed by; None without amounts or before the end
        self.float_change: int | None = None
        self._cards: dict[int, Card] = {}
        #: in a game with discards: what each seat put away
        self._discards: dict[int, list[Card]] = {}
        #: the draws that are in the deck again
        self._back: frozenset[int] = frozenset()
        self._revealed = hand.revealed()
        for record in hand.records:
            self.take(record)

    def at(self, spot: str) -> list[Card]:
        """The cards that lie there, in order."""
        found = [each for each in self._cards.values() if each.slot.partition(".")[0] == spot]
        return sorted(found, key=lambda each: _order(each.slot.partition(".")[2]))

    def by_draw(self, draw: int | None) -> Card | None:
        """A card by its number in the order of drawing."""
        return self._cards.get(draw) if draw is not None else None

    @property
    def cards(self) -> Iterable[Card]:
        """Every card of the hand, in the order of drawing."""
        return self._cards.values()

    @property
    def waiting(self) -> list[Card]:
        """Cards that are out of the shoe and were given no place."""
        return [each for each in self._cards.values() if not each.slot and not each.is_back]

    @property
    def is_laid(self) -> bool:
        """Whether a card lies anywhere but before the seats."""
        return any(not each.slot.startswith("seat-") and not each.is_back for each in self._cards.values())

    @property
    def has_named(self) -> bool:
        """Whether a person said of some card which one it is."""
        return any(each.is_named for each in self._cards.values())

    @property
    def players(self) -> Iterable[SeatResult]:
        """The seats of the hand in order, each with those who stand behind it."""
        return [self.seats[key] for key in sorted(self.seats)]

    def take(self, record: Recorded) -> None:
        """One record more of the hand."""
        fact = record.fact
        if (draw := fact.get("draw")) is not None:
            self._cards[draw] = Card(draw=draw, code=self._revealed.get(draw), is_read=fact.get("card") is not None)
        self._back = frozenset((record.public.get("prompt") or {}).get("back", ()))
        for said in record.public["decisions"]:
            self._decide(said)
        for draw in self._back:
            if (card := self._cards.get(draw)) is not None:
                card.slot, card.is_back = "", True
        if fact["kind"] == "named" and not record.said("refused"):
            named = next((each for each in self._cards.values() if each.slot == fact["slot"]), None)
            if named is not None:
                named.code, named.is_named = fact["card"], True

    def _decide(self, said: Mapping[str, Any]) -> None:
        match said["kind"]:
            case "card-placed" | "card-turned" | "discards" | "stub-made":
                self._lay(said)
            case "phase-entered":
                for seat in self.seats.values():
                    seat.has_decided = False
            case "bets-returned":
                self._leave(said["seat"], said.get("bettor", 1))
            case "left-to-boxes":
                self._leave_to_boxes(said["bet"])
            case "hand-closed":
                self.float_change = said.get("float_change")
            case "ranked":
                self.ranks[said["spot"]] = said["category"]
            case "hand-voided":
                self.void = said["clause"]
            case "bet-taken" | "refund" | "bet-settled" | "bet-reversed":
                self._bet(said)
            case "checked" | "folded" | "seat-voided" | "seat-withdrawn" | "seat-expelled":
                self._player(self._seat(said), said["kind"])

    def _player(self, seat: SeatResult, kind: str) -> None:
        """What a seat's player did, or what became of his hand."""
        match kind:
            case "checked":
                seat.has_decided = True
            case "folded":
                self._fold(seat)
            case "seat-voided":
                seat.is_void = True
            case "seat-withdrawn":
                self._withdraw(seat)
            case "seat-expelled":
                seat.is_expelled = True

    def _lay(self, said: Mapping[str, Any]) -> None:
        """Where cards come to lie."""
        match said["kind"]:
            case "card-placed" if said["draw"] in self._back:
                pass  # it is shown there and goes back at once: what lies there stays (FCD-SEA-2)
            case "card-placed":
                for other in self._cards.values():
                    if other.slot == said["slot"]:
                        other.slot = ""
                self._cards[said["draw"]].slot = said["slot"]
            case "card-turned":
                self._turn(self._cards[said["draw"]], said["slot"])
            case "discards":
                self._put_away(said)
            case "stub-made":
                for card in [each for seat in said["seats"] for each in self._discards.pop(seat, [])]:
                    card.slot = _IN_THE_STUB

    def _turn(self, card: Card, slot: str) -> None:
        """Where nobody saw which cards were put away, the one that is shown here changes places with the one that was
        taken to lie here."""
        other = next((each for each in self._cards.values() if each.slot == slot and each is not card), None)
        if other is not None:
            other.slot, card.slot = card.slot, slot

    def _put_away(self, said: Mapping[str, Any]) -> None:
        """FCD-DSC-10. Where nobody saw which cards these are, they are taken to be the last ones, as by the engine."""
        seat = said["seat"]
        known = [self._cards[draw] for draw in said["draws"]]
        others = [each for each in self.at(f"seat-{seat}") if each not in known]
        gone = [*known, *others[len(others) - (said["cards"] - len(known)) :]]
        for card in gone:
            card.slot = _AMONG_DISCARDS
        self._discards[seat] = gone

    def _bet(self, said: Mapping[str, Any]) -> None:
        """What became of one bet."""
        seat, bet = self._seat(said), said["bet"]
        match said["kind"]:
            case "bet-taken":
                seat.bets[bet], seat.has_decided = said["amount"], True
            case "refund":
                seat.refunded.add(bet)
            case "bet-settled":
                seat.settled[bet] = said
            case "bet-reversed":
                seat.reversed.add(bet)

    def _seat(self, said: Mapping[str, Any]) -> SeatResult:
        seat, bettor = said["seat"], said.get("bettor", 1)
        return self.seats.setdefault((seat, bettor), SeatResult(seat=seat, bettor=bettor))

    def _fold(self, seat: SeatResult) -> None:
        """A standing bettor who goes on no further takes back what he had added (AMB-41)."""
        seat.is_folded = True
        if seat.bettor != 1:
            seat.refunded |= {_ADDED} & set(seat.bets)

    def _withdraw(self, seat: SeatResult) -> None:
        """TPC-PLE-1: its cards lie no more before it."""
        seat.is_withdrawn = True
        for card in self.at(f"seat-{seat.seat}"):
            card.slot = f"{_TAKEN_AWAY}{seat.seat}"

    def _leave_to_boxes(self, bet: str) -> None:
        """Without amounts: each of those who were asked may have bet, and the croupier sees in the boxes who did
        (THB-DEV-16). What became of it stands in the settlement."""
        for (_, bettor), seat in self.seats.items():
            is_in = not (seat.is_folded or seat.is_void or seat.is_withdrawn)
            if bettor == 1 and is_in and not seat.has_decided:
                seat.bets[bet], seat.has_decided = None, True

    def _leave(self, seat: int, bettor: int) -> None:
        """A standing bettor's bets, or with the seated player's all of the box."""
        gone = [key for key in self.seats if key == (seat, bettor) or (bettor == 1 and key[0] == seat)]
        for key in gone:
            del self.seats[key]


def _order(position: str) -> int:
    """A card dealt face up in a draw for the button has no number: it lies there alone."""
    return int(position) if position.isdigit() else 0
