"""Whatever is changed in a journal or its copy, the first bad record is named, and what is wrong with it.

Nobody needs a secret key for that. All mutations, one thing at a time: `tests/journal/mutations.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.core.events.codec import encode_json
from tablectl.journal.lines import line, parse
from tablectl.journal.public_keys import fingerprint
from tablectl.journal.record import commitment
from tablectl.journal.store import Position, Stored
from tablectl.journal.verify import Fault, Verdict, Wrong, compare, verify
from tests.journal.journals import SIGNER, WHOLE_HAND, changed, records, written
from tests.journal.mutations import (
    BITS,
    FORGER,
    NUMBERS,
    Finder,
    Summary,
    Told,
    chained_anew,
    of_copy,
    of_forgers,
    of_journal,
    rewritten,
    run,
    small_journal,
    told_otherwise,
)

#: So many records has a hand with two seats, from the opening of the table on.
N: Final = 25


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> list[Stored]:
    """One hand."""
    return small_journal(tmp_path_factory.mktemp("journal"))


def first_fault(stored: Sequence[Stored], *, key: bytes | None = None) -> Fault:
    fault = verify(stored, key=key).fault
    assert fault is not None, "nothing was noticed"
    return fault


def told(fault: Fault | None) -> Told | None:
    return (fault.seq, fault.wrong) if fault is not None else None


def counts(verdict: Verdict) -> tuple[int, int, int, int, Fault | None]:
    return verdict.records, verdict.hands, verdict.reveals, verdict.signatures, verdict.fault


def signed_anew(stored: Sequence[Stored]) -> list[Stored]:
    """As somebody would write it who computes every hash again and has the table's signing key."""
    return chained_anew(stored, 0, SIGNER)


def with_public(stored: Stored, change: Callable[[dict[str, Any]], object]) -> Stored:
    public = json.loads(stored.public)
    change(public)
    return replace(stored, public=encode_json(public))


def renumbered(public: bytes, instead_of: int, seq: int) -> bytes:
    return public.replace(f'"seq":{instead_of}'.encode(), f'"seq":{seq}'.encode())


def test_a_journal_that_nobody_touched_is_intact(journal: list[Stored]) -> None:
    assert counts(verify(journal)) == (N, 1, 9, 2, None)
    assert counts(verify(journal, key=SIGNER.public)) == (N, 1, 9, 2, None)
    assert counts(verify([])) == (0, 0, 0, 0, None)
    assert compare(journal, journal) is None


def test_several_hands_are_counted(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND * 3)
    verdict = verify(records(tmp_path / "a.db"))
    assert counts(verdict) == (3 * (N - 1) + 1, 3, 27, 4, None)


def test_a_verdict_says_who_signed_and_how_far(journal: list[Stored]) -> None:
    verdict = verify(journal[:-1])
    assert (verdict.public_key, verdict.signed_to, verdict.end) == (
        SIGNER.public,
        1,
        Position(N - 1, journal[N - 2].hash),
    )
    assert not verdict.is_demo


def test_the_public_stream_is_verified_without_the_sealed_parts(journal: list[Stored]) -> None:
    stream = [parse(line(stored)) for stored in journal]
    assert counts(verify(stream, with_boxes=False)) == (N, 1, 9, 2, None)
    assert told(verify(stream).fault) == (6, Wrong.CHANGED), "in a journal they must not be missing"


# --- every mutation -------------------------------------------------------------------------------------------------


def n_bytes(journal: list[Stored]) -> int:
    """Of all fields that are bytes."""
    return sum(
        len(part)
        for stored in journal
        for part in (stored.public, stored.hash, stored.signature, stored.sealed)
        if part
    )


def n_structural() -> int:
    """Drops and swaps, each with the old numbers and with new ones; doubles in each other place, likewise."""
    pairs = N * (N - 1) // 2
    return 2 * (pairs + pairs + N * N)


def complete(summary: Summary, journal: list[Stored], *, bits: int) -> None:
    """No mutation was left out: the numbers follow from the journal, not from what was tried."""
    fields = {name: sum(found.values()) for name, found in summary.classes.items() if name.startswith("bit of the ")}
    assert sum(fields.values()) == n_bytes(journal) * bits + N * len(NUMBERS) * BITS
    there = sum(sum(summary.classes[f"{name} taken away"].values()) for name in ("signature", "sealed part"))
    not_there = sum(sum(found.values()) for name, found in summary.classes.items() if "there was none" in name)
    assert there + not_there == 2 * N
    moved = sum(
        sum(found.values()) for name, found in summary.classes.items() if name.startswith(("dropped", "swapped", "put"))
    )
    assert moved == n_structural()


