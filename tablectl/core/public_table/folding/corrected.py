"""A hand that is put right: the records from there on are folded once more, as they are now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tablectl.core.engine.facts import Corrected, Pressed
from tablectl.core.engine.vocabulary import Chooser, Remedy
from tablectl.core.events.corrections import Numbered, number_after, of_its_own, restated, withdrawn
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.incident import IncidentState
from tablectl.core.public_table.table import CorrectionView, Earlier, PublicTable, Side

Fold = Callable[[PublicTable, PublicRecord], PublicTable]


def remember(view: PublicTable, before: PublicTable, record: PublicRecord) -> PublicTable:
    """With how the table was before this record of the hand; nothing of it once the hand is over."""
    if record.carry is not None:
        return replace(view, earlier=None)
    last = before.earlier
    number = number_after(None if last is None else last.number, record)
    return view if number is None else replace(view, earlier=Earlier(view=before, record=record, number=number))


def apply_correction(view: PublicTable, record: PublicRecord, fold: Fold) -> PublicTable:
    """The table after a correction. A reader who has not read the hand from its beginning sees that something was put
    right, and the rest with the next hand."""
    said = withdrawn(record)
    assert said is not None, "it is a correction"
    number = number_after(None if view.earlier is None else view.earlier.number, record)
    told = list(_from(view, said.number))[::-1]
    after = told[0].view if told else view
    for entry in restated([Numbered(earlier.number, earlier.record) for earlier in told], record):
        after = fold(after, entry.record)
    open_before = [draw for draw, card in view.cards.items() if card.side is Side.FACE]
    shown = tuple(draw for draw in open_before if draw in after.cards and after.cards[draw].side is Side.BACK)
    after = fold(after, of_its_own(number, record))
    made = CorrectionView(
        seq=record.seq,
        number=said.number,
        corrected=told[0].record.seq if told else None,
        by=record.event.by if isinstance(record.event, Corrected) else "",
        second=record.event.second if isinstance(record.event, Corrected) else "",
        reason=record.event.reason if isinstance(record.event, Corrected) else "",
        is_undone=isinstance(record.event, Pressed),
        shown=shown,
    )
    fallen = {
        number: replace(
            incident,
            state=IncidentState.CLOSED,
            remedy=Remedy.CORRECT,
            closed_by=Chooser.PIT_BOSS if made.second else Chooser.CROUPIER,
            closed_at=record.at,
            seen_by=made.by or Chooser.CROUPIER.value,
            seen_at=record.at,
        )
        for number, incident in view.incidents.items()
        if number in said.fallen
    }
    return replace(after, corrections=(*view.corrections, made), incidents={**after.incidents, **fallen})


def _from(view: PublicTable, number: int) -> Iterator[Earlier]:
    """The records of the hand, newest first, down to the one with this number."""
    earlier = view.earlier
    while earlier is not None and earlier.number >= number:
        if earlier.number > number or not earlier.record.is_note:
            yield earlier
        earlier = earlier.view.earlier
