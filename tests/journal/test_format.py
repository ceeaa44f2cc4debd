"""The gate before new members and new kinds of notes: until a hand was closed, version 0.1.0 can be put back."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.core.events.codec import NOTES
from tablectl.core.events.notes import NEW_NOTES, Stopped
from tablectl.games.registry import rulebook_of
from tablectl.journal import writer
from tablectl.journal.format import FIRST, NEWEST, NotYet, format_of
from tablectl.journal.journal import Journal
from tablectl.journal.places import Places
from tablectl.journal.verify import verify
from tablectl.journal.volumes import VolumeSet
from tests.journal.journals import START_US, WHOLE_HAND, keep_keys, places, sat, written

#: What version 0.1.0 writes in its records, and the kinds of its notes (its docs/journal.md, "The public form").
MEMBERS_0_1: Final = frozenset(
    ["seq", "hand", "at", "fact", "decisions", "prompt", "reveals", "sealed", "carry", "software", "keys"],
)
NOTES_0_1: Final = frozenset(
    [
        "stopped",
        "tilted",
        "cleared",
        "unsealed",
        "deck-moved",
        "volume-opened",
        "volume-closed",
        "access",
        "badge-shown",
        "tested",
        "restored",
        "float-counted",
        "float-filled",
        "float-credited",
    ]
)
HALF_A_HAND: Final = "press new-hand\nbet 1 ante 1000\n"
STOPPED: Final = Stopped(at_us=START_US + 1, why="SIGTERM")


@pytest.fixture
def where(tmp_path: Path) -> Places:
    return places(tmp_path)


def public(where: Places) -> list[dict[str, Any]]:
    with closing(VolumeSet(where.journal)) as volume_set:
        return [json.loads(record.public) for record in volume_set.records()]


def notes(where: Places) -> list[dict[str, Any]]:
    return [entry for entry in public(where) if entry["fact"]["kind"] == "format"]


def takes_new(where: Places) -> bool:
    """What the next start of the controller finds."""
    with closing(Journal.open(where, software="")) as journal:
        journal.recover(rulebook_of)
        return journal.takes_new


def test_before_the_first_closed_hand_there_is_nothing_that_version_0_1_cannot_read(where: Places) -> None:
    sat(where, HALF_A_HAND)
    sat(where, "")
    told = public(where)
    assert set[str]().union(*told) <= MEMBERS_0_1
    assert notes(where) == []
    assert not takes_new(where)


def test_the_first_closed_hand_is_followed_by_one_signed_note(where: Places) -> None:
    sat(where, WHOLE_HAND * 3)
    told = public(where)
    closed = [entry for entry in told if "carry" in entry]
    (note,) = notes(where)
    assert note["fact"] == {"kind": "format", "number": NEWEST, "needs": "0.2.0"}
    assert (note["seq"], note["hand"], note["at"]) == (closed[0]["seq"] + 1, 2, closed[0]["at"])
    assert [entry.get("format") for entry in closed] == [None, NEWEST, NEWEST]
    with closing(VolumeSet(where.journal)) as volume_set:
        stored = list(volume_set.records())
    assert stored[note["seq"] - 1].signature is not None
    assert verify(stored).fault is None
    assert set[str]().union(*told[: closed[0]["seq"]]) <= MEMBERS_0_1


@pytest.mark.parametrize("after", ["", "restart", HALF_A_HAND, WHOLE_HAND, WHOLE_HAND + HALF_A_HAND])
def test_a_later_start_finds_it(where: Places, after: str) -> None:
    sat(where, WHOLE_HAND + after)
    assert takes_new(where)
    sat(where, WHOLE_HAND)
    assert len(notes(where)) == 1


def test_each_later_volume_begins_with_it(tmp_path: Path) -> None:
    where = places(tmp_path, volume_records=20)
    sat(where, WHOLE_HAND)
    assert [entry["fact"]["kind"] for entry in public(where)[-3:]] == ["format", "volume-closed", "volume-opened"]
    assert takes_new(where)
    sat(where, WHOLE_HAND)
    carried = [entry for entry in public(where) if "carry" in entry]
    assert [entry.get("format") for entry in carried] == [None, NEWEST, NEWEST, NEWEST]
    assert carried[-1] == public(where)[-1]
    assert takes_new(where)
    assert len(notes(where)) == 1


def test_a_journal_of_version_0_1_takes_it_after_the_next_hand(where: Places) -> None:
    """Or one where the power failed between the end of the first hand and the note."""
    keep_keys(where.journal.parent)
    written(where.journal, WHOLE_HAND * 2)
    with closing(Journal.open(where, software="")) as journal:
        journal.recover(rulebook_of)
        journal.note(STOPPED)
    assert not takes_new(where)
    sat(where, WHOLE_HAND)
    assert takes_new(where)
    assert [note["hand"] for note in notes(where)] == [4]


def test_a_journal_without_records_takes_nothing_new(where: Places) -> None:
    assert not takes_new(where)
    assert format_of(()) == FIRST


def test_a_new_kind_of_note_is_refused_before_it_and_taken_after_it(
    where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "NEW_NOTES", frozenset((Stopped,)))
    sat(where, HALF_A_HAND)
    with closing(Journal.open(where, software="")) as journal:
        journal.recover(rulebook_of)
        before = journal.store.newest
        with pytest.raises(NotYet, match="takes_new"):
            journal.note(STOPPED)
        assert journal.store.newest == before


def test_a_new_kind_of_note_is_taken_after_the_first_closed_hand(
    where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "NEW_NOTES", frozenset((Stopped,)))
    sat(where, WHOLE_HAND)
    with closing(Journal.open(where, software="")) as journal:
        journal.recover(rulebook_of)
        assert journal.note(STOPPED).seq == journal.store.newest


def test_every_kind_of_note_that_version_0_1_does_not_know_waits_for_it() -> None:
    new = {name for name, kind in NOTES.items() if kind in NEW_NOTES}
    assert {*NOTES} - new == NOTES_0_1 | {"format"}
