"""What was entered in the hand in play, as far as pages name it: entries, and the one that the croupier says is wrong.
Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from tablectl.core.engine.decisions import IncidentRaised, Refused
from tablectl.core.engine.facts import Drawn, Entry, Pressed, Seen
from tablectl.core.engine.pending import entry_of
from tablectl.core.engine.vocabulary import SEAT_KEYS, Declaration, Key
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.incident import IncidentView
from tablectl.core.public_table.table import PublicTable, Side
from tablectl.i18n.describe import conclusions, describe_decision, describe_fact
from tablectl.i18n.table_texts import TableTexts

#: So many of the newest entries can be named by a touch.
NAMED_MOST: Final = 8
#: Keys that say what a player does: of which one it is, what follows tells.
_OF_A_PLAYER: Final = frozenset({Key.FOLD, Key.CHECK, Key.CALL, Key.BET, Key.RAISE, Key.ALL_IN, Key.BONUS, *SEAT_KEYS})


def entries_of(view: PublicTable) -> Iterator[tuple[int, PublicRecord]]:
    """The entries of the hand that count, with their numbers, newest first. The one that opened it stays, and what asks
    for a correction is none that could be corrected."""
    earlier = view.earlier
    while earlier is not None and earlier.number > 1:
        record = earlier.record
        is_taken = any(not isinstance(said, Refused) for said in record.decisions)
        is_one = isinstance(record.event, Entry) and not any(map(_is_request, record.decisions))
        if is_taken and (is_one or is_open(view, record)):
            yield earlier.number, record
        earlier = earlier.view.earlier


def _is_request(said: object) -> bool:
    return isinstance(said, IncidentRaised) and said.observed == Declaration.WRONG_KEY


def is_open(view: PublicTable, record: PublicRecord) -> bool:
    """Whether a reader told a card that everybody sees now."""
    card = None if record.draw is None else view.cards.get(record.draw)
    return isinstance(record.event, Drawn | Seen) and card is not None and card.side is Side.FACE


def record_of(view: PublicTable, number: int) -> PublicRecord | None:
    """The record of the hand's fact with this number; None where it was not read."""
    earlier = view.earlier
    while earlier is not None and earlier.number >= number:
        if earlier.number == number and not earlier.record.is_note:
            return earlier.record
        earlier = earlier.view.earlier
    return None


def told(t: TableTexts, view: PublicTable, record: PublicRecord) -> str:
    """An entry and what followed from it, in sentences."""
    card = view.cards.get(record.draw or 0)
    code = card.code if card is not None and is_open(view, record) else None
    followed = (describe_decision(t, said, entry=record.entry, card=code) for said in conclusions(record))
    return " ".join([describe_fact(t, record), *followed])


def in_short(t: TableTexts, record: PublicRecord) -> str:
    """An entry in a few words: what a player's key led to, for whom a key of several seats was, and what was entered
    otherwise."""
    is_of_a_player = isinstance(record.event, Pressed) and record.event.key in _OF_A_PLAYER
    followed = conclusions(record)
    said = next((describe_decision(t, decision, entry=record.entry) for decision in followed if is_of_a_player), None)
    seats = sorted({seat for decision in followed if (seat := getattr(decision, "seat", None)) is not None})
    if said is None and isinstance(record.event, Pressed) and len(seats) > 1:
        return t.say("undo", "of-seats", entry=t.word("key", record.event.key), seats=", ".join(map(str, seats)))
    return (said or describe_fact(t, record)).rstrip(".")


def to_name(t: TableTexts, view: PublicTable) -> tuple[tuple[int, str], ...]:
    """The newest entries of people by number, as the croupier names the one that was wrong."""
    made = ((number, record) for number, record in entries_of(view) if isinstance(record.event, Entry))
    return tuple((number, told(t, view, record)) for number, record in islice(made, NAMED_MOST))


def wrong_entry(incident: IncidentView) -> int | None:
    """Which entry of the hand the croupier says is wrong; None where that is not what the incident is about."""
    return entry_of(incident.expected) if incident.observed == Declaration.WRONG_KEY else None


def wrong_told(t: TableTexts, view: PublicTable, incident: IncidentView) -> str:
    """That entry in sentences; empty where it was not read."""
    number = wrong_entry(incident)
    record = None if number is None else record_of(view, number)
    return "" if record is None else told(t, view, record)


def wrong_now(view: PublicTable) -> int | None:
    """Which entry the pit boss is asked to correct now; None where he is asked for none."""
    waiting = (incident for incident in view.incidents.values() if incident.open)
    return next((number for incident in waiting if (number := wrong_entry(incident)) is not None), None)
