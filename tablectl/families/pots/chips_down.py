"""What the seat in turn may do while chips of its own lie there that it put in out of turn (THL-PLE-7).

Somebody bet or raised before its turn, so it speaks anew and takes none of these chips back. Where they make a legal
raise they stand as that one: then it raises to exactly as much, or from there on as if that raise had been made.
Otherwise it calls or raises, and chips above what it comes to are dead money of the pot. Whether it may fold without
its chips is the house's choice (AMB-26). Key lamps, the list of moves and refusals all ask `legal`.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec import UNSET

from tablectl.core.engine.prompt import Legal
from tablectl.core.engine.vocabulary import Action
from tablectl.core.options.pots import OutOfTurn
from tablectl.families.pots.betting.legal import Done
from tablectl.families.pots.betting.rounds import Rounds
from tablectl.families.pots.state import PotGameState


def legal(state: PotGameState) -> Legal:
    """What the seat whose turn it is may do, with the chips of its own that lie there."""
    rounds = state.rounds
    assert rounds is not None
    found = rounds.legal()
    lying = state.frozen.get(found.seat)
    if lying is None:
        return found
    stake = rounds.stake(found.seat) or 0
    if isinstance(rounds.judged(Action.RAISE, lying), Done):
        return _they_raise(rounds, found, lying)
    more = None if found.call is None else max(0, found.call - (lying - stake))
    return replace(found, call=more)


def _they_raise(rounds: Rounds, found: Legal, lying: int) -> Legal:
    """They stand as a raise; he may raise further."""
    further = rounds.beyond(lying)
    least, most = (lying, lying) if further is None else further
    return replace(
        found,
        may_check=False,
        may_call=False,
        call=None,
        raise_from=least,
        raise_to=most,
        stands=UNSET if further is None else lying,
        may_go_all_in=found.all_in is not None and found.all_in in (lying, most),
    )


def allows(state: PotGameState, done: Done) -> bool:
    """Whether the seat in turn may do this as far as its own chips that lie there are concerned."""
    if done.seat not in state.frozen:
        return True
    if done.action is Action.FOLD:
        return may_fold(state, done.seat)
    if state.frozen[done.seat] is None or done.to is None:
        return True
    may = legal(state)
    if done.action is Action.CHECK:
        return may.may_check
    return may.may_call if done.action is Action.CALL else may.allows(done.to)


def may_check(state: PotGameState, seat: int) -> bool:
    """Whether the seat in turn may check."""
    rounds = state.rounds
    assert rounds is not None
    return legal(state).may_check if seat in state.frozen else rounds.may_check


def may_call(state: PotGameState, seat: int) -> bool:
    """Whether the seat in turn may call."""
    rounds = state.rounds
    assert rounds is not None
    return legal(state).may_call if seat in state.frozen else rounds.may_call


def may_fold(state: PotGameState, seat: int) -> bool:
    """Whether the seat in turn may fold. To fold is always legal, but it leaves its chips that lie there (AMB-26)."""
    return seat not in state.frozen or state.rulebook.house.out_of_turn is OutOfTurn.MAY_FOLD


def down(state: PotGameState) -> int:
    """How many chips the seat in turn has put in already and cannot take back."""
    rounds = state.rounds
    assert rounds is not None
    seat = rounds.turn
    lying = state.frozen.get(seat) if seat is not None else None
    if seat is None or lying is None:
        return 0
    return lying - (rounds.stake(seat) or 0)


def dead(state: PotGameState, done: Done) -> int:
    """How many of them are above what this action comes to: they stay in the pot, and nobody has to match them. Where
    nobody could match more they come back, as a bet that nobody calls does."""
    rounds = state.rounds
    assert rounds is not None
    lying = state.frozen.get(done.seat)
    if lying is None or done.to is None or not rounds.can_be_answered:
        return 0
    return max(0, lying - done.to)
