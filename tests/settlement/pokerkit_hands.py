"""Random hands played in PokerKit, with what each player put in counted beside it: a second opinion on pots."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from pokerkit import Automation, Folding, HandHistory, NoLimitTexasHoldem, State

from tablectl.core.cards import DECK, Card

AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
#: How many cards come to a board of so many.
CARDS_OF_STREET: Final = {0: 3, 3: 1, 4: 1}
TIED_BOARDS: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """A finished hand. Players are counted from 0 in the order of the deal, so the last one has the button."""

    hole: tuple[tuple[Card, Card], ...]
    board: tuple[Card, ...]
    put_in: tuple[int, ...]
    folded: tuple[bool, ...]
    won: tuple[int, ...]
    #: in the PHH format
    history: str


def played(chance: Random, *, unit: int = 1) -> PlayedHand:
    """One hand of two to ten players with stacks of all heights; every amount is a multiple of `unit`."""
    players = chance.randint(2, 10)
    stacks = [chance.choice((3, 5, 8, 20, 45, 60, 200)) * unit + chance.randint(0, 2) * unit for _ in range(players)]
    ante = chance.choice((0, 0, 1)) * unit
    game = NoLimitTexasHoldem(AUTOMATIONS, True, ante, (unit, 2 * unit), 2 * unit)
    state = game(tuple(stacks), players)
    deck = shuffled(chance)
    hole = [(deck.pop(), deck.pop()) for _ in range(players)]
    put_in = [0] * players
    board: list[Card] = []
    while state.status:
        if state.can_collect_bets():
            put_in = [before + now for before, now in zip(put_in, state.bets, strict=True)]
            state.collect_bets()
        elif state.can_deal_hole():
            state.deal_hole(text(hole[state.hole_dealee_index or 0]))
        elif state.actor_index is not None:
            _act(state, chance, unit)
        elif state.can_burn_card("??"):
            state.burn_card("??")
        else:
            street = [deck.pop(0) for _ in range(CARDS_OF_STREET[len(board)])]
            board += street
            state.deal_board(text(street))
    folds = {operation.player_index for operation in state.operations if isinstance(operation, Folding)}
    return PlayedHand(
        hole=tuple(hole),
        board=tuple(board),
        put_in=tuple(put_in),
        folded=tuple(player in folds for player in range(players)),
        won=tuple(now - before for now, before in zip(state.stacks, stacks, strict=True)),
        history=HandHistory.from_game_state(game, state).dumps(),
    )


def shuffled(chance: Random) -> list[Card]:
    """A deck whose first five cards are often a straight, so that the board plays and many hands tie."""
    deck = list(DECK)
    chance.shuffle(deck)
    if chance.random() < TIED_BOARDS:
        straight = [next(card for card in deck if card.rank == rank) for rank in (14, 13, 12, 11, 10)]
        deck = straight + [card for card in deck if card not in straight]
    return deck


def text(of: Iterable[Card]) -> str:
    """Cards as PokerKit reads them."""
    return "".join(card.code for card in of)


def _act(state: State, chance: Random, unit: int) -> None:
    """Mostly calls and raises: who folds makes no side pot."""
    what = chance.random()
    lowest = state.min_completion_betting_or_raising_to_amount
    highest = state.max_completion_betting_or_raising_to_amount
    if what < 0.35 and lowest is not None and highest is not None:
        to = chance.choice((lowest, highest, chance.randint(lowest // unit, highest // unit) * unit))
        state.complete_bet_or_raise_to(to)
    elif what < 0.5 and state.can_fold():
        state.fold()
    else:
        state.check_or_call()
