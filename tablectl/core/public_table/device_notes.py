"""What devices say that somebody at the table has to look after, and when it is over. Pure.

It holds nothing: where the rules want the table held, the engine does so. A note is there until the device says that it
is over, or until the hand is; a device that is lost says nothing any more, and stands as lost where devices stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from tablectl.core.engine.facts import DeviceSaid
from tablectl.core.public_table.device import NoteView
from tablectl.core.public_table.table import CARDS_IN_DECK

#: Only the end of the hand ends it: what was noted happened once, and nobody says that it will not happen again.
_HAND: Final = frozenset[str]()
_READER: Final = {
    "scan-failed": _HAND,
    "too-many-tags": _HAND,
    "syntax-error": _HAND,
    "unanswered": _HAND,
}
#: By role and by what is said, what the same device says when it is over.
_OVER: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "shuffler": {
        "jam": frozenset({"started"}),
        "door-open": frozenset({"door-closed"}),
        "card-missing": frozenset({"started"}),
        "card-extra": frozenset({"started"}),
        # Whatever was not heard may have been anything: only another shuffle from its beginning to its end will do.
        "lines-missing": frozenset({"started"}),
    },
    "antennas": _READER,
    "shoe": {
        **_READER,
        "two-at-mouth": _HAND,
        "lay-at-mouth": _HAND,
        "card-uncertain": _HAND,
        "error-mode": frozenset({"error-cancelled", "started"}),
    },
}
#: Not about the device, but about a card that it let out.
_OF_A_CARD: Final = frozenset({"card-uncertain"})
#: A shuffle that came to its end with a whole deck is over, whatever the shuffler complained of on its way.
_OVER_WITH_A_WHOLE_DECK: Final = frozenset({"jam", "card-missing", "card-extra"})
#: What is told at all; a test holds the words against it.
NOTED: Final = frozenset(what for by_role in _OVER.values() for what in by_role)

Notes = tuple[NoteView, ...]


def said(notes: Notes, fact: DeviceSaid, at: str) -> Notes:
    """A device said something."""
    device, role, what = fact.device, fact.role, fact.what
    rest = tuple(
        note
        for note in notes
        if note.device != device or (note.what != what and what not in _OVER[note.role][note.what])
    )
    if what not in _OVER.get(role, {}):
        return rest
    return (*rest, NoteView(device=device, role=role, what=what, code=fact.code, at=at))


def shuffled(notes: Notes, cards: int) -> Notes:
    """A shuffle is complete."""
    if cards != CARDS_IN_DECK:
        return notes
    return tuple(note for note in notes if note.what not in _OVER_WITH_A_WHOLE_DECK)


def lost(notes: Notes, device: str) -> Notes:
    """A device is gone. What it was not sure of, a person still has to look at."""
    return tuple(note for note in notes if note.device != device or note.what in _OF_A_CARD)


def hand_closed(notes: Notes) -> Notes:
    """A hand is over."""
    return tuple(note for note in notes if _OVER[note.role][note.what])


def together(notes: Notes) -> Iterator[tuple[NoteView, tuple[str, ...]]]:
    """The same said by several devices is one line: its newest note, and the names of the devices."""

    def what(note: NoteView) -> tuple[str, str]:
        return note.role, note.what

    for _, same in groupby(sorted(notes, key=what), key=what):
        found = list(same)
        yield found[-1], tuple(told.device for told in found)
