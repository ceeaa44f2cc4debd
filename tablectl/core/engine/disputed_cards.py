"""Two readers disagree about a card (ruling "readers"): the shoe gave one, an antenna reads another one at its place.

The incident names both readers and the place, and no identity. The card counts as unread from then on, so whatever
compares cards waits until a person reads it, where the rules turn it up. Where they do not, nobody looks.
"""

from __future__ import annotations

from tablectl.core.cards import Card
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.facts import Seen
from tablectl.core.engine.felt import Dispute
from tablectl.core.engine.incidents import close
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import DISCARD
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import READERS_DISAGREE, Chooser, Equipment, Remedy

_OVER = (Kind.SETTLING, Kind.VOIDED, Kind.IDLE)


def is_begun(state: State, fact: Seen) -> Draw | None:
    """The card that the shoe gave for this place and that no antenna has seen, where an antenna reads another one there
    that the shoe did not give. None where there is none, or more than one that it could be."""
    if state.setup.equipment is not Equipment.BOTH or not state.in_play or fact.spot == DISCARD[0].spot:
        return None
    found = [
        draw
        for slot, draw in state.deal.at.items()
        if slot.spot == fact.spot and _is_unseen(state, draw) and not draw.named and draw.card is not None
    ]
    return found[0] if len(found) == 1 else None


def _is_unseen(state: State, draw: Draw) -> bool:
    return draw.number not in state.felt.confirmed and state.felt.spot_of(draw) is None


def begin(state: State, draw: Draw, by_antenna: Card) -> None:
    """The card is as one that could not be read. The croupier is not asked: he must not look."""
    assert draw.card is not None, "the shoe read it"
    assert draw.slot is not None, "it has a place"
    by_shoe = draw.card
    state.deal.doubt(draw)
    incident = raised(
        state,
        Outcome(
            clause=state.rulebook.errors.dealt_by(draw.slot),
            expected=draw.slot.name,
            observed=READERS_DISAGREE,
            remedies=(Remedy.CONTINUE,),
            chooser=Chooser.CROUPIER,
            draw=draw,
        ),
    )
    state.felt.disputes.append(Dispute(draw, by_shoe, by_antenna, incident.number))
    state.disputed[incident.number] = incident


def agree(state: State, dispute: Dispute) -> None:
    """The antenna reads what the shoe had read."""
    state.deal.read(dispute.draw, dispute.by_shoe)


def follow(state: State) -> None:
    """A contradiction is over where the card is known, where nobody will turn it up any more, or with the hand."""
    for dispute in list(state.felt.disputes):
        draw = dispute.draw
        if draw.card is not None:
            _end(state, dispute, Chooser.CROUPIER if draw.named else Chooser.RULE)
        elif draw not in state.unnamed and (state.phase.kind in _OVER or _is_out(state, draw)):
            _end(state, dispute, Chooser.RULE)


def _is_out(state: State, draw: Draw) -> bool:
    """Whether the hand that it belongs to is folded or void."""
    seat = draw.slot.seat if draw.slot is not None else None
    return seat is not None and seat not in state.staying and seat not in state.rulebook.shows(state)


def _end(state: State, dispute: Dispute, by: Chooser) -> None:
    state.felt.ends(dispute)
    incident = state.disputed.pop(dispute.incident, None)
    if incident is not None:
        close(state, incident, Remedy.CONTINUE, by)
