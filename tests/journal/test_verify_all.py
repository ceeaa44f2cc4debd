"""A long journal is verified by two processes, and they find what one finds."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tablectl.journal.verify import Verdict, Wrong
from tablectl.journal.verify_all import verify_all
from tablectl.journal.volumes import VolumeSet
from tests.journal.journals import KEYS, SIGNER, WHOLE_HAND, changed, records, written

#: A journal of one hand has more records than this: another process checks the signatures.
FEW = 2


def verdict(path: Path, *, key: bytes | None = None) -> Verdict:
    """By two processes; by one it is the same."""
    with closing(VolumeSet(path)) as volume_set:
        found = verify_all(volume_set, key=key, many=FEW)
        assert found == verify_all(volume_set, key=key)
        return found


def test_an_intact_journal_is_intact_for_both(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND * 2)
    found = verdict(tmp_path / "a.db")
    assert found.fault is None
    assert (found.hands, found.signatures, found.public_key) == (2, 3, SIGNER.public)


@pytest.mark.parametrize("at", [0, 31, 32, 63])
def test_a_bad_signature_is_named_before_a_bad_record_after_it(tmp_path: Path, at: int) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND * 2)
    signed = [record for record in records(path) if record.signature is not None]
    signature = bytearray(signed[1].signature or b"")
    signature[at] ^= 1
    forge = ("UPDATE record SET signature = ? WHERE seq = ?", (bytes(signature), signed[1].seq))
    changed(path, forge, ("UPDATE record SET hand = 7 WHERE seq = ?", (signed[1].seq + 3,)))
    fault = verdict(path).fault
    assert fault is not None
    assert (fault.seq, fault.wrong) == (signed[1].seq, Wrong.OTHER_KEY)


def test_a_bad_record_is_named_before_a_bad_signature_after_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND * 2)
    last = [record for record in records(path) if record.signature is not None][-1]
    forge = ("UPDATE record SET signature = zeroblob(64) WHERE seq = ?", (last.seq,))
    changed(path, forge, ("UPDATE record SET hand = 7 WHERE seq = 4", ()))
    fault = verdict(path).fault
    assert fault is not None
    assert (fault.seq, fault.wrong) == (4, Wrong.CHANGED)


def test_another_key_than_the_published_one_is_named(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND)
    assert verdict(tmp_path / "a.db", key=KEYS.signer.public).fault is None
    fault = verdict(tmp_path / "a.db", key=bytes(32)).fault
    assert fault is not None
    assert (fault.seq, fault.wrong) == (1, Wrong.OTHER_KEY)
