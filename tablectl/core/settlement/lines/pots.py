"""One line of `tablectl settle` for a game with pots: from JSON to a hand, and back (docs: interfaces).

A line is judged as a whole: every mistake in it is named, and nothing is settled unless there is none. What differs
from game to game is a `PotGame`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tablectl.core.cards import Card
from tablectl.core.settlement.lines.reading import LineReading, shown
from tablectl.core.settlement.pot_rules import OddChip, PotRules
from tablectl.core.settlement.pots import Amount, PotResult, PotSettlement, Stake, settle
from tablectl.core.settlement.ranking import strength
from tablectl.core.validation import Mistake

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 10

_SEAT_FIELDS: Final = ("seat", "cards", "put_in", "dead", "folded")
_REQUIRED_OF_SEAT: Final = ("seat", "put_in")


@dataclass(frozen=True, slots=True, kw_only=True)
class PotGame:
    """What a game makes of the common shape of a line.

    `boards` is how many board cards there can be, the whole board first; fewer only if one seat alone is still in. A
    clause says how many seats there are, why a card lies in one place, and why cards and board are needed.
    """

    fields: tuple[str, ...]
    required: tuple[str, ...]
    boards: tuple[int, ...]
    own_cards: int
    seats_clause: str
    deck_clause: str
    showdown_clause: str


_OF_EVERY_GAME: Final = ("button", "last_aggressor", "smallest_chip", "seats")
_REQUIRED: Final = ("button", "smallest_chip", "seats")


def holdem_lines(*, seats_clause: str, deck_clause: str, showdown_clause: str) -> PotGame:
    """The lines of a game with two cards of one's own and five common ones."""
    return PotGame(
        fields=("board", *_OF_EVERY_GAME),
        required=("board", *_REQUIRED),
        boards=(5, 4, 3, 0),
        own_cards=2,
        seats_clause=seats_clause,
        deck_clause=deck_clause,
        showdown_clause=showdown_clause,
    )


def draw_lines(*, seats_clause: str, deck_clause: str, showdown_clause: str) -> PotGame:
    """The lines of a game with five cards of one's own. `carried` is the pot that hands which nobody opened left behind
    (FCD-WIN-5)."""
    return PotGame(
        fields=(*_OF_EVERY_GAME, "carried"),
        required=_REQUIRED,
        boards=(0,),
        own_cards=5,
        seats_clause=seats_clause,
        deck_clause=deck_clause,
        showdown_clause=showdown_clause,
    )


