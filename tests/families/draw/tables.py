"""A table of five-card draw with people at it, for scenarios of any length: who plays on, and what happens between."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tablectl.core.cards import Card
from tablectl.core.engine import facts as f
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.state import State
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Declaration, Equipment, Key
from tablectl.families.draw.card_uncertainty import Pool
from tablectl.families.draw.state import DrawHand, DrawState
from tests.engine.states import draws
from tests.engine.tables import fresh_card
from tests.families.pots.any_order import ordinary

GAME: Final = "draw-poker"
#: What can be declared of this game's own errors.
COUNTS: Final = (Declaration.WRONG_COUNT, Declaration.WRONG_COUNT, Declaration.LOOKED_AT_HAND)


def hand_of(table: Table) -> DrawHand:
    return draws(table).draw


def pools_of(state: State) -> list[Pool]:
    assert isinstance(state, DrawState)
    return state.draw.card_pools.pools


def next_of(table: Table, choice: int) -> f.Fact:
    """What a table would see next where everybody does what is to be done."""
    state = table.state
    if state.ruling and state.unnamed and not state.asking:
        number = min(state.ruling)
        return f.Ruled(at_us=0, incident=number, remedy=state.ruling[number].remedies[-1], by="ana", reason="seen")
    if state.held or state.menu or state.shoe_lost is not None:
        return ordinary(table, choice)
    if state.unnamed:
        return _named(state, choice)
    if state.phase.name == "antes" and not hand_of(table).is_cut and choice % 3 and Key.CONFIRM in table.prompt().keys:
        return f.Pressed(at_us=0, key=Key.CONFIRM)
    if state.phase.kind is Kind.EXCHANGING:
        return _exchanged(table, choice)
    if state.phase.kind is Kind.DEALING and fresh_card(state, choice) is None:
        return _dealt_again(state, choice)
    return ordinary(table, choice)


def _dealt_again(state: State, choice: int) -> f.Fact:
    """Every face was out once: one of those that may have gone into the new stub comes."""
    back = [card for pool in pools_of(state) if pool.n_back for draw in pool.cards if (card := draw.card) is not None]
    card, due = (back[choice % len(back)] if back else None), state.deal.due
    if state.setup.equipment is Equipment.ANTENNAS and card is not None and due is not None:
        return f.Seen(at_us=0, spot=due.spot, card=card)
    return f.Drawn(at_us=0, card=card)


def _named(state: State, choice: int) -> f.Fact:
    """A card that can lie there: of those that may, or one that nobody has seen."""
    draw = state.unnamed[0]
    slot = draw.slot
    assert slot is not None
    pool = next((pool for pool in pools_of(state) if draw in pool.stand_ins), None)
    known = () if pool is None else tuple(pooled.card for pooled in pool.cards if pooled.card is not None)
    card: Card | None = known[choice % len(known)] if known else fresh_card(state, choice)
    if card is None:
        return f.Called(at_us=0, by="ana")  # more cards were counted than there are
    return f.Named(at_us=0, slot=slot.name, card=card, by="ana")


def _exchanged(table: Table, choice: int) -> f.Fact:
    """The seat in turn says a number, and puts as many cards away."""
    state, turn = table.state, hand_of(table).turn
    if turn is None or turn.cards is None:
        return f.AsksFor(at_us=0, cards=choice % 4)
    if state.has_antennas and not state.is_blind:
        at = state.deal.at
        known = [at[slot] for slot in SEATS[turn.seat - 1] if slot in at and at[slot].card is not None]
        there = [draw for draw in known if state.felt.seen_at.get(draw.number) == "discard"]
        kept = [draw for draw in known if draw not in there]
        if len(there) > turn.cards:
            return f.Seen(at_us=0, spot=f"seat-{turn.seat}", card=there[0].card)
        if len(there) < turn.cards and kept:
            return f.Seen(at_us=0, spot="discard", card=kept[choice % len(kept)].card)
    return f.Pressed(at_us=0, key=Key.CONFIRM)


def money(table: Table) -> int | None:
    """All the chips in the hand: in the pot, after it, and those of hands that nobody opened; None where nobody
    knows."""
    circle = draws(table)
    rounds = circle.rounds
    if rounds is None or rounds.pot is None:
        return None
    stacks = [stack for seat in rounds.order if (stack := rounds.stack(seat)) is not None]
    return rounds.pot + sum(stacks) + circle.carried if len(stacks) == len(rounds.order) else None


def at_rest(table: Table, seats: Iterable[int]) -> int | None:
    """The chips of these seats between two hands, with what stays on the table; None where nobody entered them."""
    circle, kept = draws(table), draws(table).kept
    if any(seat not in circle.stacks for seat in seats):
        return None
    ante = sum(amount or 0 for bets in kept.values() for amount in bets.values())
    return sum(circle.stacks[seat] for seat in seats) + ante + circle.carried
