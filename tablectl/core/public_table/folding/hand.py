"""A hand from its opening to its end: the phases, what each seat is in it, and what is left of it afterwards."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.decisions import (
    HandClosed,
    HandOpened,
    HandVoided,
    PhaseEntered,
    Ranked,
    SeatExpelled,
    SeatVoided,
    SeatWithdrawn,
)
from tablectl.core.engine.lifetime import hand_begun
from tablectl.core.engine.slots import BY_NAME
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table import device_notes
from tablectl.core.public_table.folding import banked, circle
from tablectl.core.public_table.folding.step import Steps, sit
from tablectl.core.public_table.table import CLOSED, TAKEN, ClosedHand, PublicTable

#: How many closed hands a page lists.
HANDS_KEPT: Final = 10


def _hand_opened(view: PublicTable, said: HandOpened, record: PublicRecord) -> PublicTable:
    return hand_begun(
        view,
        hand=said.hand,
        rulebook=said.rulebook,
        version=said.version,
        circle=circle.hand_opened(view.circle),
    )


def _phase_entered(view: PublicTable, said: PhaseEntered, _record: PublicRecord) -> PublicTable:
    if said.phase != CLOSED:
        view = banked.paid_early(view)
    view = circle.phase_entered(view, said.phase)
    seats = {number: replace(seat, decided=False) for number, seat in view.seats.items()}
    return replace(view, phase=said.phase, seats=seats)


def _seat_voided(view: PublicTable, said: SeatVoided, _record: PublicRecord) -> PublicTable:
    return sit(circle.seat_died(view), replace(view.seat(said.seat), void=True))


def _seat_withdrawn(view: PublicTable, said: SeatWithdrawn, _record: PublicRecord) -> PublicTable:
    """TPC-PLE-1: its cards lie no more before it."""
    number = said.seat
    gone = {slot: draw for slot, draw in view.slots.items() if BY_NAME[slot].seat == number}
    taken = {draw: replace(view.cards[draw], slot=f"{TAKEN}.{number}") for draw in gone.values()}
    slots = {slot: draw for slot, draw in view.slots.items() if slot not in gone}
    view = replace(circle.seat_died(view), cards={**view.cards, **taken}, slots=slots)
    return sit(view, replace(view.seat(number), withdrawn=True))


def _seat_expelled(view: PublicTable, said: SeatExpelled, _record: PublicRecord) -> PublicTable:
    return sit(view, replace(view.seat(said.seat), expelled=True))


def _hand_voided(view: PublicTable, said: HandVoided, _record: PublicRecord) -> PublicTable:
    return replace(circle.not_awarded(view), void=said.clause)


def _ranked(view: PublicTable, said: Ranked, _record: PublicRecord) -> PublicTable:
    return replace(view, ranks={**view.ranks, said.spot: said.category})


def _hand_closed(view: PublicTable, said: HandClosed, record: PublicRecord) -> PublicTable:
    closed = ClosedHand(
        hand=said.hand,
        closed_at=record.at,
        void=view.void,
        house_rank=view.ranks.get("house"),
        house_net=_house_net(view, said),
        drawn=said.drawn,
        presses=said.presses,
        incidents=tuple(incident.number for incident in view.incidents.values() if incident.hand == said.hand),
        winners=view.circle.winners,
        pot=view.circle.won,
        is_carried=view.circle.is_carried,
        carried=view.circle.carried if view.circle.is_carried else None,
    )
    return hand_begun(
        view,
        history=(closed, *view.history)[:HANDS_KEPT],
        carried=tuple(sorted(view.seats)) if view.seats else view.carried,
        notes=device_notes.hand_closed(view.notes),
        cards={},
        slots={},
        named={},
        upheld=(),
        circle=circle.hand_closed(view.circle),
    )


def _house_net(view: PublicTable, said: HandClosed) -> int | None:
    """What the float should have changed by; of a void hand only where something had been paid, and of a circle game,
    which has no bank, only where a fee was kept."""
    change = said.float_change
    must_be_some = view.void is not None or bool(view.circle.players)
    return None if must_be_some and not change else change


DECISIONS: Final[Steps] = {
    HandOpened: _hand_opened,
    PhaseEntered: _phase_entered,
    SeatVoided: _seat_voided,
    SeatWithdrawn: _seat_withdrawn,
    SeatExpelled: _seat_expelled,
    HandVoided: _hand_voided,
    Ranked: _ranked,
    HandClosed: _hand_closed,
}
