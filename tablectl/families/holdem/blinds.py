"""The draw for the button, the blinds, and who comes into a hand that has begun (THL-INI, THL-DLG-1, THO-BLD)."""

from __future__ import annotations

from dataclasses import replace

from tablectl.core.engine.decisions import BetTaken, HandVoided
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.slots import SEAT_UP, Slot
from tablectl.core.engine.unread_cards import same_card_again
from tablectl.core.engine.vocabulary import Posted, Question, Remedy, Tracking
from tablectl.core.options.holdem import Structure
from tablectl.families.holdem.state import HoldemState
from tablectl.families.pots.betting.limits import BettingRules
from tablectl.families.pots.betting.rounds import Rounds
from tablectl.families.pots.button_draw import high_card
from tablectl.families.pots.opening import lay, take_places
from tablectl.families.pots.places import (
    PlaceRules,
    Places,
    Positions,
    Post,
    TwoPlayers,
    VacatedBlind,
    clockwise,
    positions,
)
from tablectl.families.pots.players import Absence, WhyNot, player_at

_DECK = "deck"
#: Which rounds are bet in which unit at fixed limit: the small one before and on the flop, twice as much afterwards.
_UNITS = (1, 1, 2, 2)


def draw_plan(seats: tuple[int, ...]) -> tuple[Slot, ...]:
    """THL-INI-2: one card face up to everybody."""
    return tuple(SEAT_UP[seat - 1] for seat in seats)


def button_by_card(state: HoldemState) -> None:
    """THL-INI-2, THL-INI-3: the highest card has the button; the deck is gathered and shuffled again. A card that could
    not be read lies open: the draw waits until a person names it, or the pit boss has it made again (`void-hand`).
    Whoever left meanwhile has no part in it."""
    present = state.present
    shown = {slot.seat: draw for slot, draw in state.deal.at.items() if slot in SEAT_UP and slot.seat in present}
    state.unnamed = [draw for draw in shown.values() if draw.card is None]
    state.draw_waits = bool(state.unnamed)
    if state.draw_waits:
        return
    cards = {seat: draw.card for seat, draw in shown.items() if seat and draw.card is not None}
    if len(set(cards.values())) != len(cards):
        same_card_again(state, (Remedy.VOID_HAND,))
        return
    if cards:
        lay(state, high_card(cards))
    else:
        state.say(HandVoided(clause="THL-INI-2"))
        state.fire("void")
        return
    state.deal.give_back([draw for slot, draw in state.deal.at.items() if slot in SEAT_UP])
    ask(state, Question.RESHUFFLED, _DECK)
    take_places(state)


def places(state: HoldemState, able: tuple[int, ...]) -> Places | WhyNot:
    """The button goes on, the blinds are due left of it (THL-DLG-1, THO-BTN-3)."""
    assert state.markers is not None, "the button was drawn"
    there = state.players
    if len(able) < len(state.present):
        there = tuple([player for player in there if player.seat in able or not player.is_in])
    rules = state.place_rules = state.place_rules or place_rules(state)
    return positions(there, state.markers, rules)


def place_rules(state: HoldemState) -> PlaceRules:
    """The blinds of the table (THL-DLG-2: the big one is its minimum, the small one half of that) and the house's
    choices about places."""
    house = state.rulebook.house
    big = big_blind(state)
    return PlaceRules(
        small_blind=None if big is None else big // 2,
        big_blind=big,
        absence=Absence(house.absence),
        vacated_blind=VacatedBlind(house.vacated_blind),
        two_players=TwoPlayers(house.two_players),
    )


def big_blind(state: HoldemState) -> int | None:
    """The table's least bet, where amounts are entered."""
    return state.setup.limits[state.rulebook.limited_bet].least if state.amounts else None


def post_blinds(state: HoldemState) -> None:
    """THL-DLG-1, THO-BLD-2, THL-INI-7 to -9: everything that is due lies there before the first card. Who has less is
    all-in with it."""
    found = state.positions
    assert found is not None
    state.dealt_in = state.players
    for post, amount in _begin_betting(state, found, found.order):
        state.say(BetTaken(seat=post.seat, bet=post.bet, amount=amount))


def is_awaited(state: HoldemState, seat: int) -> bool:
    """Whether the player of a seat without cards was away when the blinds were posted, has his seat still, and can play
    without posting anything."""
    before = player_at(state.dealt_in, seat)
    was_away = before is not None and not before.is_in and before.owes is None
    return was_away and player_at(state.players, seat) is not None and state.stacks.get(seat, 1) > 0


def deal_in(state: HoldemState, seat: int) -> None:
    """THL-CRE-2: an absent player gets cards by mistake, before the first round; the hand is his until his turn
    (THL-CRE-3)."""
    found = state.positions
    assert isinstance(found, Positions), "it is an error of a game with blinds"
    state.seats.sit(seat)
    state.positions = replace(found, first_to_act=clockwise(state.order, after=found.big_blind)[0])
    _begin_betting(state, found, state.order)


def _begin_betting(state: HoldemState, found: Places, order: tuple[int, ...]) -> list[tuple[Post, int | None]]:
    """The betting of these seats, with everything that is due posted; what that came to."""
    stacks = {seat: state.stacks.get(seat) if state.amounts else None for seat in order}
    rules = state.betting_rules = state.betting_rules or _betting_rules(state)
    rounds = state.rounds = Rounds(rules, order, stacks)
    full = (Posted.BIG_BLIND, Posted.ENTRY)
    return [
        (post, rounds.post(post.seat, post.amount, live=post.live, is_full=post.bet in full)) for post in found.posts
    ]


def _betting_rules(state: HoldemState) -> BettingRules:
    house, limits = state.rulebook.house, state.setup.limits.get(state.rulebook.limited_bet)
    least = limits.least if limits is not None and state.amounts else 0
    most = limits.most if limits is not None and state.amounts else None
    # THO-DEF-2: the structure is the house's choice; the big blind bounds a bet from below in each of them.
    fixed = house.structure is Structure.FIXED_LIMIT
    return BettingRules(
        structure=house.structure,
        minimum_raise=house.minimum_raise,
        short_all_in=house.short_all_in,
        least_bet=least,
        most_bet=None if fixed else most,
        chip=state.setup.chip,
        units=tuple(least * times for times in _UNITS) if fixed else (),
        amounts=state.setup.tracking is Tracking.AMOUNTS,
    )
