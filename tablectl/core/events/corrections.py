"""What the records of a hand come to after a correction, for every reader of the stream.

A correction changes no record. It says in decisions of its own what follows now from the facts before it; here they are
put where they belong, so that whoever shows or adds up a hand can take its records as they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tablectl.core.engine.decisions import Again, Decision, HandOpened, IncidentEscalated, IncidentRaised, Withdrawn
from tablectl.core.engine.facts import Corrected, TimePassed
from tablectl.core.events.stream import Event, PublicRecord, Unknown


class Numbered(NamedTuple):
    """A record of a hand and the number of its fact, by which a correction names it; of a note that of the fact before
    it. None for what happened before the hand was opened."""

    number: int | None
    record: PublicRecord


def number_after(number: int | None, record: PublicRecord) -> int | None:
    """The number of the record that comes after one with `number` (None: before the hand was opened)."""
    if HandOpened in map(type, record.decisions):
        return 1
    return number if number is None or record.is_note else number + 1


def withdrawn(record: PublicRecord) -> Withdrawn | None:
    """What a record withdraws; None where it is no correction."""
    first = record.decisions[0] if record.decisions else None
    return first if isinstance(first, Withdrawn) else None


def first_told(decisions: tuple[Decision | Unknown, ...]) -> Sequence[Decision | Unknown]:
    """The decisions less the incidents of which a correction only tells again."""
    first = decisions[0] if decisions else None
    if not isinstance(first, Withdrawn):
        return decisions
    raised, escalated = set(first.new), set(first.escalated)
    return [
        said
        for said in decisions
        if not (isinstance(said, IncidentRaised) and said.incident not in raised)
        and not (isinstance(said, IncidentEscalated) and said.incident not in escalated)
    ]


def as_they_stand(records: Iterable[PublicRecord]) -> list[PublicRecord]:
    """The records of one hand or of several, with what follows from each as it is after all corrections."""
    told: list[Numbered] = []
    number: int | None = None
    for record in records:
        number = number_after(number, record)
        said = withdrawn(record)
        if said is not None and number is not None:
            at = next((at for at, before in enumerate(told) if _is_from(before, said.number)), len(told))
            told[at:] = restated(told[at:], record)
        told.append(Numbered(number, record if said is None else of_its_own(number, record)))
        if record.carry is not None:
            number = None
    return [record for _, record in told]


def restated(told: Sequence[Numbered], correction: PublicRecord) -> list[Numbered]:
    """Records of the hand, from the one on that a correction puts right, as they are with it. A card that was shown
    meanwhile stays shown."""
    said = withdrawn(correction)
    assert said is not None, "only a correction puts something right"
    again = _again(correction.decisions)
    return [
        entry if entry.record.is_note else Numbered(entry.number, _with(entry, said, again, correction.event))
        for entry in told
    ]


def of_its_own(number: int | None, correction: PublicRecord) -> PublicRecord:
    """A correction with nothing but what it says of itself."""
    return replace(correction, decisions=_again(correction.decisions).get(number or 0, ()))


def _is_from(entry: Numbered, number: int) -> bool:
    return entry.number is not None and entry.number >= number and not entry.record.is_note


def _again(decisions: Iterable[Decision | Unknown]) -> Mapping[int, tuple[Decision | Unknown, ...]]:
    """What follows from each fact, by its number."""
    found: dict[int, list[Decision | Unknown]] = {}
    number = 0
    for said in decisions:
        if isinstance(said, Again):
            number = said.number
            found[number] = []
        elif number:
            found[number].append(said)
    return {number: tuple(following) for number, following in found.items()}


def _with(
    entry: Numbered,
    said: Withdrawn,
    again: Mapping[int, tuple[Decision | Unknown, ...]],
    correction: Event,
) -> PublicRecord:
    record = entry.record
    following = again.get(entry.number or 0)
    if following is None:
        # An identity that was put right before stays so: it was never an entry.
        is_correction = isinstance(record.event, Corrected)
        return record if is_correction else replace(record, event=TimePassed(at_us=record.at_us), decisions=())
    instead = correction.instead if isinstance(correction, Corrected) and entry.number == said.number else None
    event = record.event if instead is None else replace(instead, at_us=record.at_us)
    return replace(record, event=event, decisions=following)
