"""What leaves the pit server as evidence: the same as at the table, checked with the same commands."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
import pytest

from simulators.fleet.casino import enrolled
from tablectl.cli.main import main
from tablectl.core.events.notes import Receipted, Restored
from tablectl.fleet import batches
from tablectl.fleet.batches import SentRecord
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.pit import kept_journal
from tablectl.fleet.pit.kept_journal import KeptJournal
from tablectl.journal.lines import line
from tablectl.journal.public_keys import public_pem
from tablectl.journal.receipts import signed
from tablectl.journal.signing import Witness
from tablectl.journal.store import GENESIS, Stored
from tablectl.journal.volumes import VolumeSet
from tests.fleet.pits import Pit
from tests.journal.journals import (
    SETUP,
    SIGNER,
    START_US,
    WHOLE_HAND,
    Sitting,
    Writer,
    keep_keys,
    places,
    records,
    written,
)

SIGNED_BY: Final = Witness(SIGNER.public)
AT: Final = "2026-11-28T10:00:00.000000Z"
RESTORED: Final = Restored(at_us=START_US, made=AT, when=AT, records=1, hash="00" * 32, by="")
HALF, REST = (WHOLE_HAND[: WHOLE_HAND.index("draw Qh")], WHOLE_HAND[WHOLE_HAND.index("draw Qh") :])
#: A hand that is not over.
OPEN_HAND: Final = "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\n"


class Kept:
    """A pit server that does not run, with the journal of one table, and its commands."""

    def __init__(self, folder: Path, output: pytest.CaptureFixture[str]) -> None:
        self.folder, self.config = folder, folder / "pit.toml"
        self.config.write_text("[pit]\n", encoding="utf-8")
        (folder / "table.pub").write_bytes(public_pem(SIGNER.public))
        self.pit = Pit(folder)
        self._output = output

    def keep(self, ours: list[Stored]) -> None:
        with self.pit.store() as store:
            self.pit.keep(store, enrolled(store, "mesa-1", SIGNER.public, AT), ours)

    def keep_restored(self, ours: list[Stored], first: int) -> None:
        """The journal was put back, and goes on with these records from `first` on."""
        epoch = Epoch(origin=ours[0].hash.hex(), restores=1)
        self._append(batches.packed(epoch, ours[first - 2].hash, ours[first - 1 :]))

    def keep_without(self, ours: list[Stored], *seqs: int) -> None:
        """As if the records with these numbers had been too long to be sent."""
        with self.pit.store() as store:
            enrolled(store, "mesa-1", SIGNER.public, AT)
        whole = batches.unpacked(batches.packed(Epoch(origin=ours[0].hash.hex()), GENESIS, ours))
        sent = tuple(
            SentRecord(signature=one.signature, withheld=stored.hash, length=70_000) if stored.seq in seqs else one
            for one, stored in zip(whole.records, ours, strict=True)
        )
        self._append(batches.compressed(msgspec.structs.replace(whole, records=sent)))

    def _append(self, body: bytes) -> None:
        batch = batches.checked(batches.unpacked(body), SIGNED_BY)
        with self.pit.store() as store, store.writing() as writing:
            (table,) = store.tables()
            writing.append(table, batch, batch.first, body, AT)

    def run(self, *words: object, status: int = 0) -> str:
        got = main([str(word) for word in words])
        told = self._output.readouterr()
        assert got == status, told
        return told.out + told.err

    def export(self, *words: object, to: str = "out", status: int = 0) -> str:
        return self.run("pit", "export", self.config, "mesa-1", *words, self.folder / to, status=status)

    def verify(self, path: Path, *, status: int = 0) -> str:
        return self.run("journal", "verify", path, "--key", self.folder / "table.pub", status=status)

    def unzipped(self, archive: str, to: str = "out") -> Path:
        with zipfile.ZipFile(self.folder / to / archive) as found:
            found.extractall(self.folder / to)
        return self.folder / to


@pytest.fixture
def kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Kept:
    return Kept(tmp_path, capsys)


@pytest.fixture
def ours(kept: Kept) -> list[Stored]:
    """Two hands and the beginning of a third, at the table and at the pit server."""
    written(kept.folder / "table.db", WHOLE_HAND * 2 + OPEN_HAND)
    ours = records(kept.folder / "table.db")
    kept.keep(ours)
    return ours


@pytest.mark.parametrize("hand", [1, 2])
def test_a_hand_is_the_archive_that_the_table_itself_makes(kept: Kept, ours: list[Stored], hand: int) -> None:
    assert ours
    assert "sealed parts stay at the table" in kept.export("--hand", hand)
    table = kept.folder / "table.zip"
    kept.run(
        *("journal", "export", kept.folder / "table.db", "--hand", hand, "--bundle", table),
        *("--timezone", "Europe/Madrid"),
    )
    with zipfile.ZipFile(table) as at_table, zipfile.ZipFile(kept.folder / "out" / f"hand-{hand}.zip") as at_pit:
        assert at_pit.namelist() == at_table.namelist()
        about, told = (json.loads(archive.read("about.json")) for archive in (at_table, at_pit))
        assert told["tool"] == f"{about['tool']}, from the records of a pit server"
        kept_out = {"tool", "exported_at"}
        assert {name: about[name] for name in about.keys() - kept_out} == {
            name: told[name] for name in told.keys() - kept_out
        }
        for name in (f"hand-{hand}.hand", "records.jsonl", "public-key.pem"):
            assert at_pit.read(name) == at_table.read(name), name


def test_the_lines_of_a_hand_are_verified_with_the_key_and_one_changed_byte_is_refused(
    kept: Kept, ours: list[Stored]
) -> None:
    assert ours
    kept.export("--hand", 2)
    path = kept.unzipped("hand-2.zip") / "records.jsonl"
    assert "1 closed hand, " in kept.verify(path)
    text = path.read_bytes()
    for at in (text.index(b'"card"'), text.rindex(b'"signature"') + 14, text.index(b'"hash"') + 9):
        path.write_bytes(text[:at] + (b"0" if text[at : at + 1] != b"0" else b"1") + text[at + 1 :])
        assert "NOT INTACT" in kept.verify(path, status=1)


def test_a_hand_that_is_not_over_says_so(kept: Kept, ours: list[Stored]) -> None:
    assert ours
    assert "UNFINISHED: hand 3 is not over" in kept.export("--hand", 3)
    assert (kept.folder / "out" / "hand-3-UNFINISHED.zip").exists()
    assert "no hand 4; the newest one is hand 3" in kept.export("--hand", 4, status=1)


def test_all_records_are_the_lines_of_the_stream(kept: Kept, ours: list[Stored]) -> None:
    told = kept.export()
    path = kept.folder / "out" / "records-1.jsonl"
    signed_to = max(stored.seq for stored in ours if stored.signature is not None)
    assert f"{path}: {len(ours)} records, signed up to record {signed_to}\n" in told
    assert path.read_bytes().splitlines() == [line(stored) for stored in ours]
    said = kept.verify(path, status=1)  # as at the table: nobody confirms the end of a hand that is not over
    assert f"intact: {len(ours)} records, 2 closed hands" in said
    assert (kept.folder / "out" / "public-key.pem").read_bytes() == public_pem(SIGNER.public)
    assert "nothing is written over it" in kept.export(status=2)
    assert "no folder can be made there" in kept.export(to="pit.toml", status=2)


@pytest.mark.parametrize("words", [("--hand", 1), ()])
def test_what_a_disk_changed_at_the_server_is_not_exported(
    kept: Kept, ours: list[Stored], words: tuple[object, ...]
) -> None:
    assert ours
    with closing(sqlite3.connect(kept.folder / "pit.db")) as file, file:
        file.execute("UPDATE records SET public = CAST(replace(public, 'fact', 'fakt') AS BLOB) WHERE seq = 5")
    assert "record 5" in kept.export(*words, status=1)
    assert {path.name for path in (kept.folder / "out").iterdir()} <= {"public-key.pem"}


def test_a_change_that_fits_the_chain_is_refused_for_its_signature(kept: Kept, ours: list[Stored]) -> None:
    assert ours
    with closing(sqlite3.connect(kept.folder / "pit.db")) as file, file:
        file.execute("UPDATE records SET signature = zeroblob(64) WHERE length(signature)")
    for words in (("--hand", 2), ()):
        assert "signed" in kept.export(*words, status=1)


def test_so_is_a_hand_after_a_record_that_is_not_signed(kept: Kept, ours: list[Stored]) -> None:
    begin = next(stored.seq for stored in ours if stored.boundary)
    with closing(sqlite3.connect(kept.folder / "pit.db")) as file, file:
        file.execute("UPDATE records SET signature = zeroblob(64) WHERE seq = ?", (begin,))
    assert "the first line is not signed with that key" in kept.export("--hand", 2, status=1)


@pytest.mark.parametrize("page", [1, 4, 256])
def test_it_answers_as_the_volumes_of_the_table_do(
    kept: Kept, ours: list[Stored], monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(kept_journal, "_PAGE", page)
    with kept.pit.store() as store, closing(VolumeSet(kept.folder / "table.db")) as volumes:
        (table,) = store.tables()
        journal = KeptJournal(store, table)
        for _ in ("rows", "chunks"):
            assert journal.newest_hand == volumes.newest_hand
            for seq in (stored.seq for stored in ours):
                assert journal.boundary_before(seq) == volumes.boundary_before(seq)
                assert journal.hash_before(seq) == volumes.hash_before(seq)
            for words in ({}, {"hand": 2}, {"after": 30}, {"hand": 2, "after": 30}, {"hand": 4}):
                assert list(journal.records(**words)) == [
                    replace(stored, sealed=None) for stored in volumes.records(**words)
                ]
            store.pack(table, before="9")


def test_receipts_that_are_among_the_records_are_checked_with_them(kept: Kept) -> None:
    path = kept.folder / "table.db"
    keep_keys(kept.folder)
    with Sitting(places(kept.folder)) as sitting:
        sitting.line("restart")
        sitting.lines(WHOLE_HAND)
        newest = records(path)[-1]
        receipt = signed(kept.pit.signer, table="mesa-1", epoch="x.0", seq=newest.seq, link=newest.hash, at=AT)
        note = Receipted(
            at_us=START_US,
            table=receipt.table,
            epoch=receipt.epoch,
            to_seq=receipt.seq,
            to_hash=receipt.hash,
            when=receipt.at,
            signature=receipt.signature,
        )
        sitting.journal.note(note)
        sitting.lines(WHOLE_HAND)
        sitting.line("croupier luis")  # signed, as whatever happens between two hands
        sitting.lines(WHOLE_HAND)
    kept.keep(records(path))
    kept.export()
    words = ("journal", "verify", kept.folder / "out" / "records-1.jsonl", "--pit-key")
    told = kept.run(*words, kept.folder / "pit.pub")
    assert f"1 receipt of the pit server, the newest of {AT}" in told
    assert "is not signed by this pit server" in kept.run(*words, kept.folder / "table.pub", status=1)
    kept.export("--hand", 3, to="hand")
    assert "1 closed hand, " in kept.verify(kept.unzipped("hand-3.zip", "hand") / "records.jsonl")


# --- what was too long to be sent -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "step"),
    [(0, 0), (0, 1), (0, 2), (1, -1), (1, 0)],
    ids=["the one before it", "its first one", "its second one", "its last but one", "its last one"],
)
def test_a_hand_that_needs_a_record_that_was_too_long_is_not_exported(kept: Kept, of: int, step: int) -> None:
    written(kept.folder / "table.db", WHOLE_HAND * 3)
    ours = records(kept.folder / "table.db")
    missing = [stored.seq for stored in ours if stored.boundary][of] + step
    kept.keep_without(ours, missing)
    assert f"record {missing} was too long to be sent" in kept.export("--hand", 2, status=1)
    assert not list((kept.folder / "out").iterdir())
    for hand, needs_it in ((1, (of, step) == (0, 0)), (3, (of, step) == (1, 0))):
        kept.export("--hand", hand, status=int(needs_it))


def test_all_records_without_some_are_pieces_that_are_each_verified(kept: Kept) -> None:
    written(kept.folder / "table.db", WHOLE_HAND * 3)
    ours = records(kept.folder / "table.db")
    _, second, last = [stored.seq for stored in ours if stored.boundary]
    kept.keep_without(ours, second - 3, second - 2)
    told = kept.export(status=1)
    assert f"record {second - 3} was too long to be sent, and is not here" in told
    assert f"record {second - 2} was too long to be sent, and is not here\nlines go on with record {second}" in told
    out = kept.folder / "out"
    assert sorted(path.name for path in out.glob("*.jsonl")) == ["records-1.jsonl", f"records-{second}.jsonl"]
    first, again = (out / f"records-{number}.jsonl" for number in (1, second))
    assert first.read_bytes().splitlines() == [line(stored) for stored in ours[: second - 4]]
    assert again.read_bytes().splitlines() == [line(stored) for stored in ours[second - 1 : last]]
    assert "intact: " in kept.verify(again)


# --- a journal that was restored --------------------------------------------------------------------------------------


@pytest.fixture
def twice(kept: Kept) -> tuple[list[Stored], list[Stored]]:
    """Hand 2 was played to its end, then the table was restored from a backup of its middle, and it was played again:
    the records before, and those after."""
    before, after = kept.folder / "table.db", kept.folder / "restored.db"
    written(before, WHOLE_HAND + HALF)
    shutil.copyfile(before, after)
    with Writer(before, SETUP) as writer:
        writer.recover()
        writer.lines(REST)
    with Writer(after, SETUP) as writer:
        writer.recover()
        writer.record_writer.note(RESTORED, hand=2)
        writer.lines(REST + WHOLE_HAND)
    ours, again = records(before), records(after)
    kept.keep(ours)
    first = next(stored.seq for stored in again if stored.hash != ours[stored.seq - 1].hash)
    kept.keep_restored(again, first)
    return ours, again


def _of_hand_2(ours: list[Stored]) -> list[bytes]:
    begin, end = [stored.seq for stored in ours if stored.boundary][:2]
    return [line(stored) for stored in ours[begin - 1 : end]]


def test_a_hand_of_two_epochs_is_the_newest_one_or_the_one_that_is_named(
    kept: Kept, twice: tuple[list[Stored], list[Stored]]
) -> None:
    ours, again = twice
    for words, to, of in ((), "newest", again), (("--epoch", 0), "older", ours), (("--epoch", 1), "newer", again):
        kept.export("--hand", 2, *words, to=to)
        path = kept.unzipped("hand-2.zip", to) / "records.jsonl"
        assert path.read_bytes().splitlines() == _of_hand_2(of)
        assert "1 closed hand, " in kept.verify(path)
    assert "there is no epoch 2; there is 0, 1" in kept.export("--hand", 2, "--epoch", 2, status=1)
    assert "no hand 3; the newest one is hand 2" in kept.export("--hand", 3, "--epoch", 0, status=1)


def test_all_records_are_those_of_the_epoch(kept: Kept, twice: tuple[list[Stored], list[Stored]]) -> None:
    for words, to, of in ((), "newest", twice[1]), (("--epoch", 0), "older", twice[0]):
        kept.export(*words, to=to)
        path = kept.folder / to / "records-1.jsonl"
        assert path.read_bytes().splitlines() == [line(stored) for stored in of]
        assert f"intact: {len(of)} records" in kept.verify(path)


def test_find_prints_a_hand_from_its_beginning_where_the_table_was_restored_in_it(
    kept: Kept, twice: tuple[list[Stored], list[Stored]]
) -> None:
    found = kept.run("pit", "find", kept.config, "mesa-1", 2).splitlines()
    assert found == [stored.public.decode() for stored in twice[1] if stored.hand == 2]


def test_a_hand_is_none_of_the_records_that_had_its_numbers_before_a_restore(kept: Kept) -> None:
    before, after = kept.folder / "table.db", kept.folder / "restored.db"
    written(before, HALF)
    shutil.copyfile(before, after)
    with Writer(before, SETUP) as writer:
        writer.recover()
        writer.lines(REST + WHOLE_HAND)
    with Writer(after, SETUP) as writer:
        writer.recover()
        for _ in range(3):
            writer.record_writer.note(RESTORED, hand=1)
        writer.lines(REST + OPEN_HAND)
    ours, again = records(before), records(after)
    kept.keep(ours)
    kept.keep_restored(again, next(stored.seq for stored in again if stored.hash != ours[stored.seq - 1].hash))
    assert "UNFINISHED" in kept.export("--hand", 2)
    begin = next(stored.seq for stored in again if stored.boundary)
    lines = (kept.unzipped("hand-2-UNFINISHED.zip") / "records.jsonl").read_bytes().splitlines()
    assert lines == [line(stored) for stored in again[begin - 1 :]]
    kept.export("--hand", 2, "--epoch", 0, to="older")
    assert (kept.unzipped("hand-2.zip", "older") / "records.jsonl").read_bytes().splitlines() == _of_hand_2(ours)
