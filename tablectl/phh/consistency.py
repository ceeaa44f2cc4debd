"""Whether the cards and players of a hand history's actions can belong to one hand of hold'em."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tablectl.phh.actions import BoardDealt, Cards, HoleDealt, Show, Written
from tablectl.phh.hand import BOARD_CARDS, HOLE_CARDS

#: The place of the common cards, beside players from 1 on.
_BOARD: Final = 0


def misplaced(actions: Iterable[Written], players: int) -> Iterator[tuple[int, str]]:
    """The place of each action that cannot be, and what would be right instead.

    Players are those there are; two cards a player and five on the board; and a card lies in one place, though it may
    be shown where it was dealt.
    """
    lies_at: dict[str, int] = {}
    dealt: dict[int, Cards] = {}
    for action in actions:
        if not isinstance(action, BoardDealt) and action.player > players:
            yield action.at, f"a player from p1 to p{players}"
        elif isinstance(action, Show):
            yield from _shown(action, dealt.get(action.player, ()), lies_at)
        elif isinstance(action, HoleDealt):
            dealt[action.player] = dealt.get(action.player, ()) + action.cards
            yield from _dealt(action, len(dealt[action.player]), action.player, lies_at)
        elif isinstance(action, BoardDealt):
            dealt[_BOARD] = dealt.get(_BOARD, ()) + action.cards
            yield from _dealt(action, len(dealt[_BOARD]), _BOARD, lies_at)


def _dealt(
    action: HoleDealt | BoardDealt, in_all: int, place: int, lies_at: dict[str, int]
) -> Iterator[tuple[int, str]]:
    most, whose = (BOARD_CARDS, "on the board") if place == _BOARD else (HOLE_CARDS, f"for p{place}")
    if in_all > most:
        yield action.at, f"{most} cards in all {whose}"
    for code in _codes(action.cards):
        if code in lies_at:
            yield action.at, "every card once"
        lies_at[code] = place


def _shown(action: Show, dealt: Cards, lies_at: dict[str, int]) -> Iterator[tuple[int, str]]:
    if action.cards is None:
        if not dealt:
            yield action.at, f"the cards of p{action.player}, as none were dealt before"
        return
    if len(action.cards) != HOLE_CARDS:
        yield action.at, f"{HOLE_CARDS} cards, unknown ones as ??"
    codes = _codes(action.cards)
    if any(lies_at.get(code, action.player) != action.player for code in codes) or len(set(codes)) < len(codes):
        yield action.at, "every card once"
    elif len(dealt) == HOLE_CARDS and None not in dealt and not set(codes) <= set(_codes(dealt)):
        yield action.at, "the cards that were dealt"
    lies_at.update(dict.fromkeys(codes, action.player))


def _codes(cards: Cards) -> list[str]:
    return [card.code for card in cards if card is not None]
