"""What can be entered in a game between players, beside keys."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from tablectl.core.engine.move import Move
from tablectl.core.engine.prompt import Legal
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Action, Chooser, SeatChange, Tracking
from tablectl.families.pots import attendance, chips_down, claims, speaking
from tablectl.families.pots.state import PotGameState


def moves(state: PotGameState) -> Iterator[Move]:
    """What a seat does, who comes and goes, with which chips, and where the button lies."""
    if state.phase.kind is Kind.DECIDING and not state.held:
        yield from _actions(state)
    yield from state.family.own_moves(state)
    for seat in range(1, attendance.places_at(state) + 1):
        yield from (Move(entry=f"player {seat} {what}") for what in SeatChange if attendance.may(state, seat, what))
        if attendance.may_stack(state, seat):
            least, most = attendance.stack_bounds(state, seat)
            yield Move(entry=f"stack {seat}", needs=("amount",), least=least, most=most)
        if attendance.may_place_button(state, seat):
            yield Move(entry=f"button {seat}")
    for giver, most in claims.givers(state):
        yield from _transfers(state, giver, most)


def _transfers(state: PotGameState, giver: int, most: int) -> Iterator[Move]:
    who = ("name", "name") if state.setup.staff else ("name",)
    for incident in state.upheld:
        entry = f"transfer {incident} from={giver}"
        yield Move(entry=entry, by=Chooser.PIT_BOSS, needs=("to", "amount", *who), least=state.setup.chip, most=most)


def _actions(state: PotGameState) -> Iterator[Move]:
    rounds = state.rounds
    if state.setup.tracking is Tracking.ROUNDS:
        yield from (Move(entry=f"act {seat} {Action.FOLD}") for seat in state.staying)
        return
    if rounds is None or rounds.turn is None:
        return
    yield from _in_turn(state, chips_down.legal(state))
    for seat in state.staying:
        can_speak = not rounds.is_all_in(seat) and seat not in state.stored
        if seat != rounds.turn and can_speak:
            yield Move(entry=f"act {seat}", needs=("action",))
        if state.amounts and (can_speak or seat == rounds.turn):
            least = speaking.least_chips(state) if seat == rounds.turn else state.setup.chip
            yield Move(entry=f"chips {seat}", needs=("amount",), least=least)


def _in_turn(state: PotGameState, legal: Legal) -> Iterator[Move]:
    for action in (Action.FOLD, Action.CHECK, Action.CALL):
        if speaking.can(state, action):
            yield Move(entry=f"act {action}")
    if legal.may_raise:
        action = Action.BET if legal.is_bet else Action.RAISE
        if legal.stands is not UNSET:
            yield Move(entry=f"act {action} {legal.stands}")
        needs = ("amount",) if state.amounts else ()
        yield Move(entry=f"act {action}", needs=needs, least=legal.raise_from, most=legal.raise_to)
    if state.amounts and legal.may_go_all_in and legal.all_in is not None:
        yield Move(entry=f"act {Action.ALL_IN}")
