"""A hand as the text of a hand history, and several below headers. What was written is read back as the same hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from tablectl.phh.actions import (
    AS_DEALT,
    UNKNOWN,
    BetOrRaise,
    BoardDealt,
    Cards,
    CheckOrCall,
    Fold,
    HoleDealt,
    Muck,
    Show,
    Written,
)
from tablectl.phh.hand import Hand
from tablectl.phh.outcome import money

#: About how wide a line of actions gets.
_WIDTH: Final = 100


def hand_text(hand: Hand) -> str:
    """The fields of one hand, a line or more each. Whoever dealt, sat or played where is not told by name."""
    return "\n".join(_lines(hand)) + "\n"


def hands_text(hands: Iterable[Hand]) -> str:
    """Several hands, each below its number, from 1."""
    return "\n".join(f"[{number}]\n{hand_text(hand)}" for number, hand in enumerate(hands, start=1))


def _lines(hand: Hand) -> Iterator[str]:
    def amounts(of: Iterable[int | None]) -> str:
        return _array("inf" if number is None else money(number, hand.decimals) for number in of)

    yield f'variant = "{hand.variant.value}"'
    if hand.ante_trimming:
        yield "ante_trimming_status = true"
    yield f"antes = {amounts(hand.antes)}"
    yield f"blinds_or_straddles = {amounts(hand.blinds_or_straddles)}"
    for name, amount in (("min_bet", hand.min_bet), ("small_bet", hand.small_bet), ("big_bet", hand.big_bet)):
        if amount is not None:
            yield f"{name} = {money(amount, hand.decimals)}"
    yield f"starting_stacks = {amounts(hand.starting_stacks)}"
    yield from _actions(hand)
    if hand.name is not None:
        yield f"hand = {hand.name}"
    if hand.seats is not None:
        yield f"seats = {_array(map(str, hand.seats))}"
    if hand.seat_count is not None:
        yield f"seat_count = {hand.seat_count}"
    for name, named in (("finishing_stacks", hand.finishing_stacks), ("winnings", hand.winnings)):
        if named is not None:
            yield f"{name} = {amounts(named)}"


def _actions(hand: Hand) -> Iterator[str]:
    yield "actions = ["
    line = " "
    for action in hand.actions:
        word = f' "{_notation(action, hand.decimals)}",'
        if len(line) + len(word) > _WIDTH:
            yield line
            line = " "
        line += word
    if hand.actions:
        yield line
    yield "]"


def _notation(action: Written, decimals: int) -> str:
    match action:
        case HoleDealt():
            return f"d dh p{action.player} {_cards(action.cards)}"
        case BoardDealt():
            return f"d db {_cards(action.cards)}"
        case Fold():
            return f"p{action.player} f"
        case CheckOrCall():
            return f"p{action.player} cc"
        case BetOrRaise():
            return f"p{action.player} cbr {money(action.to, decimals)}"
        case Show():
            return f"p{action.player} sm {AS_DEALT if action.cards is None else _cards(action.cards)}"
        case Muck():
            return f"p{action.player} sm"
        case _:
            assert_never(action)


def _cards(cards: Cards) -> str:
    return "".join(UNKNOWN if card is None else card.code for card in cards)


def _array(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"
