"""A card came when none was due, and lies at a seat (rulings 56 and "early burn"): it is one too many there (FCD-IRR-7,
-9, AMB-73), and not the next card.

With a shoe alone only the croupier can say where it lies. Where he counts as many cards there as there should be, it is
another seat that has one too many, and the card drawn last only shows it.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.dealing import put_away, use_next
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy
from tablectl.families.draw import counts, holdings
from tablectl.families.draw.state import DrawState

_RIGHT: Final = "right"


def places(state: DrawState) -> tuple[str, ...]:
    """The seats where it can be one too many."""
    return tuple(f"seat-{seat}" for seat in counts.seats(state) if counts.can_have_more(state, seat))


def lies_at(state: DrawState, incident: Incident, spot: str) -> None:
    """How many lie there decides."""
    ask(state, Question.COUNT_CARDS, spot, incident)


def cards_said(state: DrawState, pending: Pending, answer: str | int) -> None:
    """So many lie there, or as many as there should be."""
    incident, seat = pending.incident, seat_of(pending.about)
    if incident is None:
        counts.cards_said(state, pending, answer)
        return
    assert seat is not None, "it is asked about a seat"
    if answer == _RIGHT or int(answer) <= len(holdings.held_by(state, seat)):
        ask(state, Question.COUNT_SPOT, "count", incident)
    else:
        _has_it(state, incident, seat)


def spot_said(state: DrawState, pending: Pending, answer: str | int) -> None:
    """Which seat has one too many, if one has."""
    incident, seat = pending.incident, seat_of(str(answer))
    assert incident is not None, "it is asked about a card"
    assert incident.draw is not None, "it is asked about a card"
    if seat is not None:
        _has_it(state, incident, seat)
        return
    close(state, incident, Remedy.NEXT_CARD, Chooser.CROUPIER)
    use_next(state, incident.draw)


def seen(state: DrawState, incident: Incident) -> bool:
    """Somebody saw the card. True where antennas see it at a seat: whether that player looked decides then."""
    draw = incident.draw
    spot = None if draw is None or draw.slot is not None else state.felt.spot_of(draw)
    seat = None if spot is None or spot not in places(state) else seat_of(spot)
    if seat is None:
        return False
    _has_it(state, incident, seat)
    return True


def _has_it(state: DrawState, incident: Incident, seat: int) -> None:
    assert incident.draw is not None, "it is about a card"
    if seat not in counts.seats(state):
        # He is out since it was asked, and his cards are taken away: this one goes with them.
        close(state, incident, Remedy.DISCARD, Chooser.CROUPIER)
        put_away(state, incident.draw)
        return
    close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
    counts.has_one_more(state, incident.draw, seat)
