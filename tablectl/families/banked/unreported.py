"""A card is declared that no reader reported, while a place has one too many: it is that one, in either order of the
two declarations (THB-SAB-1; THB-ERR-4, -5; TPC-MIS-2)."""

from __future__ import annotations

from tablectl.core.engine.dealing import place, wait
from tablectl.core.engine.decisions import Asked
from tablectl.core.engine.incidents import stop_waiting
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.vocabulary import Question
from tablectl.families.banked import counting
from tablectl.families.banked.state import BankedState


def is_counted(state: BankedState) -> bool:
    """Whether it is the card of which it was said that it is one too many; then nothing else follows from it."""
    for pending in state.asking:
        incident = pending.incident
        if pending.question is Question.TOO_FEW_SPOT and counting.first_of_street(state) is None:
            state.asking.remove(pending)
            counting.too_few_said(state, pending, counting.NOBODY)
            return True
        if pending.question is Question.SEEN and incident is not None and _is_one_more_said(state, incident):
            if incident.draw is None:
                _came(state, incident)
            else:
                state.say(Asked(question=pending.question, about=pending.about, incident=incident.number))
            return True
    return False


def _is_one_more_said(state: BankedState, incident: Incident) -> bool:
    """Whether it is the incident of a place with one too many, and no reader told of that card."""
    spot, draw = incident.spot, incident.draw
    if spot is None or incident.observed != f"{spot}={counting.n_there(state, spot) + 1}":
        return False
    return draw is None or (draw is state.deal.last and draw.card is None and draw.slot is None)


def _came(state: BankedState, incident: Incident) -> None:
    """TPC-MIS-2: the card too many is the next one, as one that came out of the shoe is."""
    assert incident.spot is not None, "it was counted there"
    there = counting.n_there(state, incident.spot)
    draw, _ = state.deal.note(None)
    if state.deal.due is None:
        wait(state, draw)
        return
    place(state, draw)
    if counting.n_there(state, incident.spot) == there:
        stop_waiting(state, incident)
        counting.in_the_window(state, incident.spot, there + 1, there, instead_of=incident)
