"""Whatever is changed in a journal, the first bad record is named; nobody needs the key for that."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.journal.record import canonical, commitment
from tablectl.journal.store import GENESIS, Stored, chained
from tablectl.journal.verify import Fault, Verdict, verify
from tests.journal.journals import SIGNER, WHOLE_HAND, changed, records, written

#: So many records has a hand with two seats, from the opening of the table on.
N: Final = 25


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> list[Stored]:
    """One hand."""
    path = tmp_path_factory.mktemp("journal") / "a.db"
    written(path, WHOLE_HAND)
    return records(path)


def first_fault(stored: list[Stored]) -> tuple[int, str]:
    fault = verify(stored).fault
    assert fault is not None, "nothing was noticed"
    return fault.seq, fault.what


def counts(verdict: Verdict) -> tuple[int, int, int, int, Fault | None]:
    return verdict.records, verdict.hands, verdict.reveals, verdict.signatures, verdict.fault


def chained_anew(stored: list[Stored]) -> Iterator[Stored]:
    """As somebody would write it who computes every hash again and has the table's signing key."""
    before = GENESIS
    for each in stored:
        before = chained(before, each.public)
        signature = SIGNER.sign(each.seq, before) if each.signature is not None else None
        yield replace(each, hash=before, signature=signature)


def with_public(stored: Stored, change: Callable[[dict[str, Any]], object]) -> Stored:
    public = json.loads(stored.public)
    change(public)
    return replace(stored, public=canonical(public))


def test_a_journal_that_nobody_touched_is_intact(journal: list[Stored]) -> None:
    assert counts(verify(journal)) == (N, 1, 9, 2, None)
    assert counts(verify([])) == (0, 0, 0, 0, None)


def test_several_hands_are_counted(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND * 3)
    verdict = verify(records(tmp_path / "a.db"))
    assert counts(verdict) == (3 * (N - 1) + 1, 3, 27, 4, None)


def test_any_changed_byte_of_any_public_form_is_noticed_at_its_record(journal: list[Stored]) -> None:
    """All there is up to the first card that is shown."""
    small = journal[: next(index for index, each in enumerate(journal, 1) if b'"reveals"' in each.public)]
    for index, stored in enumerate(small):
        for at in range(len(stored.public)):
            public = bytearray(stored.public)
            public[at] ^= 0x01
            seq, what = first_fault([*small[:index], replace(stored, public=bytes(public)), *small[index + 1 :]])
            assert seq == index + 1
            assert "its hash does not follow from the record before" in what


def test_any_changed_byte_of_any_hash_is_noticed_at_its_record(journal: list[Stored]) -> None:
    for index, stored in enumerate(journal):
        for at in range(32):
            link = bytearray(stored.hash)
            link[at] ^= 0x10
            assert (
                first_fault([*journal[:index], replace(stored, hash=bytes(link)), *journal[index + 1 :]])[0]
                == index + 1
            )


@pytest.mark.parametrize("index", range(N))
def test_a_changed_column_is_noticed_at_its_record(journal: list[Stored], index: int) -> None:
    stored = journal[index]
    for other, told in (
        (replace(stored, hand=stored.hand + 1), "its number or hand is not the one it was written with"),
        (replace(stored, boundary=not stored.boundary), "its mark for the end of a hand was changed"),
    ):
        assert first_fault([*journal[:index], other, *journal[index + 1 :]]) == (index + 1, told)


@pytest.mark.parametrize("index", range(N - 1))
def test_a_record_that_is_missing_is_named(journal: list[Stored], index: int) -> None:
    assert first_fault([*journal[:index], *journal[index + 1 :]]) == (
        index + 1,
        f"missing; the next one there is {index + 2}",
    )


@pytest.mark.parametrize("index", range(N - 1))
def test_a_record_that_is_missing_is_noticed_although_the_others_moved_up(journal: list[Stored], index: int) -> None:
    moved = [replace(each, seq=each.seq - 1) for each in journal[index + 1 :]]
    assert first_fault([*journal[:index], *moved])[0] == index + 1


@pytest.mark.parametrize("index", range(N - 1))
def test_two_records_that_changed_places_are_noticed(journal: list[Stored], index: int) -> None:
    one, other = journal[index : index + 2]
    swapped = [replace(other, seq=one.seq), replace(one, seq=other.seq)]
    assert first_fault([*journal[:index], *swapped, *journal[index + 2 :]])[0] == index + 1


@pytest.mark.parametrize("index", range(N))
def test_a_record_that_is_there_twice_is_noticed(journal: list[Stored], index: int) -> None:
    later = [replace(each, seq=each.seq + 1) for each in journal[index:]]
    assert first_fault([*journal[: index + 1], *later])[0] == index + 2


