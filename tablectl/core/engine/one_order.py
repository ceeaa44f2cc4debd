"""Cards that readers see at other places than the deal plan has for them are one wrong order: one cause, one incident.

The first of them is told with its place. When another one counts while that is asked, the incident is raised anew under
its number, as the croupier would declare it; what readers tell after him belongs to what he declared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.seat_said import seat_of
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Declaration, Remedy


def asked(state: State, clause: str) -> Incident | None:
    """The open incident about the order of the deal."""
    of_questions = (pending.incident for pending in state.asking)
    open_ones = (incident for incident in (*of_questions, *state.ruling.values()) if incident is not None)
    return next((one for one in open_ones if one.clause == clause and _is_of_order(one)), None)


def _is_of_order(incident: Incident) -> bool:
    return bool(incident.elsewhere) or incident.observed == Declaration.WRONG_ORDER


def is_told(state: State, outcome: Outcome) -> bool:
    """Whether this is said already: the croupier declared the order, or of a hand that goes on it was noted that this
    card and another one have each other's places."""
    incident, card = asked(state, outcome.clause), _card(outcome)
    if incident is None:
        return outcome.remedies == (Remedy.CONTINUE,) and _is_partner_noted(state, *card)
    if incident.observed != Declaration.WRONG_ORDER:
        return False
    incident.elsewhere = (*incident.elsewhere, card)
    return True


def with_the_others(state: State, outcome: Outcome) -> tuple[Outcome, Incident | None]:
    """What is said of a card that lies elsewhere, and the incident in whose stead, where another one does too. One that
    lies at the place of this one need not stay there for the dwell time as well."""
    incident, card = asked(state, outcome.clause), _card(outcome)
    if incident is not None and not (state.family.is_order_one_matter or _have_each_others(state, incident, *card)):
        incident = None
    partner = None if incident is not None else _partner(state, *card)
    if incident is not None:
        elsewhere = (*incident.elsewhere, card)
    elif partner is not None:
        state.felt.arrives(partner)
        state.felt.confirmed.add(partner.number)
        elsewhere = (card, (partner, state.felt.seen_at[partner.number]))
    else:
        return replace(outcome, elsewhere=(card,)), None
    seats = {seat for draw, spot in elsewhere for seat in (_home(draw), seat_of(spot)) if seat is not None}
    several = replace(
        outcome,
        expected="order",
        observed=Declaration.WRONG_ORDER,
        draw=None,
        seats=tuple(sorted(seats)),
        elsewhere=elsewhere,
    )
    return several, incident


def _home(draw: Draw) -> int | None:
    return None if draw.slot is None else draw.slot.seat


def _card(outcome: Outcome) -> tuple[Draw, str]:
    assert outcome.draw is not None, "readers tell of a card"
    return outcome.draw, outcome.observed


def _partner(state: State, draw: Draw, spot: str) -> Draw | None:
    """The card of that spot which lies at this one's place, and does not count there yet."""
    return next((other for other in _at_home_of(state, draw, spot) if state.felt.is_passing(other)), None)


def _have_each_others(state: State, incident: Incident, draw: Draw, spot: str) -> bool:
    return any(incident.is_about(other) for other in _at_home_of(state, draw, spot))


def _is_partner_noted(state: State, draw: Draw, spot: str) -> bool:
    """Whether a card of that spot counts at this one's place already."""
    return any(other.number in state.felt.confirmed for other in _at_home_of(state, draw, spot))


def _at_home_of(state: State, draw: Draw, spot: str) -> Iterator[Draw]:
    """The cards of that spot which antennas see at this one's place."""
    home = None if draw.slot is None else draw.slot.spot
    for slot, other in state.deal.at.items():
        if slot.spot == spot and state.felt.spot_of(other) == home:
            yield other
