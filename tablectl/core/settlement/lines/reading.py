"""What the lines of `tablectl settle` have in common: cards, amounts, seats, and mistakes by field."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tablectl.core.cards import Card, NotACard, card
from tablectl.core.validation import Mistake, one_of, one_of_near

MAX_AMOUNT: Final = 10**15
MOST_SHOWN: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class LineReading:
    """The reading of one line: each method takes a value and the name of its field, and notes what is wrong with it.

    None (or an empty object) means that something was noted.
    """

    where: str
    mistakes: list[Mistake] = field(default_factory=list)

    def wrong(self, key: str, found: str, right: str) -> None:
        """Note a mistake."""
        self.mistakes.append(Mistake(where=self.where, key=key, found=found, right=right))

    def seat_number(self, value: object, key: str, *, most: int, clause: str) -> int | None:
        """A seat from 1 to `most`; the clause says why there are no more."""
        if type(value) is int and 1 <= value <= most:
            return value
        self.wrong(key, shown(value), f"a seat from 1 to {most} ({clause})")
        return None

    def seats_once(self, numbers: Iterable[int]) -> None:
        """No seat comes twice."""
        for number, times in Counter(numbers).items():
            if times > 1:
                self.wrong("seats", f"seat {number} {times} times", "every seat once")

    def truth(self, value: object, key: str) -> bool | None:
        """True or false."""
        if isinstance(value, bool):
            return value
        self.wrong(key, shown(value), "true or false")
        return None

    def amount(self, value: object, key: str, *, least: int = 0) -> int | None:
        """An amount of money."""
        if type(value) is int and least <= value <= MAX_AMOUNT:
            return value
        self.wrong(key, shown(value), f"an integer of the smallest unit of money, {least} to {MAX_AMOUNT}")
        return None

    def cards(self, value: object, key: str, *, counts: Sequence[int]) -> tuple[Card, ...] | None:
        """As many cards as one of `counts` says."""
        if not isinstance(value, list) or len(value) not in counts:
            found = f"{len(value)} cards" if isinstance(value, list) else shown(value)
            many = " or ".join(str(count) for count in counts)
            self.wrong(key, found, f'a list of {many} cards, such as "As" or "Td"')
            return None
        read = [self.one_card(entry, f"{key}[{index}]") for index, entry in enumerate(value)]
        cards = tuple(entry for entry in read if entry is not None)
        return cards if len(cards) == len(read) else None

    def one_card(self, value: object, key: str) -> Card | None:
        """One card, from its two characters."""
        if isinstance(value, str):
            try:
                return card(value)
            except NotACard:
                pass
        self.wrong(key, shown(value), 'rank (23456789TJQKA) and suit (cdhs), as in "As" or "Td"')
        return None

    def one_place_each(self, places: Iterable[tuple[str, Sequence[Card]]], *, clause: str) -> None:
        """A card of the one deck lies in one place."""
        found: dict[str, list[str]] = {}
        for place, cards in places:
            for lying in cards:
                found.setdefault(lying.code, []).append(place)
        for code, at in found.items():
            if len(at) > 1:
                self.wrong("cards", f"{code} at {' and '.join(at)}", f"every card once ({clause})")

    def object_of(
        self, value: object, key: str, *, known: Sequence[str], required: Sequence[str]
    ) -> Mapping[str, object]:
        """An object with these fields; empty where it is none."""
        if not isinstance(value, dict):
            self.wrong(key, shown(value), f"an object with {one_of(known)}")
            return {}
        for name in value:
            if name not in known:
                self.wrong(f"{key}.{name}", "a field that does not belong there", one_of_near(name, known))
        for name in required:
            if name not in value:
                self.wrong(f"{key}.{name}", "nothing", "a value, which cannot be left out")
        return value


def shown(value: object) -> str:
    """What was found, short enough for one line of a terminal."""
    text = json.dumps(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."
