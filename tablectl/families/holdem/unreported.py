"""A seat has one card too many, and it is asked where a card lies that came when none was due, or one is declared that
no reader reported: it is one card, in either order of the two declarations (THL-MIS-2, THL-PLE-12)."""

from __future__ import annotations

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.dealing import put_away
from tablectl.core.engine.facts import BESIDE_THE_GAME, Declared, Fact
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.rulebook import REOPEN, Kind
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.vocabulary import Declaration, Question
from tablectl.families.holdem import board, counts
from tablectl.families.holdem.rulebook import HOLE
from tablectl.families.holdem.state import HoldemState

_MORE = HOLE + 1


def wrong_count(state: HoldemState, fact: Declared) -> None:
    """A seat has a wrong number of cards. The one too many is the card in question, where there is one."""
    where, spot, last = state.early.where, fact.spot, state.deal.last
    if last is not None and last is state.unreported and last.slot is state.deal.latest and fact.cards == _MORE:
        _instead_of_the_burn(state, fact, last)
        return
    is_there = where is not None and any(pending.incident is where for pending in state.asking)
    if where is None or spot is None or fact.cards != _MORE or not is_there or spot not in board.places(state, where):
        counts.declared(state, fact)
    elif fact.drawn is None or (where.draw is not None and where.draw.number == fact.drawn):
        board.lies_at(state, where, spot)
        if state.asking and state.asking[-1].question is Question.COUNT_CARDS:
            _is_counted_already(state, state.asking[-1])
    else:
        counts.declared(state, fact)


def _instead_of_the_burn(state: HoldemState, fact: Declared, last: Draw) -> None:
    """The card that was declared as unreported just now lies at a seat that loses, not where one is due."""
    counts.declared(state, fact)
    if state.has_one_more is None or last.slot is not state.deal.latest:
        return
    state.deal.take_back(last)
    put_away(state, last)
    if state.phase.kind is Kind.DECIDING and state.deal.due is not None and state.fire(REOPEN):
        state.entered = None


def _is_counted_already(state: HoldemState, pending: Pending) -> None:
    """THL-PLE-12: after two actions the croupier counts, and he has."""
    state.asking.remove(pending)
    board.counted_at_a_seat(state, pending, _MORE)


def forget(state: HoldemState, fact: Fact) -> None:
    """After a fact: what is declared now is about another card."""
    is_count = isinstance(fact, Declared) and fact.what is Declaration.WRONG_COUNT
    if not is_count and type(fact) not in BESIDE_THE_GAME:
        state.has_one_more = None


def is_counted(state: HoldemState) -> bool:
    """Whether the card that is declared as unreported is the one that a seat has too many, as was said before."""
    if state.has_one_more is not None:
        # The hand is dead, and all its cards go to the discards.
        draw, _ = state.deal.note(None)
        put_away(state, draw)
        return True
    for pending in state.asking:
        spot = _has_one_more(pending)
        if spot is not None:
            return _is_the_one(state, pending, spot)
    return False


def _has_one_more(pending: Pending) -> str | None:
    """The seat that has one too many, where it is asked about that."""
    incident = pending.incident
    if pending.question is Question.COUNT_LAP:
        return pending.about if pending.cards == _MORE else None
    if incident is None or incident.draw is not None or incident.spot is None or seat_of(incident.spot) is None:
        return None
    return incident.spot if incident.observed == f"{incident.spot}={_MORE}" else None


def _is_the_one(state: HoldemState, pending: Pending, spot: str) -> bool:
    others = [asked for asked in state.asking if asked is not pending]
    if others or state.ruling:
        return False
    state.asking = []
    if not counts.can_have_too_many(state, spot):
        state.asking = [pending]
        return False
    draw, _ = state.deal.note(None)
    return counts.one_too_many(state, draw, spot, pending.incident)