def settle_line(line: object, *, where: str, game: PotGame, rules: PotRules) -> dict[str, Any] | list[Mistake]:
    """The result of one parsed line, ready to be written as JSON, or everything that is wrong with the line."""
    reading = _Reading(where=where, game=game, rules=rules)
    hand = reading.hand(line)
    if hand is None or reading.mistakes:
        return reading.mistakes
    return as_json(
        settle(
            [_stake(seat, hand.board) for seat in hand.seats],
            button=hand.button,
            last_aggressor=hand.last_aggressor,
            smallest_chip=hand.smallest_chip,
            rules=rules,
            carried=hand.carried,
        ),
        rules,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _SeatRead:
    """A seat of a line: its cards if they are told, and what it put in, dead money apart."""

    seat: int
    cards: tuple[Card, ...] | None
    bets: int
    dead: int
    folded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _HandRead:
    """A line that can be settled."""

    board: tuple[Card, ...]
    button: int
    last_aggressor: int | None
    smallest_chip: int
    carried: int
    seats: tuple[_SeatRead, ...]


def _stake(read: _SeatRead, board: tuple[Card, ...]) -> Stake:
    shows = read.cards is not None and not read.folded and len(board) + len(read.cards) >= 5
    return Stake(
        seat=read.seat,
        bets=read.bets,
        dead=read.dead,
        folded=read.folded,
        strength=strength((*board, *(read.cards or ()))) if shows else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading(LineReading):
    """The reading of one line."""

    game: PotGame
    rules: PotRules

    def hand(self, line: object) -> _HandRead | None:
        aggressor_decides = self.rules.odd_chip is not OddChip.CLOCKWISE
        required = (*self.game.required, *(("last_aggressor",) if aggressor_decides else ()))
        fields = self.object_of(line, "line", known=self.game.fields, required=required)
        board = self.cards(fields.get("board", []), "board", counts=self.game.boards)
        button = self.number(fields["button"], "button") if "button" in fields else None
        chip = self.amount(fields["smallest_chip"], "smallest_chip", least=1) if "smallest_chip" in fields else None
        carried = self.amount(fields.get("carried", 0), "carried")
        seats = self.seats(fields["seats"]) if "seats" in fields else None
        told = fields.get("last_aggressor")
        aggressor = None if told is None else self.number(told, "last_aggressor")
        if board is None or button is None or chip is None or carried is None or seats is None:
            return None
        self.one_of_them(aggressor, seats)
        self.who_shows(board, seats)
        places = (("board", board), *((f"seat {seat.seat}", seat.cards or ()) for seat in seats))
        self.one_place_each(places, clause=self.game.deck_clause)
        return _HandRead(
            board=board, button=button, last_aggressor=aggressor, smallest_chip=chip, carried=carried, seats=seats
        )

    def number(self, value: object, key: str) -> int | None:
        return self.seat_number(value, key, most=MOST_SEATS, clause=self.game.seats_clause)

    def seats(self, value: object) -> tuple[_SeatRead, ...] | None:
        if not isinstance(value, list) or not FEWEST_SEATS <= len(value) <= MOST_SEATS:
            found = f"{len(value)} seats" if isinstance(value, list) else shown(value)
            right = f"a list of {FEWEST_SEATS} to {MOST_SEATS} seats ({self.game.seats_clause})"
            self.wrong("seats", found, right)
            return None
        read = [self.seat(entry, f"seats[{index}]") for index, entry in enumerate(value)]
        seats = tuple(seat for seat in read if seat is not None)
        self.seats_once(seat.seat for seat in seats)
        return seats if len(seats) == len(read) else None

    def seat(self, value: object, key: str) -> _SeatRead | None:
        fields = self.object_of(value, key, known=_SEAT_FIELDS, required=_REQUIRED_OF_SEAT)
        number = self.number(fields["seat"], f"{key}.seat") if "seat" in fields else None
        put_in = self.amount(fields["put_in"], f"{key}.put_in") if "put_in" in fields else None
        dead = self.amount(fields.get("dead", 0), f"{key}.dead")
        folded = self.truth(fields.get("folded", False), f"{key}.folded")
        told = fields.get("cards")
        cards = None if told is None else self.cards(told, f"{key}.cards", counts=(self.game.own_cards,))
        if number is None or put_in is None or dead is None or folded is None or (told is not None and cards is None):
            return None
        if dead > put_in:
            self.wrong(f"{key}.dead", str(dead), f"{put_in} at most, as it is a part of put_in")
            return None
        return _SeatRead(seat=number, cards=cards, bets=put_in - dead, dead=dead, folded=folded)

    def one_of_them(self, aggressor: int | None, seats: Iterable[_SeatRead]) -> None:
        numbers = [seat.seat for seat in seats]
        if aggressor is not None and aggressor not in numbers:
            right = f"{' or '.join(str(number) for number in numbers)}, or null if nobody bet or raised"
            self.wrong("last_aggressor", str(aggressor), right)

    def who_shows(self, board: Sequence[Card], seats: Sequence[_SeatRead]) -> None:
        """Where two are still in they show, on a whole board; somebody must be."""
        still_in = [index for index, seat in enumerate(seats) if not seat.folded]
        if not still_in:
            self.wrong("seats", "all folded", "one seat at least that did not")
        if len(still_in) < FEWEST_SEATS:
            return
        why = f"as {len(still_in)} seats did not fold ({self.game.showdown_clause})"
        if len(board) < self.game.boards[0]:
            self.wrong("board", f"{len(board)} cards" if board else "no cards", f"{self.game.boards[0]} cards, {why}")
        for index in still_in:
            if seats[index].cards is None:
                self.wrong(f"seats[{index}].cards", "none", f"{self.game.own_cards} cards, {why}")


def as_json(settlement: PotSettlement, rules: PotRules) -> dict[str, Any]:
    """A settled hand in the published shape; the fee is told where the house takes one."""
    takes_fee = rules.rake.rate > 0
    return {
        "pots": [_pot_as_json(pot) | ({"rake": pot.rake} if takes_fee else {}) for pot in settlement.pots],
        "returned": _by_seat(settlement.returned),
        "net": _by_seat(settlement.nets),
    } | ({"rake": settlement.rake} if takes_fee else {})


def _pot_as_json(pot: PotResult) -> dict[str, Any]:
    return {
        "amount": pot.amount,
        "eligible": list(pot.eligible),
        "winners": list(pot.winners),
        "awards": _by_seat(pot.awards),
    }


def _by_seat(amounts: Iterable[Amount]) -> dict[str, int]:
    return {str(amount.seat): amount.amount for amount in amounts}
