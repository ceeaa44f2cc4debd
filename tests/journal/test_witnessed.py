"""Heads that left the machine, held against a journal: which it has, which were accepted, and which it lost."""

from __future__ import annotations

from typing import Final

import pytest

from tablectl.core.events.notes import RollbackAccepted
from tablectl.journal.rollback import Rollback
from tablectl.journal.signed_head import SignedHead
from tablectl.journal.store import Stored
from tablectl.journal.witnessed import HeadsChecked, check_heads
from tests.journal.test_known_heads import KEY, OURS, THEIRS, digest

#: Records 5 to 20: those before are in an archive.
RECORDS: Final = [
    Stored(seq=seq, hand=1, boundary=False, public=b"", hash=bytes.fromhex(digest(seq)), signature=None, sealed=None)
    for seq in range(5, 21)
]
#: Record 12 says that two persons accepted that record 30 of another past is not there.
ACCEPTED: Final = Rollback(
    seq=11,
    to_seq=30,
    at="",
    accepted=RollbackAccepted(at_us=0, to_seq=30, to_hash="", by="ana", second="luis", reason=""),
    accepted_seq=12,
)


def head(seq: int, past: int = 0) -> SignedHead:
    """Of this journal, or of another past."""
    link = digest(seq + past)
    signature = OURS.sign(seq, bytes.fromhex(link)).hex()
    return SignedHead(seq=seq, hash=link, signature=signature, key=KEY)


def checked(*heads: SignedHead, rollbacks: tuple[Rollback, ...] = ()) -> HeadsChecked:
    return check_heads(heads, OURS.public, lambda: RECORDS, rollbacks)


def test_what_the_journal_has_is_good_and_what_is_in_an_archive_is_not_looked_at() -> None:
    assert checked(head(3), head(7), head(20)) == HeadsChecked(good=2, newest=20, unseen=1)


@pytest.mark.parametrize(
    ("lost", "what"), [(head(21), "the journal ends before it"), (head(9, past=1), "the journal has another record")]
)
def test_the_first_that_is_not_there_is_named(lost: SignedHead, what: str) -> None:
    fault = checked(head(7), lost, head(40)).fault
    assert f"record {lost.seq}" in fault
    assert what in fault


def test_what_somebody_else_signed_is_no_head_of_this_journal() -> None:
    link = digest(7)
    theirs = SignedHead(seq=7, hash=link, signature=THEIRS.sign(7, bytes.fromhex(link)).hex(), key=THEIRS.public.hex())
    claimed = SignedHead(seq=7, hash=link, signature=theirs.signature, key=KEY)
    assert checked(theirs, claimed, head(8)) == HeadsChecked(good=1, newest=8, foreign=2)


def test_what_two_persons_accepted_is_no_fault() -> None:
    heads = (head(9), head(28, past=1), head(14))
    assert checked(*heads).fault
    assert checked(*heads, rollbacks=(ACCEPTED,)) == HeadsChecked(good=2, newest=14, accepted=1)
    waiting = Rollback(seq=11, to_seq=30, at="")
    assert checked(*heads, rollbacks=(waiting,)).fault


def test_a_second_rollback_does_not_hide_behind_one_that_was_accepted() -> None:
    """After the acceptance a head was written down, so what is lost after it is another loss: its number is below that
    of the record that was accepted."""
    assert "record 25" in checked(head(9), head(14), head(25, past=1), rollbacks=(ACCEPTED,)).fault
    assert "record 31" in checked(head(9), head(31, past=1), rollbacks=(ACCEPTED,)).fault, (
        "newer than what was accepted"
    )
