"""Cards that no reader read and that decide money: whoever named them is not alone (rulings "unread cards" and "Who
confirms"). All of them are confirmed at once, where the settlement is said and not confirmed yet."""

from __future__ import annotations

from collections.abc import Iterable

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.incidents import raise_incident
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import NAMED_CARDS, Chooser, Remedy


def confirm(state: State, deciding: Iterable[Slot]) -> None:
    """Ask the pit boss for those of the deciding cards that a person named, unless he has confirmed that name. A place
    that decides for several hands may stand among them several times."""
    at = state.deal.at
    if not any(draw.named for draw in state.deal.draws):
        return
    there = dict.fromkeys(draw for slot in deciding if (draw := at.get(slot)) is not None)
    cards = tuple(draw for draw in there if _is_open(state, draw))
    if not cards:
        return
    incident = raise_incident(
        state,
        clause=state.rulebook.errors.ruling,
        expected="read-cards",
        observed=NAMED_CARDS,
        remedies=(Remedy.APPROVE, Remedy.REJECT),
        chooser=Chooser.PIT_BOSS,
        draw=cards[0] if len(cards) == 1 else None,
    )
    incident.named = cards


def _is_open(state: State, draw: Draw) -> bool:
    return draw.named and state.names_confirmed.get(draw.number) is not draw.card


def is_namer(incident: Incident, person: str) -> bool:
    """Whether this person named one of the cards that are to be confirmed."""
    return person.casefold() in {draw.named_by.casefold() for draw in incident.named}


def approved(state: State, incident: Incident) -> None:
    """The cards are what they were said to be."""
    state.names_confirmed |= {draw.number: draw.card for draw in incident.named}


def rejected(state: State, incident: Incident) -> None:
    """They are to be looked at once more: what was settled by them is taken back, and they are named anew."""
    if not incident.named:
        return
    for draw in incident.named:
        state.deal.doubt(draw)
    state.unnamed = list(incident.named)
    state.family.names_rejected(state)
