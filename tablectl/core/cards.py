"""The 52 cards of a French deck (TPC-CRD-1, THB-CRD-1 and the like in every document).

A `Card` never shows which card it is when it is printed, logged or put into a traceback: whoever wants to know has
to ask for `.code`, so every place where an identity is looked at can be found by searching for that word.
"""

from __future__ import annotations

from typing import Final, NoReturn

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
MASK: Final = "▒▒"


class Card:
    """One card, interned: two cards with the same face are the same object. Ordered by nothing."""

    __slots__ = ("_code", "index")

    #: 0..51 as rank * 4 + suit (clubs, diamonds, hearts, spades), deuce of clubs first.
    index: int

    def __init__(self) -> None:
        raise TypeError("cards are not made; take one with card('As')")

    @property
    def code(self) -> str:
        """Two characters, rank and suit: `As`, `Td`, `2c`. The one way to learn a card's identity as text."""
        return self._code

    @property
    def rank(self) -> int:
        """2..14; the ace is 14 (that it can also stand before the two is the hand ranking's affair)."""
        return self.index // 4 + 2

    @property
    def suit(self) -> str:
        """One of `cdhs`."""
        return SUITS[self.index % 4]

    def __repr__(self) -> str:
        return MASK

    def __format__(self, spec: str) -> str:
        return MASK

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a card is not serialised; the journal seals it")

    _code: str


def _make(index: int) -> Card:
    made = Card.__new__(Card)
    made.index = index
    made._code = RANKS[index // 4] + SUITS[index % 4]
    return made


#: One of each (THB-CRD-1, TPC-CRD-1).
DECK: Final[tuple[Card, ...]] = tuple(_make(index) for index in range(52))
_BY_CODE: Final = {deck_card.code: deck_card for deck_card in DECK}


class NotACard(ValueError):
    """The text names no card of a French deck."""


def card(code: str) -> Card:
    """The card with this two-character code. Raises `NotACard` (which repeats the text) for anything else."""
    try:
        return _BY_CODE[code]
    except KeyError:
        raise NotACard(f"{code!r} is no card: a rank of {RANKS} and a suit of {SUITS}, as in As or Td") from None


def cards(codes: str) -> tuple[Card, ...]:
    """Several cards from text, separated by blanks."""
    return tuple(card(code) for code in codes.split())