def test_every_record_moved_and_one_bit_of_every_byte_turned_is_found_at_its_record(journal: list[Stored]) -> None:
    summary = run(journal, every_bit=False)
    assert not summary.missed, summary.table()
    complete(summary, journal, bits=1)


@pytest.mark.slow
def test_every_bit_of_every_field_and_of_every_line_of_the_copy_is_found_at_its_record(journal: list[Stored]) -> None:
    summary = run(journal, every_bit=True)
    assert not summary.missed, summary.table()
    complete(summary, journal, bits=8)
    assert summary.total > 230_000, summary.table()


def test_to_look_from_the_record_before_on_finds_what_the_whole_run_finds(journal: list[Stored]) -> None:
    finder = Finder(journal)
    for number, mutation in enumerate(of_journal(journal, every_bit=False)):
        if number % 17 == 0 or not mutation.of.startswith("bit"):
            assert finder.found(mutation) == finder.found_from_the_beginning(mutation), mutation.of
    for number, other in enumerate(of_copy(journal, every_bit=False)):
        if number % 17 == 0 or not other.of.startswith("bit"):
            assert finder.found_in_copy(other) == finder.found_in_copy_from_the_beginning(other), other.of


def test_a_mutation_that_nobody_finds_would_be_told(journal: list[Stored]) -> None:
    """The control of the tests above: a journal that is chained and signed anew shows nothing by itself."""
    summary = Summary({}, [])
    summary.add("signed anew", 4, (Wrong.CHANGED,), told(verify(rewritten(journal, 3, SIGNER)).fault))
    summary.add("good", 4, (Wrong.CHANGED,), (4, Wrong.MISSING))
    assert len(summary.missed) == 2
    assert "NOT FOUND" in summary.table()


@pytest.mark.parametrize("bit", range(16))
def test_a_number_that_was_changed_in_the_file_is_found_where_it_is_missing(journal: list[Stored], bit: int) -> None:
    """SQLite hands the records out in the order of their numbers, and takes no number twice."""
    for index, stored in enumerate(journal):
        seq = stored.seq ^ (1 << bit)
        if seq > N:
            moved = sorted([*journal[:index], replace(stored, seq=seq), *journal[index + 1 :]], key=lambda one: one.seq)
            expected = Wrong.MISSING if index < N - 1 else Wrong.CHANGED
            assert told(verify(moved).fault) == (index + 1, expected)


def test_the_words_say_what_happened(journal: list[Stored]) -> None:
    """For the person who reads them."""
    swapped = [*journal[:10], replace(journal[11], seq=11), replace(journal[10], seq=12), *journal[12:]]
    for stored, words in (
        ([*journal[:10], *journal[15:]], "record 11: missing: the next one there is 16"),
        ([*journal[:10], *journal[9:]], "record 11: reordered: what stands there is record 10 once more"),
        (
            [*journal[:10], journal[11], journal[10], *journal[12:]],
            "reordered: what stands there is record 12, it comes",
        ),
        (swapped, "record 11: reordered: what stands there is record 12"),
        ([*journal[:10], replace(journal[10], seq=4711)], "record 11: changed: it stands there as record 4711"),
        ([replace(journal[0], signature=None), *journal[1:]], "record 1: not signed: its signature was taken away"),
        (journal[1:], "record 1: missing: the next one there is 2"),
    ):
        assert words in str(first_fault(stored))


def test_records_after_the_first_bad_one_are_not_counted(journal: list[Stored]) -> None:
    verdict = verify([*journal[:17], *journal[18:]])
    assert (verdict.records, verdict.hands, verdict.reveals) == (17, 0, 3)


# --- journal and copy -----------------------------------------------------------------------------------------------


def test_a_journal_that_was_cut_anywhere_is_intact_by_itself_and_found_out_by_its_copy(journal: list[Stored]) -> None:
    for n in range(N):
        assert verify(journal[:n]).fault is None
        fault = compare(journal[:n], journal)
        assert str(fault) == f"record {n + 1}: truncated: the copy has it, the journal ends before: its end was cut off"


def test_a_copy_that_ends_earlier_is_only_behind(journal: list[Stored]) -> None:
    for n in range(N + 1):
        assert compare(journal, journal[:n]) is None


