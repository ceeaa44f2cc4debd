"""A hand from its opening to its end: the bank reveals, every bet is settled, the croupier confirms, the next hand may
begin."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine import side_bet
from tablectl.core.engine.circle.ending import awards
from tablectl.core.engine.decisions import BetTaken, CardTurned, HandClosed, HandOpened, Ranked
from tablectl.core.engine.errors.decks import ask_for_deck
from tablectl.core.engine.facts import Named
from tablectl.core.engine.naming import COMMON, can_rank, named, same_card_again, turned_at_reveal, unread
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.seats import SEATED
from tablectl.core.engine.settled import say_settled
from tablectl.core.engine.slots import BOARD, SEATS
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Refusal, Remedy
from tablectl.core.settlement.ranking import Category, category

#: What the croupier announces, as a word of the journal.
_WORDS: Final = {each: each.en.replace(" ", "-") for each in Category}


def new_hand(state: State) -> None:
    """Open the next hand. The setup in force is the one journalled last; it never changes within a hand."""
    first = state.rulebook.errors.shuffle_first
    if first is not None and not state.is_shuffled:
        # THB-SAB-2: the shoe shuffles, and gives no card before it is done.
        state.refuse(Refusal.NOT_SHUFFLED, first)
        return
    if not state.fire("new-hand"):
        return
    state.hand += 1
    state.is_shuffled = False
    opened = HandOpened(
        hand=state.hand, rulebook=state.rulebook.id, version=state.rulebook.version, croupier=state.croupier
    )
    state.out.insert(len(state.out) - 1, opened)
    state.presses = 1
    entry = state.rulebook.entry_bet
    there: dict[int, dict[str, int | None]] = {}
    if not state.amounts:
        # THB-DEV-2: players who were here stay in until the croupier takes them out.
        there = {seat: {entry: None} for seat in state.previous}
    for seat, bets in state.kept.items():
        there[seat] = bets
    for seat, bets in sorted(there.items()):
        for name, amount in bets.items():
            state.seats.sit(seat).bets[name] = amount
            state.say(BetTaken(seat=seat, bet=name, amount=amount))
    state.kept = {}


def reveal(state: State) -> None:
    """THB-DEV-24, THB-DEV-25, TPC-DEV-18: the bank's cards, then every seat's that the settlement needs."""
    at, say, shown = state.deal.at, state.out.append, state.shown
    slots = turned_at_reveal(state)
    for slot in slots:
        if slot not in shown:
            shown.add(slot)
            say(CardTurned(draw=at[slot].number, slot=slot))
    state.naming = unread(state, [*BOARD[:COMMON], *slots] if state.staying else slots)
    state.fire("revealed")


def name(state: State, fact: Named) -> None:
    """A person says which card one is that could not be read; a side bet that waited for the last such name is
    decided, a settlement follows by itself."""
    if named(state, fact) and state.phase.kind is Kind.CLAIMING:
        side_bet.decide(state)


def settle(state: State) -> None:
    """Every bet of every seat, in the order in which the croupier takes and pays. Where the pit boss let two cards with
    one face go on (THB-CRD-1) and both would be in one combination, there is no such combination: the hand is void."""
    if state.circle is not None:
        awards.settle(state)
        return
    at = state.deal.at
    state.is_to_settle = False
    if all(slot in at for slot in BOARD[:COMMON]) and not can_rank(state, state.staying, bank=True):
        same_card_again(state, (Remedy.VOID_HAND,))
        return
    assert state.rulebook.settle is not None, "a game against the bank is settled bet by bet"
    settlement, say = state.rulebook.settle(state), state.out.append
    if settlement.house.strength is not None:
        say(Ranked(spot="house", category=_WORDS[category(settlement.house.strength)]))
    for result in settlement.seats:
        if result.strength is not None and result.bettor == SEATED:
            say(Ranked(spot=SEATS[result.seat - 1][0].spot, category=_WORDS[category(result.strength)]))
    for result in settlement.seats:
        say_settled(state, result)


def confirm(state: State) -> None:
    """THB-SET-6: losing bets are taken, prizes paid; or, of a void hand, bets returned and cards collected."""
    if not state.fire("closed"):
        return
    closed = HandClosed(
        hand=state.hand,
        presses=state.presses,
        drawn=len(state.deal.draws),
        float_change=state.house_won if state.amounts else None,
    )
    state.out.insert(len(state.out) - 1, closed)
    entry = {name for name, rule in state.rulebook.bets.items() if rule.multiple_of is None}
    if state.seats:
        state.previous = {
            seat: {name: amount for name, amount in held.bets.items() if name in entry}
            for seat, held in state.seats.items()
            if seat not in state.expelled
        }
        state.conduct = {key: times for key, times in state.conduct.items() if key[0] in state.previous}
    else:
        state.previous = {seat: bets for seat, bets in state.previous.items() if seat not in state.expelled}
    state.forget_hand()
    if state.needs_deck:
        ask_for_deck(state)
