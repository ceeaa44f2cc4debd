"""A hand of a circle game up to the first card: who is in it, the button, the blinds."""

from __future__ import annotations

from dataclasses import replace

from tablectl.core.engine.circle.betting.limits import BettingRules
from tablectl.core.engine.circle.betting.rounds import Rounds
from tablectl.core.engine.circle.draw import antes, resto
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.circle.seating.button_draw import high_card
from tablectl.core.engine.circle.seating.places import (
    Bet,
    PlaceRules,
    Places,
    Positions,
    Post,
    TwoPlayers,
    VacatedBlind,
    clockwise,
    drawn,
    positions,
)
from tablectl.core.engine.circle.seating.players import Absence, WhyNot, player_at
from tablectl.core.engine.decisions import BetTaken, ButtonAt, HandOpened, HandVoided, WaitsToEnter
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.naming import same_card_again
from tablectl.core.engine.seats import Seats
from tablectl.core.engine.slots import SEAT_UP, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Question, Refusal, Remedy, Tracking
from tablectl.core.options.holdem import Structure

_DECK = "deck"
#: Nobody plays alone.
_FEWEST = 2
#: Which rounds are bet in which unit at fixed limit: the small one before and on the flop, twice as much afterwards.
_UNITS = (1, 1, 2, 2)


def new_hand(state: State) -> None:
    """Open the next hand: with two players or more (THO-DEF-1), and a shuffled deck where the house lets the shoe do it
    (THL-SHF-7, AMB-86)."""
    circle = state.circle
    assert circle is not None
    against = why_no_hand(state, circle)
    if against is not None:
        state.refuse(*against)
        return
    if circle.button is None:
        # They draw for it; else who is dealt in is found with their places.
        state.seats.sit_all(_able(state, circle))
    if not state.fire("new-hand"):
        state.seats = Seats()
        return
    state.hand += 1
    state.is_shuffled = False
    opened = HandOpened(
        hand=state.hand, rulebook=state.rulebook.id, version=state.rulebook.version, croupier=state.croupier
    )
    state.out.insert(len(state.out) - 1, opened)
    state.presses = 1


def why_no_hand(state: State, circle: Memory) -> tuple[Refusal, str, str] | None:
    """What speaks against a new hand, between two: the refusal, its clause and its detail. None where nothing does."""
    rules, first = state.rulebook.circle, state.rulebook.errors.shuffle_first
    assert rules is not None
    if first is not None and not state.is_shuffled:
        return Refusal.NOT_SHUFFLED, first, ""
    able = len(_able(state, circle))
    return None if able >= _FEWEST else (Refusal.NO_PLAYERS, rules.clauses.players, f"players={able}")


def draw_plan(seats: tuple[int, ...]) -> tuple[Slot, ...]:
    """THL-INI-2: one card face up to everybody."""
    return tuple(SEAT_UP[seat - 1] for seat in seats)


def button_by_card(state: State, circle: Memory) -> None:
    """THL-INI-2, THL-INI-3: the highest card has the button; the deck is gathered and shuffled again. A card that could
    not be read lies open: the draw waits until a person names it, or the pit boss has it made again (`void-hand`).
    Whoever left meanwhile has no part in it."""
    present = circle.present
    shown = {slot.seat: draw for slot, draw in state.deal.at.items() if slot in SEAT_UP and slot.seat in present}
    state.naming = [draw for draw in shown.values() if draw.card is None]
    circle.draw_waits = bool(state.naming)
    if circle.draw_waits:
        return
    cards = {seat: draw.card for seat, draw in shown.items() if seat and draw.card is not None}
    if len(set(cards.values())) != len(cards):
        same_card_again(state, (Remedy.VOID_HAND,))
        return
    if cards:
        lay(state, circle, high_card(cards))
    else:
        state.say(HandVoided(clause="THL-INI-2"))
        state.fire("void")
        return
    state.deal.give_back([draw for slot, draw in state.deal.at.items() if slot in SEAT_UP])
    ask(state, Question.RESHUFFLED, _DECK)
    take_places(state, circle)


def lay(state: State, circle: Memory, seat: int) -> None:
    """The button lies there, and does in the next hand."""
    assert state.rulebook.circle is not None
    circle.markers = drawn(seat)
    state.say(ButtonAt(seat=seat, clause=state.rulebook.circle.clauses.button_draw))