def test_where_journal_and_copy_part_is_named_although_both_are_intact(journal: list[Stored]) -> None:
    for first in range(N):
        other = rewritten(journal, first, SIGNER)
        assert verify(other, key=SIGNER.public).fault is None
        for ours, theirs in ((journal, other), (other, journal)):
            assert told(compare(ours, theirs)) == (first + 1, Wrong.FORKED)


def test_a_copy_whose_chain_does_not_fit_is_changed_and_no_fork(journal: list[Stored]) -> None:
    for first in range(N):
        other = [*journal[:first], told_otherwise(journal[first]), *journal[first + 1 :]]
        assert told(compare(journal, other)) == (first + 1, Wrong.CHANGED)
        unhashed = [*journal[:first], replace(journal[first], hash=bytes(32)), *journal[first + 1 :]]
        assert told(compare(journal, unhashed)) == (first + 1, Wrong.CHANGED)


# --- somebody computes every hash again ------------------------------------------------------------------------------


def test_whoever_has_another_key_is_found_out_at_the_next_signature(journal: list[Stored]) -> None:
    finder = Finder(journal)
    for forger in of_forgers(journal):
        signed = 1 if forger.index == 0 else N
        assert finder.found_from_the_beginning(forger) == (signed, forger.wrong[0])


def test_whoever_replaces_the_key_too_is_found_out_by_the_key_that_was_published(journal: list[Stored]) -> None:
    def name_another(public: dict[str, Any]) -> None:
        public["keys"]["signing"] = FORGER.public.hex()

    forged = chained_anew([with_public(journal[0], name_another), *journal[1:]], 0, FORGER)
    verdict = verify(forged)
    assert verdict.fault is None, "it is consistent in itself"
    assert verdict.public_key == FORGER.public
    assert fingerprint(FORGER.public) != fingerprint(SIGNER.public), "what two persons compare by reading aloud"
    assert str(first_fault(forged, key=SIGNER.public)) == (
        "record 1: signed by another key: it names another key than the key that was given"
    )


def test_a_key_that_changes_on_the_way_is_found_out_without_any_other_knowledge(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND + "restart\n" + WHOLE_HAND)
    journal = records(tmp_path / "a.db")

    def name_another(public: dict[str, Any]) -> None:
        public["keys"]["signing"] = FORGER.public.hex()

    again = with_public(journal[N], name_another)
    forged = chained_anew([*journal[:N], again, *journal[N + 1 :]], N, FORGER)
    assert str(first_fault(forged)) == (
        f"record {N + 1}: signed by another key: it names another key than the key of the records before"
    )


@pytest.mark.parametrize("signing", ["", "00", 31 * "00", 33 * "00", "no number", "é"])
def test_a_key_that_is_none_is_named(journal: list[Stored], signing: str) -> None:
    def name_another(public: dict[str, Any]) -> None:
        public["keys"]["signing"] = signing

    forged = signed_anew([with_public(journal[0], name_another), *journal[1:]])
    assert told(first_fault(forged)) == (1, Wrong.CHANGED)


def test_a_journal_without_an_opening_is_none_however_well_it_is_chained(journal: list[Stored]) -> None:
    """Nothing in the middle of a hand is signed: whoever begins there would need no key."""
    moved = [replace(stored, seq=stored.seq - 1) for stored in journal[1:-1]]
    unsigned = [replace(stored, public=renumbered(stored.public, stored.seq + 1, stored.seq)) for stored in moved]
    forged = chained_anew(unsigned, 0, None)
    for key in (None, SIGNER.public):
        assert str(first_fault(forged, key=key)) == "record 1: changed: a journal or a volume does not begin with it"


def test_a_record_that_carries_a_table_over_has_to_be_signed(journal: list[Stored]) -> None:
    """A start goes on from there without playing it again: a forged one could say what it likes."""
    carry = json.loads(journal[-1].public)["carry"]
    forged = with_public(journal[4], lambda public: public.update(carry=carry))
    made = chained_anew([*journal[:4], replace(forged, boundary=True), *journal[5:]], 4, None)
    assert told(first_fault(made)) == (5, Wrong.UNSIGNED)


@pytest.mark.parametrize("code", ["2d", "As", "zz"])
def test_another_card_in_a_reveal_is_noticed_although_the_chain_is_right(journal: list[Stored], code: str) -> None:
    at = next(index for index, stored in enumerate(journal) if b'"reveals"' in stored.public)

    def lie(public: dict[str, Any]) -> None:
        public["reveals"][0]["card"] = code

    forged = signed_anew([*journal[:at], with_public(journal[at], lie), *journal[at + 1 :]])
    fault = first_fault(forged)
    assert (fault.seq, fault.wrong) == (at + 1, Wrong.FALSE_REVEAL)
    assert fault.what == "the card revealed for draw 8 is not the one that was committed to"


