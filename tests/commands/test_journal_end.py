"""How `tablectl journal verify` judges a journal's end: signed, open, or changed; and a copy that lacks records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from simulators.stage.stage import temporary_folder
from tablectl.api.server import ApiServer
from tablectl.cli.commands import journal_end
from tablectl.core.events.codec import encode_json
from tablectl.core.events.notes import Stopped
from tablectl.journal.log_head import REMEMBERED, LogHead
from tablectl.journal.places import Places
from tablectl.journal.store import BEGINNING, Position, Stored, chained
from tablectl.journal.verify_full import Gap
from tests.api_context import api_context
from tests.commands.test_journal import Captured, journal_of, keep, made_whole, tool
from tests.journal.journals import START_US, WHOLE_HAND, Sitting, changed, keep_keys, places, sat

OPEN = "press new-hand\nbet 1 ante 1000\n"
N = 26


@pytest.fixture
def where() -> Iterator[Places]:
    """A hand that is over, and the open one of a controller that is gone; and a copy. In a folder for sockets."""
    with temporary_folder() as folder:
        keep_keys(Path(folder))
        made = places(Path(folder))
        sat(made, WHOLE_HAND + OPEN)
        keep(made.copy, journal_of(made))
        yield made


@contextmanager
def controller(where: Places, *written: Stored, name: str = "table.sock") -> Iterator[Path]:
    """One that remembers these records."""
    newest = LogHead()
    for stored in written:
        newest.publish(Position(stored.seq, stored.hash))
    path = where.journal.with_name(name)
    server = ApiServer(path, api_context(where.journal, log_head=newest))
    server.start()
    try:
        yield path
    finally:
        server.close()


def appended(where: Places) -> Stored:
    """One more record, chained as it has to be, put into the file by somebody who has no key."""
    last = journal_of(where)[-1]
    public = encode_json({**json.loads(last.public), "seq": last.seq + 1})
    made = replace(last, seq=last.seq + 1, public=public, hash=chained(last.hash, public), signature=None)
    row = (made.seq, made.hand, made.public, made.hash)
    changed(where.journal, ("INSERT INTO record VALUES (?, ?, 0, ?, ?, NULL, NULL)", row))
    made_whole(where.journal)
    return made


def test_a_signed_end_is_said(where: Places, capsys: Captured) -> None:
    sat(where, "")  # the controller starts again, and signs
    keep(where.copy, journal_of(where))
    status, said = tool(capsys, "verify", where.journal)
    assert status == 0
    assert f"  signed end: record {N + 3} is signed" in said.splitlines()


def test_an_open_end_that_nobody_confirms_is_no_good_end(where: Places, capsys: Captured) -> None:
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"  open end: records {N + 1} to {N + 2} are not signed yet" in said.splitlines()
    assert f"  no running controller confirms record {N + 2}: none was found for this file" in said
    assert f"{where.copy}: the same up to record {N + 2}" in said, "the copy is looked at all the same"


def test_an_open_end_that_the_running_controller_confirms_is_good(where: Places, capsys: Captured) -> None:
    with controller(where, *journal_of(where)) as socket:
        for words in ((), ("--socket", socket)):
            status, said = tool(capsys, "verify", where.journal, *words)
            assert status == 0
            assert f"  the running controller ({socket}) confirms record {N + 2}" in said.splitlines()
        assert tool(capsys, "verify", where.copy)[0] == 0


def test_the_controller_of_a_service_is_found_by_what_it_said_at_its_start(
    where: Places, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = where.journal.parent / "run"
    (run / "mesa-1").mkdir(parents=True)
    monkeypatch.setattr(journal_end, "RUN", run)
    with controller(where, *journal_of(where), name="elsewhere.sock") as socket:
        told = {"config": "mesa-1.toml", "socket": str(socket), "journal": str(where.journal)}
        (run / "mesa-1" / "controller.json").write_text(json.dumps(told), encoding="utf-8")
        assert tool(capsys, "verify", where.journal)[0] == 0
        other = {**told, "journal": str(where.journal.with_name("other.db"))}
        (run / "mesa-1" / "controller.json").write_text(json.dumps(other), encoding="utf-8")
        assert tool(capsys, "verify", where.journal)[0] == 1


def test_a_record_that_was_appended_is_none_of_the_controllers(where: Places, capsys: Captured) -> None:
    written = journal_of(where)
    made = appended(where)
    with controller(where, *written) as socket:
        status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"  changed end: the running controller ({socket}) did not write this record {made.seq}" in said.splitlines()


def test_an_open_hand_that_was_written_anew_is_none_of_the_controllers(where: Places, capsys: Captured) -> None:
    written = journal_of(where)
    with controller(where, *written[:-1], replace(written[-1], hash=bytes(32))) as socket:
        status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"  changed end: the running controller ({socket}) did not write this record {N + 2}" in said.splitlines()


def test_a_controller_that_does_not_remember_confirms_nothing(where: Places, capsys: Captured) -> None:
    last = journal_of(where)[-1]
    with controller(where, replace(last, seq=last.seq + 1)) as socket:
        status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"no running controller confirms record {N + 2}: {socket}: it does not remember it" in said


@pytest.mark.parametrize(
    ("statements", "fault"),
    [
        ([("UPDATE record SET signature = NULL WHERE seq = ?", N)], f"record {N}: not signed"),
        ([("UPDATE record SET hash = zeroblob(32) WHERE seq = ?", N + 1)], f"record {N + 1}: changed"),
        ([("DELETE FROM record WHERE seq = ?", N + 1)], f"record {N + 1}: missing"),
    ],
    ids=["the last signature is gone", "a record of the open hand is changed", "one is gone"],
)
def test_a_fault_after_the_last_good_signature_is_a_changed_end(
    where: Places, statements: list[tuple[str, int]], fault: str, capsys: Captured
) -> None:
    changed(where.journal, *((text, (seq,)) for text, seq in statements))
    made_whole(where.journal)
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"{where.journal}: NOT INTACT: {fault}" in said
    assert "  changed end: the records up to " in said


def test_a_fault_before_a_signature_is_no_changed_end(where: Places, capsys: Captured) -> None:
    changed(where.journal, ("UPDATE record SET hash = zeroblob(32) WHERE seq = ?", (4,)))
    made_whole(where.journal)
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert "changed end" not in said


@pytest.mark.parametrize("n_dropped", [1, 2])
def test_records_that_were_dropped_at_the_end_are_in_the_copy(where: Places, n_dropped: int, capsys: Captured) -> None:
    changed(where.journal, ("DELETE FROM record WHERE seq > ?", (N + 2 - n_dropped,)))
    made_whole(where.journal)
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"{where.copy}: JOURNAL AND COPY DIFFER: record {N + 3 - n_dropped}: truncated" in said
    assert "  changed end: the table wrote more records than the journal has" in said


def test_only_the_newest_hashes_are_remembered() -> None:
    newest = LogHead()
    assert newest.confirms(BEGINNING, 0) is True
    for seq in range(1, REMEMBERED + 2):
        newest.publish(Position(seq, bytes([seq % 256]) * 32))
    assert newest.confirms(Position(1, b"\1" * 32), 0) is None
    assert newest.confirms(Position(2, b"\2" * 32), 0) is True
    assert newest.confirms(Position(2, b"\3" * 32), 0) is False
    assert newest.confirms(Position(REMEMBERED + 2, bytes(32)), 0) is False
    newest.close()
    assert newest.confirms(Position(REMEMBERED + 2, bytes(32)), 0) is None, "it ends, and may have written it"


# --- a copy that lacks records --------------------------------------------------------------------------------------


def kept(where: Places, written: Sequence[Stored], lacks: int) -> None:
    keep(where.copy, written[: len(written) - lacks])


@pytest.mark.parametrize(("lacks", "status"), [(0, 0), (1, 0), (5, 0), (7, 1)])
def test_after_a_crash_a_copy_may_lack_what_was_not_copied_yet(
    where: Places, lacks: int, status: int, capsys: Captured
) -> None:
    """A second passes from record to record."""
    with Sitting(where) as sitting:
        sitting.line("restart")
        sitting.lines("bet 2 ante 1000\n" * 9)
        written = journal_of(where)
        with controller(where, *written):
            kept(where, written, lacks)
            assert tool(capsys, "verify", where.journal)[0] == status


@pytest.mark.parametrize(("lacks", "status"), [(0, 0), (1, 1), (2, 1)])
def test_after_an_orderly_stop_a_copy_lacks_nothing(where: Places, lacks: int, status: int, capsys: Captured) -> None:
    with Sitting(where) as sitting:
        sitting.line("restart")
        sitting.journal.note(Stopped(at_us=START_US + 1, why="SIGTERM"))
    written = journal_of(where)
    kept(where, written, lacks)
    ended, said = tool(capsys, "verify", where.journal)
    assert ended == status
    lacking = {0: "", 1: f"it lacks record {N + 4}: ", 2: f"it lacks records {N + 3} to {N + 4}: "}[lacks]
    assert lacking in said
    assert ("THE COPY IS NOT COMPLETE" in said) is bool(lacks)
    assert ("the controller ended in order" in said) is bool(lacks)


@pytest.mark.parametrize(
    ("records", "span_us", "is_too_much"), [(1000, 5_000_000, False), (1001, 0, True), (1, 5_000_001, True)]
)
def test_what_a_crash_explains(records: int, span_us: int, *, is_too_much: bool) -> None:
    gap = Gap(records=records, span_us=span_us, is_orderly=False)
    assert (gap.too_much is not None) is is_too_much
