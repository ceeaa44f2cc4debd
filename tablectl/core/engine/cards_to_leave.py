"""Cards that have to leave a place: a card face up in the deck goes to the rack (THB-ERR-2), an exposed one to the
burns. The table watches until they have left it, and reminds the croupier once in each phase."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.felt import Leaving
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.misplaced import to_move
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.slots import BURN
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy, Severity

#: When no card is being dealt, and cards still lie at their places.
_AT_REST: Final = (Kind.DECIDING, Kind.CLAIMING, Kind.PAYING, Kind.EXCHANGING, Kind.REVEALING)


def watch(state: State, draw: Draw, clause: str) -> None:
    """The rules have put this card elsewhere than an antenna sees it. The cards of a void hand are collected together.
    In the deal the croupier has until the end of it. A card that becomes a burn leaves when the one comes that takes
    its place (THL-CRE-8): for that it has the dwell time, as a card has that is put away when none is dealt."""
    spot = state.felt.spot_of(draw)
    if spot is None or draw.slot is None or spot == draw.slot.spot or _is_void(state, spot):
        return
    has_the_deal = state.phase.kind is Kind.DEALING and draw.slot.spot != BURN[0].spot
    due_us = state.now_us + (0 if has_the_deal else state.rulebook.dwell_us)
    state.felt.leaving[draw.number] = Leaving(draw, spot, clause, due_us)


def _is_void(state: State, spot: str) -> bool:
    seat = seat_of(spot)
    held = state.seats.get(seat) if seat is not None else None
    return held is not None and held.void


def wake_us(state: State) -> int | None:
    """When the croupier is to be reminded, where only time is missing for it."""
    if state.phase.kind not in _AT_REST:
        return None
    waiting = (leaving.due_us for leaving in state.felt.leaving.values() if not leaving.told_in)
    return min((due_us for due_us in waiting if due_us > state.now_us), default=None)


def follow(state: State) -> None:
    """After each fact: who has left is not watched any more, and the croupier is reminded of the others at the end of
    the deal."""
    for leaving in list(state.felt.leaving.values()):
        draw = leaving.draw
        if draw.slot is None or state.felt.spot_of(draw) != leaving.spot:
            del state.felt.leaving[draw.number]
            _has_left(state, draw)
        elif leaving.told_in != state.phase.name and _can_be_told(state, leaving):
            leaving.told_in = state.phase.name
            outcome = to_move(draw, draw.slot, leaving.spot, leaving.clause, Severity.NOTICE)
            ask(state, Question.MOVED, draw.slot.name, raised(state, outcome))


def _can_be_told(state: State, leaving: Leaving) -> bool:
    return state.phase.kind in _AT_REST and not state.held and leaving.due_us <= state.now_us


def _has_left(state: State, draw: Draw) -> None:
    """What was asked about it is answered."""
    for pending in list(state.asking):
        incident = pending.incident
        if pending.question is Question.MOVED and incident is not None and incident.draw is draw:
            close(state, incident, Remedy.CORRECT, Chooser.RULE)
