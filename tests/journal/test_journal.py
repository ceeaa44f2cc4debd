"""The journal at a start of the controller: its keys, what stands at its end, its notes; and what a start refuses."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from tablectl.core.events.notes import Cleared, Note, Stopped, Tilted, Unsealed, VolumeClosed
from tablectl.core.timestamps import time_text, time_us
from tablectl.games.registry import rulebook_of
from tablectl.journal.journal import Journal
from tablectl.journal.keys import load_keys
from tablectl.journal.places import Places
from tablectl.journal.public_keys import load_public
from tablectl.journal.seal import BadSeal
from tablectl.journal.store import JournalUnusable, Store
from tablectl.journal.tilt import Mark, Tilt, TiltKind
from tablectl.journal.verify import verify
from tablectl.journal.writer import RecordWriter
from tests.journal.journals import (
    KEYS,
    NEVER_SHOWN,
    START_US,
    WHOLE_HAND,
    Sitting,
    changed,
    keep_keys,
    places,
    records,
    sat,
)

TILTED = Tilted(at_us=START_US + 10, tilt="disk-full", reason="no room")
CLEARED = Cleared(at_us=START_US + 20, by="A. Person", reason="made room")
REFUSED = Unsealed(at_us=START_US + 30, of_hand=1, by="B. Person", reason="a complaint", granted=False)
MARK = Mark(kind=TiltKind.DISK_FULL, reason="no room", at=time_text(TILTED.at_us))
STOPPED = Stopped(at_us=START_US + 40, why="SIGTERM")


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """A table without anything yet."""
    return places(tmp_path)


def tilted(where: Places) -> Tilt:
    with pytest.raises(Tilt) as caught:
        Journal.open(where, software="")
    return caught.value


def opened(where: Places) -> Journal:
    return Journal.open(where, software="")


def start(where: Places) -> TiltKind | None:
    """How a start ends; None where the table may deal."""
    try:
        with closing(opened(where)) as journal:
            journal.recover(rulebook_of)
    except Tilt as tilt:
        return tilt.kind
    return None


# --- keys -----------------------------------------------------------------------------------------------------------


def test_a_new_journal_gets_new_keys_and_publishes_the_one_that_signs(where: Places) -> None:
    sat(where, WHOLE_HAND)
    keys = load_keys(where.key, where.signing_key)
    assert not keys.is_demo
    assert load_public(where.public_key) == keys.signer.public
    assert records(where.journal)[0].decoded().keys == keys.public()
    assert verify(records(where.journal), key=keys.signer.public).fault is None


def test_a_table_that_was_opened_and_never_wrote_keeps_its_keys(where: Places) -> None:
    opened(where).close()
    before = where.key.read_bytes(), where.signing_key.read_bytes()
    opened(where).close()
    assert (where.key.read_bytes(), where.signing_key.read_bytes()) == before


def test_a_journal_with_a_record_never_gets_new_keys(where: Places) -> None:
    sat(where, "")
    for path in (where.key, where.signing_key):
        kept = path.read_bytes()
        path.unlink()
        tilt = tilted(where)
        assert tilt.kind is TiltKind.KEY
        assert f"{path}: the " in str(tilt)
        assert "cannot be read (No such file or directory); bring the journal's own key back" in str(tilt)
        assert not path.exists()
        path.touch(0o600)
        path.write_bytes(kept)
    opened(where).close()


@pytest.mark.parametrize("name", ["key", "signing_key"])
def test_another_tables_key_is_refused_and_named_with_both_fingerprints(
    where: Places, tmp_path: Path, name: str
) -> None:
    sat(where, WHOLE_HAND)
    (tmp_path / "other").mkdir()
    other = places(tmp_path / "other")
    sat(other, "")
    path: Path = getattr(where, name)
    path.write_bytes(getattr(other, name).read_bytes())
    tilt = tilted(where)
    assert tilt.kind is TiltKind.KEY
    assert str(tilt).startswith(f"{path}: not the key of this journal (")
    assert "bring back its own" in str(tilt)


def test_a_key_that_others_can_read_is_refused(where: Places) -> None:
    sat(where, "")
    where.key.chmod(0o640)
    assert tilted(where).kind is TiltKind.KEY


def test_a_start_that_was_refused_leaves_the_lock_free(where: Places) -> None:
    sat(where, "")
    where.key.chmod(0o640)
    assert tilted(where).kind is TiltKind.KEY
    where.key.chmod(0o600)
    opened(where).close()


@pytest.mark.parametrize("public", [b"{}", b"[]", b"no json", b'{"keys":{}}', b'{"keys":{"signing":"xx"}}'])
def test_a_journal_that_does_not_name_its_keys_is_refused(where: Places, public: bytes) -> None:
    sat(where, WHOLE_HAND)
    changed(where.journal, ("UPDATE record SET public = ? WHERE seq = 1", (public,)))
    tilt = tilted(where)
    assert tilt.kind is TiltKind.KEY
    assert "its first record names no key; `tablectl journal verify` says more" in str(tilt)


def test_a_public_key_that_cannot_be_written_is_a_tilt(where: Places) -> None:
    where.public_key.mkdir()
    tilt = tilted(where)
    assert tilt.kind is TiltKind.READ_ONLY
    assert "table.pub: cannot be written" in str(tilt)


def test_a_public_key_that_somebody_replaced_is_put_right(where: Places) -> None:
    sat(where, "")
    right = where.public_key.read_bytes()
    where.public_key.write_bytes(b"another one")
    opened(where).close()
    assert where.public_key.read_bytes() == right


# --- what a start refuses -------------------------------------------------------------------------------------------


def test_a_second_controller_is_a_tilt(where: Places) -> None:
    with closing(opened(where)):
        assert tilted(where).kind is TiltKind.TWO_CONTROLLERS


def test_a_folder_that_is_not_there_is_a_tilt(tmp_path: Path) -> None:
    assert tilted(places(tmp_path / "none")).kind is TiltKind.READ_ONLY


def test_a_file_that_is_no_journal_is_a_tilt(where: Places) -> None:
    where.journal.write_bytes(b"no database at all" * 300)
    assert tilted(where).kind is TiltKind.DAMAGED


def test_a_journal_whose_pages_are_damaged_is_a_tilt_and_no_other_end(where: Places) -> None:
    """Nowhere does it end the start in another way, whichever page it is."""
    sat(where, WHOLE_HAND * 3)
    good = where.journal.read_bytes()
    for page in range(1, len(good) // 4096):
        where.journal.write_bytes(good[: page * 4096] + b"\xa5" * 4096 + good[(page + 1) * 4096 :])
        assert start(where) in {None, TiltKind.DAMAGED, TiltKind.KEY, TiltKind.CHAIN, TiltKind.REPLAY}
    where.journal.write_bytes(good)
    opened(where).close()


def test_a_record_of_the_hand_in_play_that_was_changed_is_a_tilt(where: Places) -> None:
    sat(where, WHOLE_HAND + "press new-hand\nbet 1 ante 1000\n")
    public = records(where.journal)[-1].public
    changed(where.journal, ("UPDATE record SET public = ? WHERE seq = 27", (public.replace(b"1000", b"9000"),)))
    with closing(opened(where)) as journal, pytest.raises(Tilt, match="record 27: its hash does not follow") as caught:
        journal.recover(rulebook_of)
    assert caught.value.kind is TiltKind.CHAIN


def test_a_program_that_decides_otherwise_is_a_tilt(where: Places) -> None:
    keep_keys(where.journal.parent)
    sat(where, WHOLE_HAND)
    public = json.loads(records(where.journal)[0].public)
    with closing(Store.open(where.journal)) as store:
        writer = RecordWriter(store, KEYS)
        writer.note(STOPPED, hand=1)
        told = public | {"seq": store.next_seq, "fact": {"kind": "pressed", "key": "new-hand"}, "hand": 2}
        told.pop("keys")
        store.append(hand=2, boundary=False, public=json.dumps(told).encode(), sealed=None)
    with closing(opened(where)) as journal, pytest.raises(Tilt) as caught:
        journal.recover(rulebook_of)
    assert caught.value.kind is TiltKind.REPLAY


def test_a_new_journal_has_no_table_yet(where: Places) -> None:
    with closing(opened(where)) as journal:
        assert journal.recover(rulebook_of) is None
        assert journal.newest() is None
        assert journal.standing_tilt() is None
        assert journal.clock_behind_us(0) == 0
        assert not journal.is_between_volumes
        with pytest.raises(JournalUnusable, match="nothing is recorded yet"):
            journal.note(STOPPED)


# --- what stands at its end -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("notes", "stands"),
    [
        ((), None),
        ((TILTED,), MARK),
        ((TILTED, REFUSED), MARK),
        ((TILTED, REFUSED, REFUSED), MARK),
        ((TILTED, CLEARED), None),
        ((TILTED, CLEARED, REFUSED), None),
        ((TILTED, CLEARED, TILTED), MARK),
        ((STOPPED,), None),
        ((REFUSED,), None),
    ],
)
def test_a_tilt_stands_until_a_person_cleared_it(where: Places, notes: tuple[Note, ...], stands: Mark | None) -> None:
    sat(where, WHOLE_HAND)
    with closing(opened(where)) as journal:
        for note in notes:
            journal.note(note)
    with closing(opened(where)) as journal:
        assert journal.standing_tilt() == stands


def test_a_clock_that_was_set_back_is_noticed(where: Places) -> None:
    sat(where, WHOLE_HAND)
    at_us = time_us(json.loads(records(where.journal)[-1].public)["at"])
    with closing(opened(where)) as journal:
        for behind_us in (-3_600_000_000, -1, 0):
            assert journal.clock_behind_us(at_us - behind_us) == 0
        for behind_us in (1, 3_600_000_000):
            assert journal.clock_behind_us(at_us - behind_us) == behind_us


@pytest.mark.parametrize("at", [b"", b"yesterday", b"2026-11-21"])
def test_a_time_that_is_none_is_a_changed_record(where: Places, at: bytes) -> None:
    sat(where, WHOLE_HAND)
    newest = records(where.journal)[-1]
    spoiled = newest.public.replace(json.loads(newest.public)["at"].encode(), at, 1)
    changed(where.journal, ("UPDATE record SET public = ? WHERE seq = ?", (spoiled, newest.seq)))
    with closing(opened(where)) as journal:
        for looks in (journal.standing_tilt, lambda: journal.clock_behind_us(0)):
            with pytest.raises(Tilt, match=f"record {newest.seq}: no record of this program") as caught:
                looks()
            assert caught.value.kind is TiltKind.CHAIN


# --- notes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("note", [TILTED, CLEARED, REFUSED, STOPPED, VolumeClosed(at_us=START_US, volume=1)])
@pytest.mark.parametrize("hand", ["", "press new-hand\nbet 1 ante 1000\n", WHOLE_HAND, WHOLE_HAND * 2])
def test_a_note_is_signed_repeats_the_prompt_and_changes_no_hand(where: Places, note: Note, hand: str) -> None:
    with Sitting(where) as sitting:
        sitting.lines("restart\n" + hand)
        before, prompt = records(where.journal)[-1], sitting.table.prompt()
        written = sitting.journal.note(note)
    public = json.loads(written.public)
    assert written == records(where.journal)[-1]
    assert written.signature is not None
    assert (written.hand, written.boundary, written.sealed) == (before.hand + before.boundary, False, None)
    assert (public["prompt"], public["decisions"]) == (json.loads(before.public)["prompt"], [])
    assert verify(records(where.journal)).fault is None
    with Sitting(where) as again:
        assert again.table.prompt() == prompt
        assert json.loads(again.journal.note(STOPPED).public)["prompt"] == public["prompt"]


@pytest.mark.parametrize(
    ("facts", "volume_records", "hand"),
    [
        ("press new-hand\nbet 1 ante 1000\n", 1000, 1),
        (WHOLE_HAND, 1000, 2),
        (WHOLE_HAND * 2, 1000, 3),
        (WHOLE_HAND * 2 + "press new-hand", 1000, 3),
        (WHOLE_HAND * 2, 20, 3),
    ],
    ids=["in a hand", "after the first hand", "after the second hand", "in the third hand", "in a new volume"],
)
def test_a_note_between_two_hands_belongs_to_the_next_one(
    tmp_path: Path, facts: str, volume_records: int, hand: int
) -> None:
    where = places(tmp_path, volume_records=volume_records)
    sat(where, facts)
    with closing(opened(where)) as journal:
        assert journal.note(STOPPED).hand == hand


def test_a_note_before_recovery_repeats_the_prompt_too(where: Places) -> None:
    sat(where, "press new-hand")
    before = json.loads(records(where.journal)[-1].public)["prompt"]
    with closing(opened(where)) as journal:
        journal.note(TILTED)
    assert json.loads(records(where.journal)[-1].public)["prompt"] == before


# --- sealed cards ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("volume_records", [20, 1000])
def test_the_sealed_cards_of_one_hand_are_those_that_were_drawn_in_it(tmp_path: Path, volume_records: int) -> None:
    where = places(tmp_path, volume_records=volume_records)
    sat(where, WHOLE_HAND * 3)
    drawn = [line.split()[1] for line in WHOLE_HAND.split("\n") if line.startswith("draw")]
    with closing(opened(where)) as journal:
        for hand in (1, 2, 3):
            cards = list(journal.sealed_cards(hand))
            assert [card["card"] for card in cards] == drawn
            assert [card["draw"] for card in cards] == list(range(1, len(drawn) + 1))
            assert {*NEVER_SHOWN} < {card["card"] for card in cards}
        assert list(journal.sealed_cards(4)) == []


def test_a_sealed_card_that_was_exchanged_is_refused(where: Places) -> None:
    sat(where, WHOLE_HAND)
    sealed = records(where.journal)[7].sealed
    changed(where.journal, ("UPDATE record SET sealed = ? WHERE seq = 7", (sealed,)))
    with closing(opened(where)) as journal, pytest.raises(BadSeal, match="record 7: the sealed part was changed"):
        list(journal.sealed_cards(1))


def test_a_boundary_that_this_table_did_not_sign_is_a_broken_chain(where: Places) -> None:
    sat(where, WHOLE_HAND)
    closing_record = next(record for record in records(where.journal) if record.boundary)
    signature = bytes(64)
    changed(where.journal, ("UPDATE record SET signature = ? WHERE seq = ?", (signature, closing_record.seq)))
    with pytest.raises(Tilt, match=f"record {closing_record.seq}: .* did not sign it") as tilt:
        Sitting(where)
    assert tilt.value.kind is TiltKind.CHAIN
