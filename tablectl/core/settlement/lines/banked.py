"""One line of `tablectl settle` for a game against the house: from JSON to a hand, and back (docs: interfaces).

A line is judged as a whole: every mistake in it is named, and nothing is settled unless there is none. What the
rules say about the hand itself is checked here too, with the clause: only hands that can happen are settled. What
differs from game to game is a `BankedGame`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tablectl.core.cards import Card
from tablectl.core.settlement.banked import HOLE_CARDS, SeatResult, Settlement
from tablectl.core.settlement.lines.reading import LineReading, shown
from tablectl.core.settlement.ranking import Category
from tablectl.core.validation import Mistake

MAX_SEATS: Final = 9

_LINE_FIELDS: Final = ("board", "house", "seats")
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven")
_SEAT_FIELDS: Final = ("seat", "cards", "bets", "folded")
_REQUIRED_OF_SEAT: Final = ("seat", "bets")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRead:
    """A seat of a line: its cards if they are told, and every bet of the game, 0 for one that is not there."""

    seat: int
    cards: tuple[Card, ...] | None
    bets: Mapping[str, int]
    folded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRead:
    """A line that can be settled."""

    board: tuple[Card, ...]
    house: tuple[Card, ...]
    seats: tuple[SeatRead, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongBet:
    """A bet that the rules of the game do not allow beside the others of its seat."""

    bet: str
    found: str
    right: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BankedGame:
    """What a game makes of the common shape of a line.

    `boards` is how many board cards there can be, the whole board first; fewer only if every seat folded, and without
    common cards a line has no board. A clause says why there are no more than nine seats, why a card lies in one place,
    and why a whole board is needed. `hand` is how many cards a player and the bank have.
    """

    bets: tuple[str, ...]
    boards: tuple[int, ...]
    seats_clause: str
    deck_clause: str
    board_clause: str
    #: What is wrong with a folded seat's bets, and with those of a seat that stayed in.
    wrong_when_folded: Callable[[Mapping[str, int]], Iterator[WrongBet]]
    wrong_when_in: Callable[[Mapping[str, int]], Iterator[WrongBet]]
    #: What is wrong with any seat's bets; if anything is, the others are not asked.
    wrong_ante: Callable[[Mapping[str, int]], Iterator[WrongBet]]
    #: Bets that a fold does not end, and in words that the seat has one: its cards must be told then.
    outlive_fold: Mapping[str, str]
    hand: int = HOLE_CARDS

    @property
    def fields(self) -> tuple[str, ...]:
        """What a line has."""
        return _LINE_FIELDS if self.boards[0] else _LINE_FIELDS[1:]


def read_line(line: object, *, where: str, game: BankedGame) -> HandRead | list[Mistake]:
    """One parsed line, or everything that is wrong with it."""
    reading = _Reading(where=where, game=game)
    hand = reading.hand(line)
    return reading.mistakes if hand is None or reading.mistakes else hand


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading(LineReading):
    """The reading of one line."""

    game: BankedGame

    def hand(self, line: object) -> HandRead | None:
        known = self.game.fields
        fields = self.object_of(line, "line", known=known, required=known)
        board: tuple[Card, ...] | None = None if "board" in known else ()
        if board is None and "board" in fields:
            board = self.cards(fields["board"], "board", counts=self.game.boards)
        house = self.cards(fields.get("house"), "house", counts=(self.game.hand,)) if "house" in fields else None
        seats = self.seats(fields["seats"]) if "seats" in fields else None
        if board is None or house is None or seats is None:
            return None
        places = (("board", board), ("house", house), *((f"seat {seat.seat}", seat.cards or ()) for seat in seats))
        self.one_place_each(places, clause=self.game.deck_clause)
        self.whole_board(board, seats)
        return HandRead(board=board, house=house, seats=seats)

    def whole_board(self, board: Sequence[Card], seats: Sequence[SeatRead]) -> None:
        whole = self.game.boards[0]
        if len(board) < whole and not all(seat.folded for seat in seats):
            found = f"{len(board)} cards" if board else "no cards"
            self.wrong("board", found, f"{whole} cards, as somebody did not fold ({self.game.board_clause})")

    def seats(self, value: object) -> tuple[SeatRead, ...] | None:
        if not isinstance(value, list) or not 1 <= len(value) <= MAX_SEATS:
            found = f"{len(value)} seats" if isinstance(value, list) else shown(value)
            self.wrong("seats", found, f"a list of 1 to {MAX_SEATS} seats ({self.game.seats_clause})")
            return None
        read = [self.seat(entry, f"seats[{index}]") for index, entry in enumerate(value)]
        seats = tuple(seat for seat in read if seat is not None)
        self.seats_once(seat.seat for seat in seats)
        return seats if len(seats) == len(read) else None

    def seat(self, value: object, key: str) -> SeatRead | None:
        fields = self.object_of(value, key, known=_SEAT_FIELDS, required=_REQUIRED_OF_SEAT)
        number = self.number(fields["seat"], f"{key}.seat") if "seat" in fields else None
        folded = self.truth(fields.get("folded", False), f"{key}.folded")
        bets = self.bets(fields["bets"], f"{key}.bets") if "bets" in fields else None
        if number is None or folded is None or bets is None:
            if fields.get("cards") is not None:
                self.cards(fields["cards"], f"{key}.cards", counts=(self.game.hand,))
            return None
        self.bets_of_the_game(bets, f"{key}.bets", folded=folded)
        return self.seat_with_cards(number, fields.get("cards"), key, bets=bets, folded=folded)

    def seat_with_cards(
        self, number: int, value: object, key: str, *, bets: Mapping[str, int], folded: bool
    ) -> SeatRead | None:
        why = self.outlives_fold(bets) if folded else "the seat did not fold"
        if value is None and why is None:
            return SeatRead(seat=number, cards=None, bets=bets, folded=folded)
        if value is None:
            self.wrong(f"{key}.cards", "none", f"{_NUMBERS[self.game.hand]} cards, as {why}")
            return None
        cards = self.cards(value, f"{key}.cards", counts=(self.game.hand,))
        return None if cards is None else SeatRead(seat=number, cards=cards, bets=bets, folded=folded)

    def outlives_fold(self, bets: Mapping[str, int]) -> str | None:
        return next((words for bet, words in self.game.outlive_fold.items() if bets[bet]), None)

    def number(self, value: object, key: str) -> int | None:
        return self.seat_number(value, key, most=MAX_SEATS, clause=self.game.seats_clause)

    def bets(self, value: object, key: str) -> Mapping[str, int] | None:
        fields = self.object_of(value, key, known=self.game.bets, required=())
        if not isinstance(value, dict):
            return None
        amounts = {name: self.amount(fields.get(name, 0), f"{key}.{name}") for name in self.game.bets}
        known = {name: amount for name, amount in amounts.items() if amount is not None}
        return known if len(known) == len(amounts) else None

    def bets_of_the_game(self, bets: Mapping[str, int], key: str, *, folded: bool) -> None:
        later = self.game.wrong_when_folded if folded else self.game.wrong_when_in
        for wrong in tuple(self.game.wrong_ante(bets)) or later(bets):
            self.wrong(f"{key}.{wrong.bet}", wrong.found, wrong.right)


def as_json(settlement: Settlement) -> dict[str, Any]:
    """A settled hand in the published shape."""
    house = settlement.house
    return {
        "seats": [_seat_as_json(seat) for seat in settlement.seats],
        "house": {"plays": house.plays, "hand": _named(house.category)},
    }


def _seat_as_json(result: SeatResult) -> dict[str, Any]:
    bets = {bet.bet: {"stake": bet.stake, "outcome": bet.outcome, "pays": bet.pays} for bet in result.bets}
    return {"seat": result.seat, "net": result.net, "bets": bets}


def _named(category: Category | None) -> str | None:
    return None if category is None else category.word.replace("-", " ")
