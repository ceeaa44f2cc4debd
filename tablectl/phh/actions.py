"""What happens in a hand history: one record for each kind of action, and the notation that they are written in.

The notation is that of the PHH format, "Required fields", section "Actions" (phh.readthedocs.io). Players count from 1
in the order of the deal. An unknown card is None. Amounts are integers of the smallest unit. `at` is the place of the
action in the array, from 1, so that a mistake or a difference can be found again in the file. No-operations and
commentaries are read over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final, TypeAlias

from tablectl.core.cards import Card, NotACard, card
from tablectl.core.records import record

#: What lies face down and was never seen.
UNKNOWN: Final = "??"
#: Written for the cards that were dealt, where they are shown.
AS_DEALT: Final = "-"

#: The most that any amount of a hand can be, in the file's unit.
MAX_AMOUNT: Final = 10**15
#: How many digits after the point a unit of money can have.
MOST_DECIMALS: Final = 6

Cards: TypeAlias = tuple[Card | None, ...]


@record
class HoleDealt:
    """The dealer gives a player cards face down (`d dh p1 AsKd`)."""

    at: int
    player: int
    cards: Cards


@record
class BoardDealt:
    """The dealer turns common cards up (`d db Jc3d5c`)."""

    at: int
    cards: Cards


@record
class Fold:
    """A player throws his hand away (`p1 f`)."""

    at: int
    player: int


@record
class CheckOrCall:
    """A player matches the highest bet, or as much of it as he has; nothing to match is a check (`p1 cc`)."""

    at: int
    player: int


@record
class BetOrRaise:
    """A player bets or raises to an amount, which is all that he put in during this round (`p1 cbr 60`)."""

    at: int
    player: int
    to: int


@record
class Show:
    """A player shows his cards (`p1 sm AsKd`); None for cards that were shown as they had been dealt (`p1 sm -`)."""

    at: int
    player: int
    cards: Cards | None


@record
class Muck:
    """A player gives his cards up unseen at the showdown (`p1 sm`)."""

    at: int
    player: int


Written: TypeAlias = HoleDealt | BoardDealt | Fold | CheckOrCall | BetOrRaise | Show | Muck


class BadAction(ValueError):
    """A notation that cannot be read; says what would be right."""


def amounts(texts: Iterable[str]) -> Iterator[Decimal]:
    """Every amount that these notations name, as far as they can be read."""
    for text in texts:
        words = text.partition("#")[0].split()
        if len(words) == _WORDS_OF_A_BET and words[1] == "cbr" and _AMOUNT.fullmatch(words[2]):
            yield Decimal(words[2])


def action(text: str, *, at: int, decimals: int) -> Written | None:
    """The action of one notation; None where it is empty or a commentary. Raises `BadAction` for anything else.

    An amount becomes an integer of the smallest unit, which is ten to the power of `-decimals`.
    """
    words = text.partition("#")[0].split()
    if not words:
        return None
    if words[0] == "d":
        return _dealt(words[1:], at)
    if len(words) == 1 or words[1] not in PLAYERS_WORDS:
        raise BadAction(_RIGHT)
    return _acted(_player(words[0]), words[1], words[2:], at=at, decimals=decimals)


_RIGHT: Final = "'d dh pN cards', 'd db cards', 'pN f', 'pN cc', 'pN cbr amount', 'pN sm' or 'pN sm cards'"
#: What a player does, and how it is written. `pb` and `sd` belong to other games than hold'em.
PLAYERS_WORDS: Final = {
    "f": "'pN f' and no more, or a commentary that begins with #",
    "cc": "'pN cc' and no more, or a commentary that begins with #",
    "cbr": "'pN cbr amount', with an amount such as 60 or 0.5, above 0 and no more than 10^15",
    "sm": "'pN sm', 'pN sm cards' or 'pN sm -'",
}
_WORDS_OF_A_BET: Final = 3
_PLAYER: Final = re.compile(r"p([1-9][0-9]?)")
_AMOUNT: Final = re.compile(rf"[0-9]+(\.[0-9]{{1,{MOST_DECIMALS}}})?")


def _dealt(words: list[str], at: int) -> Written:
    match words:
        case ["dh", player, cards]:
            return HoleDealt(at=at, player=_player(player), cards=_cards(cards))
        case ["db", cards]:
            return BoardDealt(at=at, cards=_cards(cards))
        case _:
            raise BadAction(_RIGHT)


def _acted(player: int, word: str, rest: list[str], *, at: int, decimals: int) -> Written:
    match word, rest:
        case "f", []:
            return Fold(at=at, player=player)
        case "cc", []:
            return CheckOrCall(at=at, player=player)
        case "cbr", [amount] if _AMOUNT.fullmatch(amount) and 0 < Decimal(amount) <= MAX_AMOUNT:
            return BetOrRaise(at=at, player=player, to=int(Decimal(amount).scaleb(decimals)))
        case "sm", []:
            return Muck(at=at, player=player)
        case "sm", [cards]:
            return Show(at=at, player=player, cards=None if cards == AS_DEALT else _cards(cards))
        case _:
            raise BadAction(PLAYERS_WORDS[word])


def _player(word: str) -> int:
    found = _PLAYER.fullmatch(word)
    if found is None:
        raise BadAction(f"a player such as p1 ({_RIGHT})")
    return int(found[1])


def _cards(word: str) -> Cards:
    codes = [word[place : place + 2] for place in range(0, len(word), 2)]
    try:
        return tuple(None if code == UNKNOWN else card(code) for code in codes)
    except NotACard:
        raise BadAction("cards such as AsKd, rank (23456789TJQKA) and suit (cdhs), or ?? for an unknown one") from None
