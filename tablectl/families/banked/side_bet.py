"""A side bet that is decided in the middle of the hand (TPC-DEV-12 to -16): who claims it shows his cards, the cards
speak, and it is paid and collected before the next card."""

from __future__ import annotations

from tablectl.core.engine import named_cards
from tablectl.core.engine.decisions import CardTurned
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import BOARD, SEATS, Slot
from tablectl.core.engine.unread_cards import FLOP, can_rank, same_card_again, unread
from tablectl.core.engine.vocabulary import Refusal, Remedy
from tablectl.core.settlement.banked import Outcome
from tablectl.families.banked.settlement_report import say_settled
from tablectl.families.banked.state import BankedState


def claimants(state: BankedState) -> tuple[int, ...]:
    """The seats that can still show their cards: those with such a bet, in the hand, and not shown."""
    return tuple(seat for seat in _with_bet(state) if not _is_shown(state, seat))


def claimed(state: BankedState, seat: int) -> None:
    """TPC-DEV-13: who says that he has won shows his cards."""
    if seat not in claimants(state):
        state.refuse(Refusal.NOT_LIVE, detail=f"seat-{seat}")
        return
    _show(state, seat)


def asked(state: BankedState) -> None:
    """TPC-DEV-12: the croupier asked, and nobody else says that he has won. Cards that could not be read have to be
    looked at first."""
    for seat in _with_bet(state):
        if unread(state, SEATS[seat - 1]):
            _show(state, seat)
    flop = [slot for slot in BOARD if slot in state.deal.at]
    own = [slot for seat in _with_bet(state) for slot in SEATS[seat - 1]]
    state.unnamed = unread(state, (*flop, *own) if own else ())
    if not state.unnamed:
        decide(state)


def decide(state: BankedState) -> None:
    """TPC-DEV-14: the cards speak (TPC-CRE-1). Winners who did not claim are shown, then each bet is settled."""
    side = state.rulebook.side_bet
    assert side is not None
    if not can_rank(state, _with_bet(state)):
        same_card_again(state, (Remedy.VOID_HAND,))
        return
    results = side.settle(state)
    for result in results:
        wins = any(verdict.outcome is Outcome.WIN for verdict in result.verdicts)
        if wins and not _is_shown(state, result.seat):
            _show(state, result.seat)
    for result in results:
        state.settled_early += say_settled(state, result)
    if state.phase.kind is Kind.CLAIMING:
        state.fire("asked")
    named_cards.confirm(state, _deciding(state))


def _deciding(state: BankedState) -> tuple[Slot, ...]:
    """The places of the cards by which it is decided."""
    seats = _with_bet(state)
    return (*BOARD[:FLOP], *(slot for seat in seats for slot in state.rulebook.places.of_seat(seat))) if seats else ()


def _with_bet(state: BankedState) -> tuple[int, ...]:
    """The seats in the hand where somebody has such a bet."""
    side = state.rulebook.side_bet
    if side is None:
        return ()
    return tuple(seat for seat in state.staying if any(side.bet in bets for _, bets in state.seats[seat].everybody()))


def _slots(state: BankedState, seat: int) -> list[Slot]:
    return [slot for slot in SEATS[seat - 1] if slot in state.deal.at]


def _is_shown(state: BankedState, seat: int) -> bool:
    return all(slot in state.shown for slot in _slots(state, seat))


def _show(state: BankedState, seat: int) -> None:
    for slot in _slots(state, seat):
        if slot not in state.shown:
            state.shown.add(slot)
            state.say(CardTurned(draw=state.deal.at[slot].number, slot=slot))
