"""What whoever follows a table remembers of it: the newest record that the table signed, whatever comes afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablectl.journal.known_heads import MOST_MISSING, KnownHeads
from tablectl.journal.signed_head import SignedHead, heads_in
from tablectl.journal.signing import Signer

OURS: Final = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
THEIRS: Final = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))))
KEY: Final = OURS.public.hex()


def digest(seq: int) -> str:
    return f"{seq:064x}"


def line(seq: int, *, signer: Signer | None = OURS, **fact: object) -> dict[str, Any]:
    """A record as the stream has it; `signer`: None where it has no signature."""
    made = {"seq": seq, "hash": digest(seq), "at": "2026-11-28T10:00:00.000000Z", "fact": {"kind": "pressed", **fact}}
    return made if signer is None else {**made, "signature": signer.sign(seq, bytes.fromhex(digest(seq))).hex()}


def accepted(seq: int, to_seq: int, to_hash: str = "") -> dict[str, Any]:
    link = to_hash or digest(to_seq)
    return line(seq, kind="rollback-accepted", to_seq=to_seq, to_hash=link, by="ana", second="luis", reason="")


def known(path: Path | None, *lines: dict[str, Any]) -> KnownHeads:
    heads = KnownHeads(path)
    heads.greeted(KEY)
    for said in lines:
        heads.saw(said)
    return heads


def lost(heads: KnownHeads, *, records: int) -> SignedHead:
    """The controller said that it has not what is remembered."""
    head = heads.head
    assert head is not None
    heads.answered(head.hash, {"ok": True, "has": False, "records": records})
    return head


def test_the_newest_signed_record_is_remembered_over_a_start(tmp_path: Path) -> None:
    path = tmp_path / "heads"
    heads = known(path, line(3), line(4), line(5, signer=None))
    heads.keep()
    for found in (heads.head, KnownHeads(path).head):
        assert found is not None
        assert (found.seq, found.hash, found.key) == (4, digest(4), KEY)
        assert found.is_good
    assert path.stat().st_mode & 0o077 == 0


def test_an_older_record_that_is_read_again_changes_nothing() -> None:
    heads = known(None, line(9))
    heads.saw(line(2))
    assert heads.head is not None
    assert heads.head.seq == 9


def test_what_the_table_did_not_sign_is_not_remembered() -> None:
    heads = known(None, line(3), line(4, signer=THEIRS))
    assert heads.head is not None
    assert heads.head.seq == 3
    assert known(None, line(3), {**line(4), "signature": "no digits"}).head == heads.head


def test_without_a_key_nothing_is_remembered() -> None:
    """A controller of an older version does not say it."""
    heads = KnownHeads(None)
    heads.greeted("")
    heads.saw(line(3))
    assert heads.head is None
    assert heads.questions() == {}


def test_a_head_that_is_missing_is_asked_about_until_it_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "heads"
    heads = known(path, line(9))
    head = lost(heads, records=5)
    heads.keep()
    heads = KnownHeads(path)
    assert [missing.head for missing in heads.missing] == [head]
    assert heads.head is None, "the next one is of the journal that is there now"
    heads.greeted(KEY)
    heads.saw(line(6))
    assert [*heads.questions()] == [digest(9), digest(6)]
    heads.saw(accepted(7, 9))
    assert heads.missing == ()
    assert [*heads.questions()] == [digest(7)]
    assert heads.accepted == "2026-11-28T10:00:00.000000Z"
    heads.keep()
    assert KnownHeads(path).missing == ()


def test_one_acceptance_ends_what_others_remember_of_the_same_journal() -> None:
    """Somebody else remembered a record that is newer by one."""
    heads = known(None, line(9))
    lost(heads, records=5)
    heads.saw(accepted(7, 10))
    assert heads.missing == ()


@pytest.mark.parametrize(
    "said",
    [
        accepted(5, 9),  # it is read again, and was about an earlier finding
        accepted(7, 8),  # about an older head: ours is missing still
        line(7, kind="restored", to_seq=9, to_hash=digest(9)),
    ],
)
def test_what_is_no_acceptance_of_it_ends_nothing(said: dict[str, Any]) -> None:
    heads = known(None, line(9))
    head = lost(heads, records=5)
    heads.saw(said)
    assert [missing.head for missing in heads.missing] == [head]


@pytest.mark.parametrize(
    "answer",
    [
        {"ok": True, "has": True, "records": 9},
        {"ok": True, "has": None, "records": 9},  # its volume is in an archive
        {"ok": False, "error": "expected an object with one of these methods: …"},  # an older version
        {"ok": False, "why": "too-soon", "error": ""},
    ],
)
def test_only_an_answer_that_it_is_not_there_makes_it_missing(answer: dict[str, Any]) -> None:
    heads = known(None, line(9))
    head = heads.head
    assert head is not None
    heads.answered(head.hash, answer)
    assert heads.missing == ()
    assert heads.head == head


def test_a_head_that_the_table_does_not_know_as_its_own_is_missing_until_just_that_one_is_accepted() -> None:
    """Journal and keys were made anew: the controller cannot say what was signed with the old ones."""
    heads = known(None, line(9))
    head = heads.head
    assert head is not None
    heads.answered(head.hash, {"ok": False, "why": "signature", "error": ""})
    assert [missing.head for missing in heads.missing] == [head]
    heads.saw(accepted(3, 20))
    assert [missing.head for missing in heads.missing] == [head]
    heads.saw(accepted(4, 9))
    assert heads.missing == ()


def test_what_was_accepted_while_nobody_looked_is_forgotten() -> None:
    heads = known(None, line(9))
    head = heads.head
    assert head is not None
    heads.answered(head.hash, {"ok": True, "has": False, "accepted": True, "records": 30})
    assert (heads.head, heads.missing) == (None, ())
    assert heads.accepted, "what comes after it is to be known elsewhere at once"


def test_several_rollbacks_are_remembered_and_not_without_end() -> None:
    heads = KnownHeads(None)
    heads.greeted(KEY)
    for seq in range(40, 20, -1):
        heads.saw(line(seq))
        lost(heads, records=seq - 1)
    assert len(heads.missing) == MOST_MISSING


def test_a_file_that_is_damaged_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "heads"
    path.write_bytes(b'{"head": 7')
    heads = known(path, line(3))
    heads.keep()
    assert KnownHeads(path).head == heads.head


def test_a_head_is_found_again_in_whatever_text_it_came() -> None:
    head = known(None, line(9)).head
    assert head is not None
    mail = f"Subject: Mesa 1\n\n> {head.line}\nid 7\n\ntablectl head 0 {'0' * 64}"
    assert list(heads_in(mail)) == [head]


def shown(*seqs: int) -> KnownHeads:
    """Somebody else kept these; nothing is remembered here."""
    heads = KnownHeads(None)
    heads.show(head for seq in seqs if (head := known(None, line(seq)).head) is not None)
    return heads


def test_what_somebody_else_kept_is_asked_about_until_it_is_known_whether_it_is_there() -> None:
    heads = shown(9, 7)
    assert {*heads.questions()} == {digest(9), digest(7)}
    heads.answered(digest(7), {"ok": True, "has": True, "records": 8})
    heads.answered(digest(9), {"ok": False, "why": "too-soon", "error": ""})
    assert {*heads.questions()} == {digest(9)}
    heads.answered(digest(9), {"ok": True, "has": False, "records": 8})
    assert [missing.head.seq for missing in heads.missing] == [9]
    assert not heads.is_shown


def test_what_somebody_else_kept_and_was_accepted_is_no_news() -> None:
    """Not a reason to give a head to every place at once, at each start anew."""
    heads = shown(9)
    heads.answered(digest(9), {"ok": True, "has": False, "accepted": True, "records": 30})
    assert (heads.missing, heads.accepted, heads.is_shown) == ((), "", False)
