"""What should lie in the tray by a journal: in volumes, begun anywhere, asked once or again and again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tablectl.core.events.codec import encode_json
from tablectl.core.events.notes import FloatCounted, FloatFilled
from tablectl.journal import float_reader
from tablectl.journal.float_reader import FloatReader
from tablectl.journal.journal import Journal
from tablectl.journal.places import Places
from tablectl.journal.store import JournalUnusable, Store
from tablectl.journal.volumes import VolumeSet
from tests.journal.journals import WHOLE_HAND, keep_keys, places, sat


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """A volume a hand."""
    keep_keys(tmp_path)
    return places(tmp_path, volume_records=20)


def note(where: Places, *notes: FloatCounted | FloatFilled) -> None:
    with closing(Journal.open(where, software="a program")) as journal:
        for float_note in notes:
            journal.note(float_note)


def counted(amount: int) -> FloatCounted:
    return FloatCounted(at_us=5, amount=amount, expected=None, by="ana", second="luis")


def change(where: Places) -> int:
    """By how much each of these hands changed the float."""
    with closing(VolumeSet(where.journal)) as volume_set:
        said = {record.public.partition(b'"float_change":')[2].partition(b",")[0] for record in volume_set.records()}
    (found,) = said - {b""}
    return int(found)


def test_it_is_found_through_volumes_and_asked_again_it_goes_on(where: Places) -> None:
    sat(where, WHOLE_HAND)
    note(where, counted(100_000), FloatFilled(at_us=6, amount=7, by="ana", second=""))
    asked_before = FloatReader(where.journal)
    assert asked_before.now()[0].expected == 100_007
    sat(where, WHOLE_HAND * 2)
    with closing(VolumeSet(where.journal)) as volume_set:
        assert len(volume_set.stores) == 4
    assert change(where) != 0
    for reader in (asked_before, FloatReader(where.journal)):
        tray, entries = reader.now()
        assert tray.expected == 100_007 + 2 * change(where)
        assert (tray.hands, [entry["amount"] for entry in entries]) == (2, [7, 100_000])


def test_the_newest_entries_are_the_same_whenever_it_was_begun(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(float_reader, "ENTRIES", 3)
    sat(where, WHOLE_HAND)
    asked_before = FloatReader(where.journal)
    for amount in range(6):
        note(where, counted(amount))
        assert asked_before.now() == FloatReader(where.journal).now()
    assert [entry["amount"] for entry in asked_before.now()[1]] == [5, 4, 3]
    sat(where, WHOLE_HAND)
    assert asked_before.now() == FloatReader(where.journal).now()


def test_a_count_in_a_hand_is_known_to_be_in_one_also_by_a_controller_that_was_started_since(where: Places) -> None:
    first, *_ = [line for line in WHOLE_HAND.splitlines() if line.strip()]
    sat(where, f"{WHOLE_HAND}\n{first}")
    note(where, counted(100_000))
    tray, _ = FloatReader(where.journal).now()
    assert (tray.expected, tray.is_open) == (100_000, True)


def test_a_journal_without_a_count_says_so(where: Places) -> None:
    sat(where, WHOLE_HAND)
    tray, entries = FloatReader(where.journal).now()
    assert (tray.expected, tray.is_open, entries) == (None, False, ())


def test_a_record_that_nobody_can_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with closing(Store.open(path)) as store:
        store.append(hand=1, boundary=False, public=encode_json({"seq": 1, "setup": {}}), sealed=None)
    asked = FloatReader(path)
    for _ in range(2):  # it is not passed over the next time
        with pytest.raises(JournalUnusable, match="it cannot be read: record 1: "):
            asked.now()
