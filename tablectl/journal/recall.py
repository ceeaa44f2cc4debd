"""The last hands again, out of the journal: which there were, and every public record of one of them.

A hand is what was opened; records between two hands bear the number of the next one and make no hand of their own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from tablectl.core.records import record
from tablectl.journal.store import Stored
from tablectl.journal.volumes import Shelf

#: More than anybody looks through on a page; a list of them is made in a moment.
HANDS_MOST: Final = 100
#: What a reader is told of a hand that was never opened here.
UNKNOWN_HAND: Final = "unknown-hand"


@record
class OpenHand:
    """A hand that was opened and is not over, and the phase it is in."""

    hand: int
    phase: str


def open_hand(shelf: Shelf) -> OpenHand | None:
    """The one that a start of the controller would resume; None between two hands.

    A hand is over with the record that says what it carries over, and with none before.
    """
    found: OpenHand | None = None
    for stored in shelf.records(after=shelf.last_boundary()):
        for each in _decisions(stored):
            if each["kind"] == "hand-opened":
                found = OpenHand(hand=stored.hand, phase="")
            elif each["kind"] == "phase-entered" and found is not None:
                found = OpenHand(hand=found.hand, phase=str(each["phase"]))
    return found


def last_hands(shelf: Shelf, hands: int) -> list[dict[str, Any]]:
    """The last hands, newest first, the unfinished one included: when, how they ended, their incidents and records.

    `carried` is the pot that stays for the next hand because nobody opened (FCD-WIN-5), None without amounts.
    """
    made: dict[int, dict[str, Any]] = {}
    for stored in shelf.records(after=shelf.last_boundary(hands + len(shelf.stores))):
        _take(made.setdefault(stored.hand, _nothing_yet(stored)), stored)
    opened = [row for _, row in sorted(made.items(), reverse=True) if row["opened_at"] is not None]
    return opened[:hands]


def carried_into(shelf: Shelf, first: Stored) -> list[int]:
    """The seats of the hand before: with presence, they are in the one that begins with `first`."""
    if first.boundary:  # it opens a volume, and says itself what was carried over
        before: Stored | None = first
    else:
        before = next(shelf.records(after=first.seq - 2), None)
    if before is None or not before.boundary:
        return []
    return sorted(int(seat) for seat in json.loads(before.public)["carry"]["previous"])


def is_opened(records: list[Stored]) -> bool:
    """Whether these records of one hand open it."""
    return any(each["kind"] == "hand-opened" for stored in records for each in _decisions(stored))


def _nothing_yet(stored: Stored) -> dict[str, Any]:
    return {
        "hand": stored.hand,
        "opened_at": None,
        "closed_at": None,
        "void": None,
        "is_carried": False,
        "carried": None,
        "incidents": [],
        "croupier": "",
        "seq": [stored.seq, stored.seq],
    }


def _take(row: dict[str, Any], stored: Stored) -> None:
    row["seq"][1] = stored.seq
    public = json.loads(stored.public)
    for decision in public["decisions"]:
        match decision["kind"]:
            case "hand-opened":
                row["opened_at"], row["croupier"] = public["at"], decision.get("croupier", "")
            case "hand-closed":
                row["closed_at"] = public["at"]
            case "hand-voided":
                row["void"] = decision["clause"]
            case "pot-carried":
                row["is_carried"], row["carried"] = True, decision["amount"]
            case "taken-back":
                row["is_carried"], row["carried"] = False, None
            case "incident-raised":
                row["incidents"].append({"incident": decision["incident"], "clause": decision["clause"]})


def _decisions(stored: Stored) -> Iterator[dict[str, Any]]:
    yield from json.loads(stored.public)["decisions"]
