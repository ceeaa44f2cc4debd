"""A journal at a glance: what its files say, whatever state they are in."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tablectl.journal.lines import line_with_box
from tablectl.journal.overview import kept_until, overview
from tablectl.journal.places import Places
from tablectl.journal.public_keys import public_pem
from tablectl.journal.store import JournalUnusable
from tablectl.journal.volumes import VolumeSet, volume_path
from tests.journal.journals import SIGNER, WHOLE_HAND, keep_keys, places, sat
from tests.journal.mutations import FORGER


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """Two hands, the beginning of a third, and a copy that is two records after."""
    keep_keys(tmp_path)
    made = places(tmp_path)
    sat(made, f"{WHOLE_HAND * 2}press new-hand\nbet 1 ante 1000")
    with closing(VolumeSet(made.journal)) as volume_set:
        lines = [line_with_box(record) + b"\n" for record in volume_set.records()]
    made.copy.write_bytes(b"".join(lines[:-2]))
    made.public_key.write_bytes(public_pem(SIGNER.public))
    return made


def test_it_says_how_far_journal_signature_and_copy_are(where: Places) -> None:
    seen = overview(where.journal, where.copy, where.public_key)
    assert (seen.hand, seen.last_closed, seen.earlier) == (3, 2, 0)
    with closing(VolumeSet(where.journal)) as volume_set:
        newest = next(volume_set.newest_first())
    assert (seen.newest, seen.at) == (newest.seq, newest.decoded().at)
    assert seen.signed is not None
    assert seen.signed.is_good is True
    assert seen.copy is not None
    assert (seen.copy.last, seen.copy.is_same, seen.copy.wrong) == (seen.newest - 2, True, "")
    assert seen.named_key == seen.published_key == SIGNER.public
    assert not seen.is_demo
    (volume,) = seen.volumes
    assert (volume.first, volume.last, volume.is_closed) == (1, seen.newest, False)


def test_another_key_beside_the_journal_does_not_confirm_its_signature(where: Places) -> None:
    where.public_key.write_bytes(public_pem(FORGER.public))
    seen = overview(where.journal, where.copy, where.public_key)
    assert seen.signed is not None
    assert seen.signed.is_good is False
    assert seen.named_key != seen.published_key
    where.public_key.write_text("no key")
    without = overview(where.journal, where.copy, where.public_key)
    assert without.signed is not None
    assert (without.signed.is_good, without.published_key) == (None, None)


def test_a_copy_that_is_missing_of_another_journal_or_spoiled_is_seen(where: Places) -> None:
    text = where.copy.read_bytes()
    where.copy.write_bytes(text.replace(b'"hash":"', b'"mesh":"'))
    spoiled = overview(where.journal, where.copy, None).copy
    assert spoiled is not None
    assert "does not end in a hash" in spoiled.wrong
    where.copy.write_bytes(text)
    other = places(where.journal.parent / "other")
    other.journal.parent.mkdir()
    sat(other, f"bet 1 ante 1000{WHOLE_HAND * 3}")
    parted = overview(other.journal, where.copy, None).copy
    assert parted is not None
    assert (parted.is_same, parted.wrong) == (False, "")
    where.copy.unlink()
    assert overview(where.journal, where.copy, None).copy is None


def test_volumes_are_told_one_by_one_and_those_in_an_archive_are_counted(tmp_path: Path) -> None:
    made = places(tmp_path, volume_records=20)
    sat(made, WHOLE_HAND * 3)
    seen = overview(made.journal, made.copy, None)
    assert [(volume.number, volume.is_closed) for volume in seen.volumes] == [
        (1, True),
        (2, True),
        (3, True),
        (4, False),
    ]
    assert [volume.first for volume in seen.volumes][1:] == [volume.last + 1 for volume in seen.volumes][:-1]
    assert seen.last_closed == 3
    made.journal.unlink()
    later = overview(made.journal, made.copy, None)
    assert (later.earlier, later.volumes[0].path) == (1, volume_path(made.journal, 2))


def test_a_journal_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalUnusable, match="there is no such journal"):
        overview(tmp_path / "table.db", tmp_path / "table.copy", None)


def test_logs_are_kept_for_ten_years_from_their_end() -> None:
    assert kept_until("2026-11-21T20:00:00.000000Z") == "2036-11-21"
    assert kept_until("2028-02-29T20:00:00.000000Z") == "2038-03-01"
