"""One line of `tablectl settle texas-bonus`: from JSON to a hand that can be settled, and back (docs: interfaces).

A line is judged as a whole: every mistake in it is named, and nothing is settled unless there is none. What the
rules say about the hand itself is checked here too, with the clause: only hands that can happen are settled.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tablectl.cards import Card, NotACard, card
from tablectl.mistakes import Mistake, one_of, one_of_near
from tablectl.profile import TexasBonusProfile
from tablectl.settlement.banked import SeatResult, Settlement
from tablectl.settlement.ranking import Category
from tablectl.settlement.texas_bonus import BOARD_CARDS, FLOP_IN_ANTES, HOLE_CARDS, Bet, Bets, Seat, settle

MAX_SEATS: Final = 9  # THB-PLY-1, THB-TAB-1
MAX_AMOUNT: Final = 10**15
MOST_SHOWN: Final = 40

_LINE_FIELDS: Final = ("board", "house", "seats")
_SEAT_FIELDS: Final = ("seat", "cards", "bets", "folded")
_REQUIRED_OF_SEAT: Final = ("seat", "bets")
_BETS: Final = tuple(each.value for each in Bet)


def settle_line(line: object, *, where: str, profile: TexasBonusProfile) -> dict[str, Any] | list[Mistake]:
    """The result of one parsed line, ready to be written as JSON, or everything that is wrong with the line."""
    reading = _Reading(where=where)
    hand = reading.hand(line)
    if hand is None or reading.mistakes:
        return reading.mistakes
    return _as_json(settle(board=hand.board, house=hand.house, seats=hand.seats, profile=profile))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hand:
    board: tuple[Card, ...]
    house: tuple[Card, ...]
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """The reading of one line: each method takes a value and the name of its field, and notes what is wrong with it."""

    where: str
    mistakes: list[Mistake] = field(default_factory=list)

    def wrong(self, key: str, found: str, right: str) -> None:
        self.mistakes.append(Mistake(where=self.where, key=key, found=found, right=right))

    def hand(self, line: object) -> _Hand | None:
        fields = self.object_of(line, "line", known=_LINE_FIELDS, required=_LINE_FIELDS)
        board = self.cards(fields.get("board"), "board", counts=(BOARD_CARDS, 0)) if "board" in fields else None
        house = self.cards(fields.get("house"), "house", counts=(HOLE_CARDS,)) if "house" in fields else None
        seats = self.seats(fields["seats"]) if "seats" in fields else None
        if board is None or house is None or seats is None:
            return None
        self.one_place_each(board, house, seats)
        if not board and not all(each.folded for each in seats):
            self.wrong("board", "no cards", f"{BOARD_CARDS} cards, as somebody did not fold (THB-TAB-3)")
        return _Hand(board=board, house=house, seats=seats)

    def seats(self, value: object) -> tuple[Seat, ...] | None:
        if not isinstance(value, list) or not 1 <= len(value) <= MAX_SEATS:
            found = f"{len(value)} seats" if isinstance(value, list) else _shown(value)
            self.wrong("seats", found, f"a list of 1 to {MAX_SEATS} seats (THB-PLY-1)")
            return None
        read = [self.seat(each, f"seats[{index}]") for index, each in enumerate(value)]
        seats = tuple(each for each in read if each is not None)
        for number, times in Counter(each.seat for each in seats).items():
            if times > 1:
                self.wrong("seats", f"seat {number} {times} times", "every seat once")
        return seats if len(seats) == len(read) else None

    def seat(self, value: object, key: str) -> Seat | None:
        fields = self.object_of(value, key, known=_SEAT_FIELDS, required=_REQUIRED_OF_SEAT)
        number = self.seat_number(fields["seat"], f"{key}.seat") if "seat" in fields else None
        folded = self.folded(fields.get("folded", False), f"{key}.folded")
        bets = self.bets(fields["bets"], f"{key}.bets") if "bets" in fields else None
        if number is None or folded is None or bets is None:
            if fields.get("cards") is not None:
                self.cards(fields["cards"], f"{key}.cards", counts=(HOLE_CARDS,))
            return None
        self.bets_of_the_game(bets, f"{key}.bets", folded=folded)
        return self.seat_with_cards(number, fields.get("cards"), key, bets=bets, folded=folded)

    def seat_with_cards(self, number: int, value: object, key: str, *, bets: Bets, folded: bool) -> Seat | None:
        if value is None and folded and not bets.bonus:
            return Seat(seat=number, cards=None, bets=bets, folded=folded)
        if value is None:
            why = "the seat has a bonus bet (THB-BON-0)" if folded else "the seat did not fold"
            self.wrong(f"{key}.cards", "none", f"two cards, as {why}")
            return None
        cards = self.cards(value, f"{key}.cards", counts=(HOLE_CARDS,))
        return None if cards is None else Seat(seat=number, cards=(cards[0], cards[1]), bets=bets, folded=folded)

    def seat_number(self, value: object, key: str) -> int | None:
        if type(value) is int and 1 <= value <= MAX_SEATS:
            return value
        self.wrong(key, _shown(value), f"a seat from 1 to {MAX_SEATS} (THB-PLY-1)")
        return None

    def folded(self, value: object, key: str) -> bool | None:
        if isinstance(value, bool):
            return value
        self.wrong(key, _shown(value), "true or false")
        return None

    def bets(self, value: object, key: str) -> Bets | None:
        fields = self.object_of(value, key, known=_BETS, required=())
        if not isinstance(value, dict):
            return None
        amounts = {name: self.amount(fields.get(name, 0), f"{key}.{name}") for name in _BETS}
        known = {name: amount for name, amount in amounts.items() if amount is not None}
        return Bets(**known) if len(known) == len(_BETS) else None

    def amount(self, value: object, key: str) -> int | None:
        if type(value) is int and 0 <= value <= MAX_AMOUNT:
            return value
        self.wrong(key, _shown(value), f"an integer of the smallest unit of money, 0 to {MAX_AMOUNT}")
        return None

    def bets_of_the_game(self, bets: Bets, key: str, *, folded: bool) -> None:
        ante = bets.ante or 0
        if ante == 0:
            clause = "THB-DEV-3: no bonus without it" if bets.bonus else "THB-DEV-2: no cards without it"
            self.wrong(f"{key}.ante", "no ante", f"an ante ({clause})")
        elif folded:
            for name, amount in ((Bet.FLOP, bets.flop), (Bet.TURN, bets.turn), (Bet.RIVER, bets.river)):
                if amount:
                    self.wrong(f"{key}.{name}", str(amount), "nothing, as the seat folded instead (THB-DEV-11)")
        else:
            self.later_bets(bets, key, ante)

    def later_bets(self, bets: Bets, key: str, ante: int) -> None:
        if bets.flop != FLOP_IN_ANTES * ante:
            right = f"{FLOP_IN_ANTES * ante}, twice the ante (THB-DEV-11)"
            self.wrong(f"{key}.flop", str(bets.flop), right)
        for name, amount, clause in ((Bet.TURN, bets.turn, "THB-DEV-15"), (Bet.RIVER, bets.river, "THB-DEV-20")):
            if amount not in {0, ante}:
                self.wrong(f"{key}.{name}", str(amount), f"{ante}, exactly the ante, or nothing ({clause})")

    def cards(self, value: object, key: str, *, counts: Sequence[int]) -> tuple[Card, ...] | None:
        if not isinstance(value, list) or len(value) not in counts:
            found = f"{len(value)} cards" if isinstance(value, list) else _shown(value)
            many = " or ".join(str(each) for each in counts)
            self.wrong(key, found, f'a list of {many} cards, such as "As" or "Td"')
            return None
        read = [self.one_card(each, f"{key}[{index}]") for index, each in enumerate(value)]
        cards = tuple(each for each in read if each is not None)
        return cards if len(cards) == len(read) else None

    def one_card(self, value: object, key: str) -> Card | None:
        if isinstance(value, str):
            try:
                return card(value)
            except NotACard:
                pass
        self.wrong(key, _shown(value), 'rank (23456789TJQKA) and suit (cdhs), as in "As" or "Td"')
        return None

    def one_place_each(self, board: Sequence[Card], house: Sequence[Card], seats: Sequence[Seat]) -> None:
        """A card of the one deck lies in one place (THB-CRD-1)."""
        places: dict[str, list[str]] = {}
        for key, cards in (("board", board), ("house", house), *((f"seat {s.seat}", s.cards or ()) for s in seats)):
            for each in cards:
                places.setdefault(each.code, []).append(key)
        for code, found in places.items():
            if len(found) > 1:
                self.wrong("cards", f"{code} at {' and '.join(found)}", "every card once (THB-CRD-1)")

    def object_of(
        self, value: object, key: str, *, known: Sequence[str], required: Sequence[str]
    ) -> Mapping[str, object]:
        if not isinstance(value, dict):
            self.wrong(key, _shown(value), f"an object with {one_of(known)}")
            return {}
        for name in value:
            if name not in known:
                self.wrong(f"{key}.{name}", "a field that does not belong there", one_of_near(name, known))
        for name in required:
            if name not in value:
                self.wrong(f"{key}.{name}", "nothing", "this field")
        return value


def _shown(value: object) -> str:
    """What was found, short enough for one line of a terminal."""
    text = json.dumps(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def _as_json(settlement: Settlement) -> dict[str, Any]:
    house = settlement.house
    return {
        "seats": [_seat_as_json(each) for each in settlement.seats],
        "house": {"plays": house.plays, "hand": _named(house.category)},
    }


def _seat_as_json(result: SeatResult) -> dict[str, Any]:
    bets = {each.bet: {"stake": each.stake, "outcome": each.outcome, "pays": each.pays} for each in result.bets}
    return {"seat": result.seat, "net": result.net, "bets": bets}


def _named(category: Category | None) -> str | None:
    return None if category is None else category.en
