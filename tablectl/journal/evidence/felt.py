"""How the hand ended, put together from its public records: where the cards lie and what became of every bet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from tablectl.core.engine.decisions import (
    BetReversed,
    BetSettled,
    BetsReturned,
    BetTaken,
    CardPlaced,
    CardTurned,
    Checked,
    Decision,
    Discards,
    Folded,
    HandClosed,
    HandVoided,
    LeftToBoxes,
    PhaseEntered,
    Ranked,
    Refund,
    Refused,
    SeatExpelled,
    SeatVoided,
    SeatWithdrawn,
    StubMade,
)
from tablectl.core.engine.facts import Named
from tablectl.core.public_table.table import SEATED
from tablectl.core.stream import Unknown
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
    settled: dict[str, BetSettled] = field(default_factory=dict)
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
        pays = [settled.pays for bet, settled in self.settled.items() if bet not in self.reversed]
        if not pays and (self.refunded or self.reversed):
            return 0
        known = [amount for amount in pays if amount is not None]
        return sum(known) if known and len(known) == len(pays) else None


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

    def take(self, recorded: Recorded) -> None:
        """One record more of the hand."""
        record, event = recorded.record, recorded.event
        if (draw := record.draw) is not None:
            self._cards[draw] = Card(draw=draw, code=self._revealed.get(draw), is_read=record.commitment is not None)
        self._back = frozenset(() if record.prompt is None else record.prompt.back)
        for decision in record.decisions:
            self._decide(decision)
        for draw in self._back:
            if (card := self._cards.get(draw)) is not None:
                card.slot, card.is_back = "", True
        if isinstance(event, Named) and not recorded.said(Refused):
            named = next((card for card in self._cards.values() if card.slot == event.slot), None)
            if named is not None:
                named.code, named.is_named = event.card.code, True

    def _decide(self, decision: Decision | Unknown) -> None:
        match decision:
            case CardPlaced() | CardTurned() | Discards() | StubMade():
                self._lay(decision)
            case PhaseEntered():
                for seat in self.seats.values():
                    seat.has_decided = False
            case BetsReturned():
                self._leave(decision.seat, decision.bettor)
            case LeftToBoxes():
                self._leave_to_boxes(decision.bet)
            case HandClosed():
                self.float_change = decision.float_change
            case Ranked():
                self.ranks[decision.spot] = decision.category
            case HandVoided():
                self.void = decision.clause
            case BetTaken() | Refund() | BetSettled() | BetReversed():
                self._bet(decision)
            case Checked() | Folded() | SeatVoided() | SeatWithdrawn() | SeatExpelled():
                self._player(decision)

    def _player(self, decision: Checked | Folded | SeatVoided | SeatWithdrawn | SeatExpelled) -> None:
        """What a seat's player did, or what became of his hand."""
        seat = self._seat(decision.seat, decision.bettor if isinstance(decision, Folded) else SEATED)
        match decision:
            case Checked():
                seat.has_decided = True
            case Folded():
                self._fold(seat)
            case SeatVoided():
                seat.is_void = True
            case SeatWithdrawn():
                self._withdraw(seat)
            case SeatExpelled():
                seat.is_expelled = True

    def _lay(self, decision: CardPlaced | CardTurned | Discards | StubMade) -> None:
        """Where cards come to lie."""
        match decision:
            case CardPlaced() if decision.draw in self._back:
                pass  # it is shown there and goes back at once: what lies there stays (FCD-SEA-2)
            case CardPlaced():
                for other in self._cards.values():
                    if other.slot == decision.slot.name:
                        other.slot = ""
                self._cards[decision.draw].slot = decision.slot.name
            case CardTurned():
                self._turn(self._cards[decision.draw], decision.slot.name)
            case Discards():
                self._put_away(decision)
            case StubMade():
                for card in [card for seat in decision.seats for card in self._discards.pop(seat, [])]:
                    card.slot = _IN_THE_STUB

    def _turn(self, card: Card, slot: str) -> None:
        """Where nobody saw which cards were put away, the one that is shown here changes places with the one that was
        taken to lie here."""
        other = next((each for each in self._cards.values() if each.slot == slot and each is not card), None)
        if other is not None:
            other.slot, card.slot = card.slot, slot

    def _put_away(self, discards: Discards) -> None:
        """FCD-DSC-10. Where nobody saw which cards these are, they are taken to be the last ones, as by the engine."""
        known = [self._cards[draw] for draw in discards.draws]
        others = [card for card in self.at(f"seat-{discards.seat}") if card not in known]
        gone = [*known, *others[len(others) - (discards.cards - len(known)) :]]
        for card in gone:
            card.slot = _AMONG_DISCARDS
        self._discards[discards.seat] = gone

    def _bet(self, decision: BetTaken | Refund | BetSettled | BetReversed) -> None:
        """What became of one bet."""
        seat, bet = self._seat(decision.seat, decision.bettor), decision.bet
        match decision:
            case BetTaken():
                seat.bets[bet], seat.has_decided = decision.amount, True
            case Refund():
                seat.refunded.add(bet)
            case BetSettled():
                seat.settled[bet] = decision
            case BetReversed():
                seat.reversed.add(bet)

    def _seat(self, seat: int, bettor: int) -> SeatResult:
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
                seat.bets[bet] = None

    def _leave(self, seat: int, bettor: int) -> None:
        """A standing bettor's bets, or with the seated player's all of the box."""
        gone = [key for key in self.seats if key == (seat, bettor) or (bettor == 1 and key[0] == seat)]
        for key in gone:
            del self.seats[key]


def _order(position: str) -> int:
    """A card dealt face up in a draw for the button has no number: it lies there alone."""
    return int(position) if position.isdigit() else 0
