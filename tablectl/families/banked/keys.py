"""What each key does in a game against the bank: one table, by the phase in force."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from tablectl.core.engine import unconfirmed_cards
from tablectl.core.engine.collected_cards import collected, refuse_on_felt
from tablectl.core.engine.key_action import KeyAction, KeyTable
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import SEAT_KEYS, SEAT_OF, Key
from tablectl.families.banked import back_betting, betting, closing, side_bet
from tablectl.families.banked.state import BankedState


def key_tables(state: BankedState) -> Iterator[KeyTable]:
    """What each key means, with nothing asked and nothing held; what looks at seat after seat last."""
    tables_of = _PHASES.get(state.phase.kind)
    if tables_of is not None:
        yield from tables_of(state)


def _betting(state: BankedState) -> Iterator[KeyTable]:
    close_bets = KeyAction(partial(_no_more_bets, state), bool(state.seats))
    yield {Key.NO_MORE_BETS: refuse_on_felt(state) or close_bets}
    if state.rulebook.extra_bet is not None:
        yield {Key.BONUS: KeyAction(partial(_modify, state))}
    yield {
        key: KeyAction(partial(_seat_key, state, seat), _seat_can(state, seat))
        for key, seat in SEAT_OF.items()
        if seat <= state.setup.seats
    }
    is_any_before = any(betting.may_repeat(state, seat) for seat in state.previous)
    yield {Key.ALL_BET: KeyAction(partial(betting.again, state, tuple(state.previous)), is_any_before)}


def _seat_key(state: BankedState, seat: int) -> None:
    betting.seat_key(state, seat, extra=state.rulebook.extra_bet if state.modifier else None)
    state.modifier = False


def _modify(state: BankedState) -> None:
    state.modifier = not state.modifier


def _no_more_bets(state: BankedState) -> None:
    if state.fire("no-more-bets"):
        back_betting.bets_closed(state)


def _deciding(state: BankedState) -> Iterator[KeyTable]:
    choice = state.phase.choice
    assert choice is not None
    yield {
        Key.BET: KeyAction(partial(betting.stake, state, choice)),
        choice.otherwise: KeyAction(partial(betting.decline, state, choice)),
    }
    same = partial(betting.all_the_same, state, choice)
    yield {Key.ALL_BET: KeyAction(partial(same, betting=True))}
    if choice.otherwise is Key.CHECK:
        yield {Key.ALL_CHECK: KeyAction(partial(same, betting=False))}
    if betting.can_leave_to_boxes(state):
        yield {Key.CONFIRM: KeyAction(partial(betting.leave_to_boxes, state, choice))}
    yield {key: KeyAction(partial(_choose_seat, state, SEAT_OF[key])) for key in _seats_to_choose(state)}


def _choose_seat(state: BankedState, seat: int) -> None:
    state.chosen = seat


def _seats_to_choose(state: BankedState) -> tuple[Key, ...]:
    """Where decisions are taken in any order, those whose decision can be the next one (TPC-DEV-8)."""
    if state.phase.choice is None or state.phase.choice.in_turn:
        return ()
    return tuple(SEAT_KEYS[seat - 1] for seat in state.staying if seat not in state.decided)


def _claiming(state: BankedState) -> Iterator[KeyTable]:
    """Who claims the side bet is asked once every card that was turned is known."""
    if state.unnamed:
        return
    yield {Key.CONFIRM: KeyAction(partial(side_bet.asked, state))}
    yield {SEAT_KEYS[seat - 1]: KeyAction(partial(side_bet.claimed, state, seat)) for seat in side_bet.claimants(state)}


def _paying(state: BankedState) -> Iterator[KeyTable]:
    if not state.unnamed:
        yield {Key.CONFIRM: KeyAction(partial(state.fire, "paid"))}


def _revealing(state: BankedState) -> Iterator[KeyTable]:
    does = unconfirmed_cards.look_back if unconfirmed_cards.unconfirmed(state) else closing.reveal
    yield {Key.BANK: KeyAction(partial(does, state))}


def _settling(state: BankedState) -> Iterator[KeyTable]:
    if not state.is_to_settle:
        yield {Key.CONFIRM: KeyAction(partial(closing.confirm, state))}


def _seat_can(state: BankedState, seat: int) -> bool:
    """Whether a seat's key does something before the deal: the seat comes in, goes out, or makes its extra bet."""
    if seat > state.setup.seats:
        return False
    if state.modifier:
        before = state.previous.get(seat, {})
        return seat in state.seats and (not state.amounts or state.rulebook.extra_bet in before)
    return not state.amounts or seat in state.seats or betting.may_repeat(state, seat)


_PHASES: Final[Mapping[Kind, Callable[[BankedState], Iterable[KeyTable]]]] = {
    Kind.IDLE: lambda state: ({Key.NEW_HAND: KeyAction(partial(closing.new_hand, state))},),
    Kind.BETTING: _betting,
    Kind.DECIDING: _deciding,
    Kind.CLAIMING: _claiming,
    Kind.PAYING: _paying,
    Kind.REVEALING: _revealing,
    Kind.SETTLING: _settling,
    Kind.VOIDED: lambda state: ({Key.CONFIRM: collected(state, partial(closing.confirm, state))},),
}
