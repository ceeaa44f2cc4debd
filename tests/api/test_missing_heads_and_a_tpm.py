"""The whole disk of a table put back, with all that anybody on it remembers: the TPM of its PC (swtpm) finds it, it is
on record, and stays an alarm until two persons accept it. A TPM that hangs holds no card up."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tablectl.cli.main import main
from tablectl.core.public_table.alarm_kinds import AlarmKind
from tablectl.core.public_table.alarms import alarms_of
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.signed_head import SignedHead, heads_in
from tablectl.notifications import tpm as tpm_module
from tablectl.notifications.witness_state import read_state
from tests.api.test_missing_heads import accept, cut_off, follow, notes, play, put_back, saved
from tests.desk import Desk, desk
from tests.notifications.tpms import SoftTpm, needs_swtpm

pytestmark = [pytest.mark.system, needs_swtpm]

#: All that the process of the notifications has on the disk.
ITS_FILES: Final = "notifications.db*"


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[SoftTpm]:
    made = SoftTpm(tmp_path / "chip")
    made.define()
    yield made
    made.end()


@pytest.fixture
def table(chip: SoftTpm, tmp_path: Path) -> Iterator[Desk]:
    """A table that dealt a hand, and whose TPM knows it."""
    with desk() as made:
        (tmp_path / "disk").mkdir()
        deal_with(made, chip, tmp_path)
        yield made


def deal_with(table: Desk, chip: SoftTpm, folder: Path) -> None:
    told = f'[witness]\ntpm = "{chip.tcti}"\n[notifications]\npath = "{folder}/disk/notifications.db"\n'
    table.config.write_text(f"{table.config.read_text(encoding='utf-8')}\n{told}", encoding="utf-8")
    table.start()
    play(table)
    run(table, folder)


def run(table: Desk, folder: Path) -> None:
    """As an hour later."""
    state = folder / "disk" / "notifications.db.witness"
    if state.exists():
        state.unlink()
    start(table)


def start(table: Desk) -> None:
    assert main(["notifications", str(table.config), "--once"]) == 0


def of_the_file(folder: Path) -> list[SignedHead]:
    return list(heads_in((folder / "disk" / "notifications.db.tpm").read_text()))


def whole_disk(table: Desk, folder: Path) -> Path:
    kept = saved(table, folder)
    shutil.copytree(folder / "disk", folder / "saved disk")
    return kept


def disk_put_back(table: Desk, folder: Path, kept: Path) -> None:
    put_back(table, kept)
    shutil.rmtree(folder / "disk")
    shutil.copytree(folder / "saved disk", folder / "disk")


def test_an_older_copy_of_the_whole_disk_is_an_alarm_until_two_persons_accept_it(table: Desk, tmp_path: Path) -> None:
    kept = whole_disk(table, tmp_path)
    play(table)
    run(table, tmp_path)
    head = of_the_file(tmp_path)[-1]
    disk_put_back(table, tmp_path, kept)
    assert notes(table) == [], "nobody on the disk remembers anything"
    start(table)
    assert [(note["to_seq"], note["to_hash"]) for note in notes(table)] == [(head.seq, head.hash)]
    assert [alarm.kind for alarm in alarms_of(follow(table, KnownHeads(None)), 0)] == [AlarmKind.ROLLED_BACK]
    start(table)
    assert len(notes(table)) == 1
    assert accept(table, head)["ok"]
    start(table)
    assert alarms_of(follow(table, KnownHeads(None)), 0) == ()
    assert len(notes(table)) == 1, "what was accepted is not found again"
    assert read_state(tmp_path / "disk" / "notifications.db.witness").places["tpm"].why, "until it is defined anew"


def all_but_the_tpms(folder: Path) -> None:
    """The file of its heads is left alone: then it fits, and the journal does not."""
    for path in (folder / "disk").glob(ITS_FILES):
        if path.suffix != ".tpm":
            path.unlink()


def everything(folder: Path) -> None:
    for path in (folder / "disk").glob(ITS_FILES):
        path.unlink()


@pytest.mark.parametrize("removed", [all_but_the_tpms, everything])
def test_a_tail_that_was_cut_off_is_found_whoever_was_made_to_forget_it(
    table: Desk, tmp_path: Path, removed: Callable[[Path], None]
) -> None:
    after = table.newest
    play(table)
    run(table, tmp_path)
    head = of_the_file(tmp_path)[-1]
    cut_off(table, after)
    removed(tmp_path)
    start(table)
    assert [note["to_seq"] for note in notes(table)] == [head.seq]


def test_another_past_under_the_same_numbers_is_found(table: Desk, tmp_path: Path) -> None:
    kept = whole_disk(table, tmp_path)
    play(table)
    run(table, tmp_path)
    head = of_the_file(tmp_path)[-1]
    disk_put_back(table, tmp_path, kept)
    while table.newest < head.seq + 5:
        play(table)
    start(table)
    assert [(note["to_seq"], note["to_hash"]) for note in notes(table)] == [(head.seq, head.hash)]


@pytest.mark.wide
def test_who_puts_no_journal_back_hears_nothing(table: Desk, tmp_path: Path) -> None:
    """Over starts of the table and of the process."""
    for _ in range(2):
        play(table)
        run(table, tmp_path)
        assert table.stop() == 0
        table.start()
        start(table)
    assert notes(table) == []
    assert len(of_the_file(tmp_path)) == 3
    assert read_state(tmp_path / "disk" / "notifications.db.witness").places["tpm"].why == ""


@pytest.mark.wide
def test_after_an_accepted_journal_the_next_start_finds_file_and_tpm_in_step(table: Desk, tmp_path: Path) -> None:
    """The file was not put back: nothing has to be defined anew, and the accepted head is no alarm again."""
    kept = saved(table, tmp_path)
    play(table)
    run(table, tmp_path)
    head = of_the_file(tmp_path)[-1]
    put_back(table, kept)
    start(table)
    assert accept(table, head)["ok"]
    run(table, tmp_path)
    assert of_the_file(tmp_path)[-1].seq == table.newest
    (tmp_path / "disk" / "notifications.db.heads").unlink()
    start(table)
    assert len(notes(table)) == 1
    assert read_state(tmp_path / "disk" / "notifications.db.witness").places["tpm"].why == ""


@pytest.mark.wide
def test_what_is_missing_of_other_keys_is_accepted_once(table: Desk, chip: SoftTpm, tmp_path: Path) -> None:
    """Journal and keys were made anew. Their controller never says that a head of the old ones was accepted."""
    head, file = of_the_file(tmp_path)[-1], tmp_path / "disk" / "notifications.db.heads"
    assert table.stop() == 0
    file.unlink(missing_ok=True)
    with desk() as anew:
        deal_with(anew, chip, tmp_path)
        assert [lost.head for lost in KnownHeads(file).missing] == [head]
        assert accept(anew, head)["ok"]
        for _ in range(3):
            run(anew, tmp_path)
            assert KnownHeads(file).missing == ()
            play(anew)


def test_a_tpm_that_hangs_holds_no_card_up(
    table: Desk, chip: SoftTpm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tpm_module, "ANSWER_S", 0.2)
    with chip.silent():
        play(table)
        run(table, tmp_path)
        play(table)
    assert "did not answer" in read_state(tmp_path / "disk" / "notifications.db.witness").places["tpm"].why
    monkeypatch.undo()
    run(table, tmp_path)
    assert of_the_file(tmp_path)[-1].seq == table.newest