def take_places(state: State, circle: Memory) -> None:
    """THL-DLG-1, THO-BTN-3: the button goes on, the blinds are due left of it. Anew whenever somebody comes or goes
    before they are posted."""
    assert state.rulebook.circle is not None
    able = _able(state, circle)
    found = _positions(state, circle, able)
    if isinstance(found, WhyNot):
        # Somebody left before the blinds were posted, and there is nobody to play against: there is no hand.
        state.say(HandVoided(clause=found.clause))
        state.fire("void")
        return
    circle.positions = found
    state.seats = Seats.dealt_in(found.order, after=found.button)
    state.say(ButtonAt(seat=found.button, clause=state.rulebook.circle.clauses.button_moves))
    for waiting in found.waits:
        state.say(WaitsToEnter(seat=waiting.seat, clause="THL-INI-10"))
    for seat in circle.present if len(able) < len(circle.present) else ():
        if seat not in able:
            # He has nothing to post, and is not dealt in.
            has_begun = not state.is_draw or resto.has_begun(state, circle, seat)
            clause = state.rulebook.circle.clauses.blinds if has_begun else "FCD-RST-3"
            state.refuse(Refusal.NO_STACK, clause, f"seat-{seat}")


def _able(state: State, circle: Memory) -> tuple[int, ...]:
    return antes.able(state, circle) if state.is_draw else circle.able


def _positions(state: State, circle: Memory, able: tuple[int, ...]) -> Places | WhyNot:
    assert circle.markers is not None, "the button was drawn"
    if state.is_draw:
        return antes.positions(state, circle.markers, able)
    there = circle.players
    if len(able) < len(circle.present):
        there = tuple([player for player in there if player.seat in able or not player.is_in])
    rules = circle.place_rules = circle.place_rules or place_rules(state)
    return positions(there, circle.markers, rules)


def place_rules(state: State) -> PlaceRules:
    """The blinds of the table (THL-DLG-2: the big one is its minimum, the small one half of that) and the house's
    choices about places."""
    assert state.rulebook.circle is not None
    house = state.rulebook.circle.holdem
    big = big_blind(state)
    return PlaceRules(
        small_blind=None if big is None else big // 2,
        big_blind=big,
        absence=Absence(house.absence),
        vacated_blind=VacatedBlind(house.vacated_blind),
        two_players=TwoPlayers(house.two_players),
    )


def big_blind(state: State) -> int | None:
    """The table's least bet, where amounts are entered."""
    assert state.rulebook.circle is not None
    return state.setup.limits[state.rulebook.circle.limits].least if state.amounts else None


def post_blinds(state: State, circle: Memory) -> None:
    """THL-DLG-1, THO-BLD-2, THL-INI-7 to -9: everything that is due lies there before the first card. Who has less is
    all-in with it."""
    found = circle.positions
    assert found is not None
    if state.is_draw:
        antes.post(state, circle)
        return
    circle.dealt_in = circle.players
    for post, amount in _begin_betting(state, circle, found, found.order):
        state.say(BetTaken(seat=post.seat, bet=post.bet, amount=amount))


def is_awaited(circle: Memory, seat: int) -> bool:
    """Whether the player of a seat without cards was away when the blinds were posted, has his seat still, and can play
    without posting anything."""
    before = player_at(circle.dealt_in, seat)
    was_away = before is not None and not before.is_in and before.owes is None
    return was_away and player_at(circle.players, seat) is not None and circle.stacks.get(seat, 1) > 0


def deal_in(state: State, circle: Memory, seat: int) -> None:
    """THL-CRE-2: an absent player gets cards by mistake, before the first round; the hand is his until his turn
    (THL-CRE-3)."""
    found = circle.positions
    assert isinstance(found, Positions), "it is an error of a game with blinds"
    state.seats.sit(seat)
    circle.positions = replace(found, first_to_act=clockwise(state.order, after=found.big_blind)[0])
    _begin_betting(state, circle, found, state.order)


def _begin_betting(
    state: State, circle: Memory, found: Places, order: tuple[int, ...]
) -> list[tuple[Post, int | None]]:
    """The betting of these seats, with everything that is due posted; what that came to."""
    stacks = {seat: circle.stacks.get(seat) if state.amounts else None for seat in order}
    rules = circle.betting_rules = circle.betting_rules or _betting_rules(state)
    rounds = circle.rounds = Rounds(rules, order, stacks)
    full = (Bet.BIG_BLIND, Bet.ENTRY)
    return [
        (post, rounds.post(post.seat, post.amount, live=post.live, is_full=post.bet in full)) for post in found.posts
    ]


def _betting_rules(state: State) -> BettingRules:
    assert state.rulebook.circle is not None
    house, limits = state.rulebook.circle.holdem, state.setup.limits.get(state.rulebook.circle.limits)
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