def test_a_journal_that_was_cut_in_the_middle_shows_where_it_goes_on(journal: list[Stored]) -> None:
    assert first_fault([*journal[:10], *journal[15:]]) == (11, "missing; the next one there is 16")


def test_records_behind_the_first_bad_one_are_not_counted(journal: list[Stored]) -> None:
    verdict = verify([*journal[:17], *journal[18:]])
    assert (verdict.records, verdict.hands, verdict.reveals) == (17, 0, 3)


# --- somebody computes every hash again -----------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["2d", "As", "zz"])
def test_another_card_in_a_reveal_is_noticed_although_the_chain_is_right(journal: list[Stored], code: str) -> None:
    at = next(index for index, each in enumerate(journal) if b'"reveals"' in each.public)

    def lie(public: dict[str, Any]) -> None:
        public["reveals"][0]["card"] = code

    forged = list(chained_anew([*journal[:at], with_public(journal[at], lie), *journal[at + 1 :]]))
    assert first_fault(forged) == (at + 1, "the card revealed for draw 8 is not the one that was committed to")


def test_another_salt_in_a_reveal_is_noticed_although_the_chain_is_right(journal: list[Stored]) -> None:
    at = next(index for index, each in enumerate(journal) if b'"reveals"' in each.public)

    def lie(public: dict[str, Any]) -> None:
        public["reveals"][0]["salt"] = 32 * "0"

    assert first_fault(list(chained_anew([*journal[:at], with_public(journal[at], lie)])))[0] == at + 1


def test_a_reveal_of_a_card_of_an_earlier_hand_is_noticed(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND + "press new-hand\n")
    journal = records(tmp_path / "a.db")
    earlier = next(json.loads(each.public)["reveals"] for each in journal if b'"reveals"' in each.public)

    def lie(public: dict[str, Any]) -> None:
        public["reveals"] = earlier

    forged = list(chained_anew([*journal[:-1], with_public(journal[-1], lie)]))
    assert first_fault(forged) == (N + 1, "the card revealed for draw 8 is not the one that was committed to")


@pytest.mark.parametrize(
    "public",
    [
        b"",
        b"\xff",
        b"[]",
        b"1",
        b"{}",
        b'{"seq":3}',
        b'{"seq":3,"hand":1,"decisions":1,"fact":{}}',
        b'{"seq":3,"hand":1,"decisions":[{}],"fact":{}}',
        b'{"seq":3,"hand":1,"decisions":[],"fact":1}',
        b'{"seq":3,"hand":1,"decisions":[],"fact":{},"reveals":[{"draw":"x"}]}',
        b'{"seq":3,"hand":1,"decisions":[],"fact":{},"reveals":[{"draw":1,"card":"As","salt":"x"}]}',
    ],
)
def test_what_is_no_record_is_named_although_the_chain_is_right(journal: list[Stored], public: bytes) -> None:
    forged = list(chained_anew([*journal[:2], replace(journal[2], public=public), *journal[3:]]))
    assert first_fault(forged) == (3, "its public form is none that this program writes")


def test_anybody_can_check_a_revealed_card_with_a_hash_alone(journal: list[Stored]) -> None:
    public = [json.loads(each.public) for each in journal]
    committed = {each["fact"]["draw"]: each["fact"]["card"] for each in public if "draw" in each["fact"]}
    for each in public:
        for reveal in each.get("reveals", ()):
            assert commitment(reveal["card"], bytes.fromhex(reveal["salt"])) == committed[reveal["draw"]]


# --- in the file itself ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "seq"),
    [
        ("UPDATE record SET public = replace(CAST(public AS TEXT), '1000', '9000') WHERE seq = 3", 3),
        ("UPDATE record SET hash = zeroblob(32) WHERE seq = 4", 4),
        ("UPDATE record SET hand = 2 WHERE seq = 5", 5),
        ("UPDATE record SET boundary = 1 WHERE seq = 6", 6),
        ("UPDATE record SET seq = 99 WHERE seq = 7", 7),
        ("DELETE FROM record WHERE seq = 8", 8),
        ("DELETE FROM record WHERE seq BETWEEN 10 AND 14", 10),
    ],
)
def test_whoever_breaks_the_file_on_purpose_is_found_out(tmp_path: Path, statement: str, seq: int) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND)
    text = statement.replace("replace(CAST(public AS TEXT), '1000', '9000')", "?")
    public = records(path)[2].public.replace(b"1000", b"9000")
    changed(path, (text, (public,) if "?" in text else ()))
    assert first_fault(records(path))[0] == seq