def test_another_salt_in_a_reveal_is_noticed_although_the_chain_is_right(journal: list[Stored]) -> None:
    at = next(index for index, stored in enumerate(journal) if b'"reveals"' in stored.public)

    def lie(public: dict[str, Any]) -> None:
        public["reveals"][0]["salt"] = 32 * "0"

    assert told(first_fault(signed_anew([*journal[:at], with_public(journal[at], lie)]))) == (
        at + 1,
        Wrong.FALSE_REVEAL,
    )


def test_a_reveal_of_a_card_of_an_earlier_hand_is_noticed(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND + "press new-hand\n")
    journal = records(tmp_path / "a.db")
    earlier = next(json.loads(stored.public)["reveals"] for stored in journal if b'"reveals"' in stored.public)

    def lie(public: dict[str, Any]) -> None:
        public["reveals"] = earlier

    forged = signed_anew([*journal[:-1], with_public(journal[-1], lie)])
    assert told(first_fault(forged)) == (N + 1, Wrong.FALSE_REVEAL)


@pytest.mark.parametrize(
    "public",
    [
        b"",
        b"\xff",
        b"[]",
        b"1",
        b"{}",
        b"[" * 100_000,
        b'{"seq":3,"hand":1,"decisions":[],"fact":{"kind":"\\ud800"}}',
        b'{"seq":3,"hand":1,"decisions":[],"fact":{"kind":"\xff"}}',
        b'{"seq":3}',
        b'{"seq":3,"hand":1,"decisions":1,"fact":{}}',
        b'{"seq":3,"hand":1,"decisions":[{}],"fact":{}}',
        b'{"seq":3,"hand":1,"decisions":[],"fact":1}',
        b'{"seq":3,"hand":1,"decisions":[],"fact":{},"reveals":[{"draw":"x"}]}',
        b'{"seq":3,"hand":1,"decisions":[],"fact":{},"reveals":[{"draw":1,"card":"As","salt":"x"}]}',
        b'{"seq":1e999,"hand":1,"decisions":[],"fact":{"kind":"pressed"}}',
    ],
)
def test_what_is_no_record_is_named_although_the_chain_is_right(journal: list[Stored], public: bytes) -> None:
    forged = signed_anew([*journal[:2], replace(journal[2], public=public), *journal[3:]])
    assert str(first_fault(forged)) == "record 3: changed: its public form is none that this program writes"


def test_anybody_can_check_a_revealed_card_with_a_hash_alone(journal: list[Stored]) -> None:
    public = [json.loads(stored.public) for stored in journal]
    committed = {record["fact"]["draw"]: record["fact"]["card"] for record in public if "draw" in record["fact"]}
    for record in public:
        for reveal in record.get("reveals", ()):
            assert commitment(reveal["card"], bytes.fromhex(reveal["salt"])) == committed[reveal["draw"]]


# --- in the file itself ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "seq", "wrong"),
    [
        ("UPDATE record SET public = replace(CAST(public AS TEXT), '1000', '9000') WHERE seq = 3", 3, Wrong.CHANGED),
        ("UPDATE record SET hash = zeroblob(32) WHERE seq = 4", 4, Wrong.CHANGED),
        ("UPDATE record SET hand = 2 WHERE seq = 5", 5, Wrong.CHANGED),
        ("UPDATE record SET boundary = 1 WHERE seq = 6", 6, Wrong.CHANGED),
        ("UPDATE record SET seq = 99 WHERE seq = 7", 7, Wrong.MISSING),
        ("DELETE FROM record WHERE seq = 8", 8, Wrong.MISSING),
        ("DELETE FROM record WHERE seq BETWEEN 10 AND 14", 10, Wrong.MISSING),
    ],
)
def test_whoever_breaks_the_file_on_purpose_is_found_out(
    tmp_path: Path, statement: str, seq: int, wrong: Wrong
) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND)
    text = statement.replace("replace(CAST(public AS TEXT), '1000', '9000')", "?")
    public = records(path)[2].public.replace(b"1000", b"9000")
    changed(path, (text, (public,) if "?" in text else ()))
    assert told(first_fault(records(path))) == (seq, wrong)
