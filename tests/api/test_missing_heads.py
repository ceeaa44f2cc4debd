"""A journal that was put back to an older state behind the backs of those who follow the table: each way in which an
insider could try it is found by what they remember, is on record, and stays an alarm until two persons accept it."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablectl.api.client import Subscription, ask
from tablectl.cli.main import main
from tablectl.config.witness import TimestampSettings
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.alarm_kinds import AlarmKind
from tablectl.core.public_table.alarms import alarms_of
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.journal import rollback
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.restored import Told, place_of, written
from tablectl.journal.signed_head import SignedHead, heads_in
from tablectl.journal.signing import Signer
from tablectl.journal.store import TRIGGERS
from tablectl.notifications.timestamps import TimestampPlace
from tablectl.notifications.witness import FilePlace
from tablectl.people.service.following import FollowedTable
from tablectl.people.service.head_keeper import HeadKeeper
from tablectl.web.screens.files import TableFiles
from tests.desk import LONG_S, Desk, desk
from tests.notifications.receivers import WebReceiver
from tests.notifications.test_timestamps import Authority, Service
from tests.screens.serving import serving
from tests.screens.test_app import get
from tests.waiting import until

pytestmark = pytest.mark.system

FILES: Final = ("table.db*", "table.copy*")


@pytest.fixture
def table() -> Iterator[Desk]:
    """A table that dealt a hand."""
    with desk() as made:
        made.start()
        play(made)
        yield made


@pytest.fixture
def heads(tmp_path: Path) -> KnownHeads:
    """What somebody remembers who follows the table, in a file."""
    return KnownHeads(tmp_path / "statistics.db.heads")


def play(table: Desk) -> None:
    table.world.replace()
    table.open_hand()
    table.play_on()


def follow(table: Desk, heads: KnownHeads) -> PublicTable:
    """Connect, read all there is, and hang up; the table as it is now."""
    view = PublicTable()
    with Subscription(table.socket, after=0, heads=heads, timeout_s=LONG_S) as records:
        newest = table.newest
        while view.seq < newest:
            record = records.next(LONG_S)
            assert record is not None
            view = fold(view, decode_record(record))
    heads.keep()
    return view


def saved(table: Desk, folder: Path) -> Path:
    """A copy of the journal and of its second copy, as they are now; the table goes on."""
    assert table.stop() == 0
    kept = folder / "saved"
    kept.mkdir()
    for pattern in FILES:
        for path in table.folder.glob(pattern):
            shutil.copy2(path, kept / path.name)
    table.start()
    return kept


def put_back(table: Desk, kept: Path) -> None:
    """The whole volume, with its second copy: nothing on the table's disk knows better."""
    assert table.stop() == 0
    for pattern in FILES:
        for path in table.folder.glob(pattern):
            path.unlink()
    for path in kept.iterdir():
        shutil.copy2(path, table.folder / path.name)
    table.start()


def cut_off(table: Desk, after: int) -> None:
    """The newest records are taken out of the journal and out of its copy, by somebody who may write both."""
    assert table.stop() == 0
    with closing(sqlite3.connect(table.journal)) as connection, connection:
        made = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")]
        for name in TRIGGERS:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM record WHERE seq > ?", (after,))
        for sql in made:
            connection.execute(sql)
    copy = table.folder / "table.copy"
    copy.write_bytes(b"".join(copy.read_bytes().splitlines(keepends=True)[:after]))
    table.start()


def notes(table: Desk, kind: str = "head-missing") -> list[dict[str, Any]]:
    return [record["fact"] for record in table.records() if record["fact"]["kind"] == kind]


def greeted(table: Desk) -> dict[str, Any] | None:
    """What whoever connects is told is missing."""
    with Subscription(table.socket, after=0, timeout_s=LONG_S) as records:
        missing: dict[str, Any] | None = records.table["missing"]
    return missing


def accept(table: Desk, head: SignedHead, **more: object) -> dict[str, Any]:
    asked = {"accept": {"seq": head.seq, "hash": head.hash}, "by": "ana", "second": "luis", "reason": "disk exchanged"}
    return ask(table.socket, {**asked, **more}, timeout_s=LONG_S)


def verified(capsys: pytest.CaptureFixture[str], table: Desk) -> tuple[int, str]:
    capsys.readouterr()
    return main(["journal", "verify", str(table.journal)]), capsys.readouterr().out


def newest_head(heads: KnownHeads) -> SignedHead:
    assert heads.head is not None
    return heads.head


def test_an_older_copy_of_the_whole_journal_is_an_alarm_until_two_persons_accept_it(
    table: Desk, heads: KnownHeads, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = saved(table, tmp_path)
    play(table)
    follow(table, heads)
    head = newest_head(heads)
    put_back(table, kept)
    assert table.newest < head.seq
    assert notes(table) == []
    view = follow(table, heads)
    expected = {"kind": "head-missing", "to_seq": head.seq, "to_hash": head.hash, "signature": head.signature}
    assert notes(table) == [{**expected, "restored": 0}]
    assert [alarm.kind for alarm in alarms_of(view, 0)] == [AlarmKind.ROLLED_BACK]
    status, said = verified(capsys, table)
    assert status == 1
    assert f"had signed record {head.seq}, which is not here" in said
    assert "nobody accepted it" in said
    assert accept(table, head, second="ana")["why"] == "second-person"
    assert view.missing is not None
    assert greeted(table) is not None
    answer = accept(table, head)
    assert answer == {"ok": True, "seq": table.newest}
    assert greeted(table) is None
    after = follow(table, heads)
    assert alarms_of(after, 0) == ()
    assert heads.missing == ()
    status, said = verified(capsys, table)
    assert status == 0, said
    assert "accepted by ana and luis" in said
    assert "disk exchanged" in said


def test_a_tail_that_was_cut_off_is_found(table: Desk, heads: KnownHeads) -> None:
    after = table.newest
    play(table)
    follow(table, heads)
    head = newest_head(heads)
    cut_off(table, after)
    follow(table, heads)
    assert [note["to_seq"] for note in notes(table)] == [head.seq]


def test_another_past_under_the_same_numbers_is_found(table: Desk, heads: KnownHeads, tmp_path: Path) -> None:
    """The table had dealt beyond the record before anybody followed it again."""
    kept = saved(table, tmp_path)
    play(table)
    follow(table, heads)
    head = newest_head(heads)
    put_back(table, kept)
    while table.newest < head.seq + 5:
        play(table)
    follow(table, heads)
    assert [(note["to_seq"], note["to_hash"]) for note in notes(table)] == [(head.seq, head.hash)]


def test_what_a_file_remembers_is_enough(table: Desk, heads: KnownHeads, tmp_path: Path) -> None:
    """Whoever followed the table was started anew meanwhile."""
    kept = saved(table, tmp_path)
    play(table)
    follow(table, heads)
    head = newest_head(heads)
    put_back(table, kept)
    again = KnownHeads(tmp_path / "statistics.db.heads")
    follow(table, again)
    assert [note["to_seq"] for note in notes(table)] == [head.seq]
    assert [lost.head for lost in KnownHeads(tmp_path / "statistics.db.heads").missing] == [head]


def test_the_process_of_the_accounts_remembers_it_as_well(table: Desk, tmp_path: Path) -> None:
    """Whoever broke into the pages, and deleted what these remember, has not deleted this."""
    kept, path = saved(table, tmp_path), tmp_path / "mesa-1.heads"
    play(table)
    assert ask(table.socket, {"float": "count", "amount": 500_000, "by": "ana"}, timeout_s=LONG_S)["ok"]

    async def follow_until(seen: Callable[[KnownHeads], bool]) -> SignedHead | None:
        heads = KnownHeads(path)
        keeper, followed = HeadKeeper(table.socket, heads), FollowedTable(table.socket, heads)
        task = asyncio.create_task(followed.run(lambda _: None))
        async with asyncio.timeout(LONG_S):
            while not seen(heads):
                await followed.changed(at_most_s=0.1)
        task.cancel()
        await keeper.keep()
        return heads.head

    newest = table.newest
    head = asyncio.run(follow_until(lambda heads: heads.head is not None and heads.head.seq == newest))
    assert head is not None
    put_back(table, kept)
    asyncio.run(follow_until(lambda heads: bool(heads.missing)))
    assert [note["to_seq"] for note in notes(table)] == [head.seq]


def test_it_is_on_record_once_however_many_tell_it_and_stands_after_a_start(
    table: Desk, heads: KnownHeads, tmp_path: Path
) -> None:
    other = KnownHeads(None)
    kept = saved(table, tmp_path)
    follow(table, other)
    play(table)
    follow(table, heads)
    head = newest_head(heads)
    put_back(table, kept)
    for _ in range(2):
        follow(table, heads)
        follow(table, other)
    assert len(notes(table)) == 1
    play(table)
    assert table.stop() == 0
    table.start()
    missing = greeted(table)
    assert missing is not None, "nobody who remembers it has come yet"
    assert missing["to_seq"] == head.seq
    follow(table, heads)
    assert len(notes(table)) == 1


def test_a_backup_that_was_put_in_place_explains_it_and_does_not_end_it(
    table: Desk, heads: KnownHeads, tmp_path: Path
) -> None:
    kept = saved(table, tmp_path)
    play(table)
    follow(table, heads)
    told = Told(made="2026-11-28T10:00:00Z", when="2026-11-28T11:00:00Z", records=1, hash="", by="eva")
    (kept / place_of(table.journal).name).write_bytes(written(told))
    put_back(table, kept)
    view = follow(table, heads)
    (note,) = notes(table)
    assert table.records(note["restored"] - 1)[0]["fact"]["kind"] == "restored"
    assert [alarm.kind for alarm in alarms_of(view, 0)] == [AlarmKind.ROLLED_BACK]


def forged(head: SignedHead) -> SignedHead:
    other = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(7, 39))))
    signature = other.sign(head.seq, bytes.fromhex(head.hash)).hex()
    return SignedHead(seq=head.seq, hash=head.hash, signature=signature, key=other.public.hex())


LIES: Final[dict[str, Callable[[SignedHead], SignedHead]]] = {
    "signed by another": forged,
    "another number": lambda head: SignedHead(
        seq=head.seq + 1000, hash=head.hash, signature=head.signature, key=head.key
    ),
    "another hash": lambda head: SignedHead(seq=head.seq, hash="0" * 64, signature=head.signature, key=head.key),
}


@pytest.mark.parametrize("lie", LIES)
def test_who_lies_about_a_record_is_not_believed(table: Desk, heads: KnownHeads, lie: str) -> None:
    follow(table, heads)
    before = table.newest
    answer = ask(table.socket, LIES[lie](newest_head(heads)).question, timeout_s=LONG_S)
    assert (answer["ok"], answer["why"]) == (False, "signature")
    assert table.newest == before
    assert greeted(table) is None


def test_a_record_that_is_there_changes_nothing(table: Desk, heads: KnownHeads) -> None:
    follow(table, heads)
    before, head = table.newest, newest_head(heads)
    assert ask(table.socket, head.question, timeout_s=LONG_S) == {"ok": True, "has": True, "records": before}
    assert accept(table, head)["why"] == "present"
    assert table.newest == before


def test_whoever_has_many_heads_of_a_past_that_was_put_back_does_not_fill_the_disk(
    table: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollback, "MOST", 2)
    kept = saved(table, tmp_path)
    for _ in range(4):
        play(table)
    known = KnownHeads(None)
    with Subscription(table.socket, after=table.newest - 1, heads=known, timeout_s=LONG_S) as records:
        key = str(records.table["signing_key"])
    signed = [
        SignedHead(seq=record["seq"], hash=record["hash"], signature=record["signature"], key=key)
        for record in table.records()
        if "signature" in record
    ]
    put_back(table, kept)
    lost = [head for head in signed if head.seq > table.newest]
    assert len(lost) > 2
    answers = [ask(table.socket, head.question, timeout_s=LONG_S) for head in lost]
    assert [answer.get("why") for answer in answers] == [None, None, *["too-soon"] * (len(lost) - 2)]
    assert len(notes(table)) == 2


def test_a_head_of_another_key_is_remembered_as_missing_where_it_is_known(table: Desk, heads: KnownHeads) -> None:
    """Somebody took the keys away as well, and what answers now made its own: its controller knows nothing of the old
    ones, and takes two persons' word alone."""
    follow(table, heads)
    head = newest_head(heads)
    with desk() as anew:
        anew.start()
        play(anew)
        follow(anew, heads)
        assert notes(anew) == [], "the controller cannot know whose that key is"
        assert [lost.head for lost in heads.missing] == [head]
        assert accept(anew, head)["ok"]
        follow(anew, heads)
        assert heads.missing == ()


# --- the processes that follow the table ------------------------------------------------------------------------------


def files_of(table: Desk, folder: Path) -> TableFiles:
    return TableFiles(
        config=table.config,
        journal=table.journal,
        copy=table.folder / "table.copy",
        statistics=folder / "statistics.db",
    )


def remembered(path: Path) -> int:
    """The number of the head in a file; 0 where there is none yet."""
    head = KnownHeads(path).head
    return 0 if head is None else head.seq


def says_it(url: str, page: str) -> bool:
    return "data-rolled-back" in get(f"{url}/{page}?lang=en").text


def test_the_screens_find_it_after_a_start_of_their_own_and_each_page_says_it_until_it_is_accepted(
    table: Desk, tmp_path: Path
) -> None:
    kept = saved(table, tmp_path)
    play(table)
    newest, files = table.newest, files_of(table, tmp_path)
    with serving(table.socket, files=files):
        until(lambda: remembered(tmp_path / "statistics.db.heads") == newest)
    put_back(table, kept)
    with serving(table.socket, files=files) as url:
        until(lambda: bool(notes(table)))
        for page in ("croupier", "pit", "technician"):
            until(partial(says_it, url, page))
        (note,) = notes(table)
        assert note["to_seq"] == newest
        asked = {"accept": {"seq": newest, "hash": note["to_hash"]}, "by": "ana", "second": "luis", "reason": "disk"}
        assert ask(table.socket, asked, timeout_s=LONG_S)["ok"]
        until(lambda: bool([*tmp_path.glob("statistics.db.another-journal-*")]))
        until(lambda: not says_it(url, "pit"))
    assert [*tmp_path.glob("statistics.db.another-journal-*")], "it stays evidence"


def test_the_notifications_tell_it_once_and_give_the_next_head_to_the_witness(table: Desk, tmp_path: Path) -> None:
    kept, file = saved(table, tmp_path), tmp_path / "mesa-1.heads"
    with WebReceiver() as web:
        told = f"""
[notifications]
path = "{tmp_path}/notifications.db"
[[notify]]
name = "hook"
url = "{web.url()}"
languages = ["en"]
[witness]
file = "{file}"
"""
        table.config.write_text(table.config.read_text(encoding="utf-8") + told, encoding="utf-8")
        run = ["notifications", str(table.config), "--once"]
        assert main(run) == 0
        play(table)
        dealt = table.newest
        assert main(run) == 0
        newest = remembered(tmp_path / "notifications.db.heads")
        assert newest >= dealt, "what a device says afterwards may be signed too"
        written_before = file.read_text()
        assert web.got == []
        put_back(table, kept)
        for _ in range(2):
            assert main(run) == 0
        assert [posted.said["title"] for posted in web.got] == ["Mesa 1 · The journal is an older one than before"]
        (note,) = notes(table)
        assert note["to_seq"] == newest
        asked = {"accept": {"seq": newest, "hash": note["to_hash"]}, "by": "ana", "second": "luis", "reason": "disk"}
        assert ask(table.socket, asked, timeout_s=LONG_S)["ok"]
        assert main(run) == 0
        assert len(web.got) == 1
        after = file.read_text().removeprefix(written_before)
        assert [head.seq for head in heads_in(after)] == [table.newest], "at once, and not after ten minutes"


# --- what left the machine --------------------------------------------------------------------------------------------


def witnessed(
    table: Desk, file: Path, capsys: pytest.CaptureFixture[str], *, journal: Path | None = None
) -> tuple[int, str]:
    """What an auditor is told who holds the file of heads, and nothing else."""
    capsys.readouterr()
    found = table.journal if journal is None else journal
    return main(["journal", "verify", str(found), "--witness", str(file)]), capsys.readouterr().out


def write_down(table: Desk, file: Path) -> SignedHead:
    """The newest head, as it leaves the machine; whoever remembered it forgets it again."""
    heads = KnownHeads(None)
    follow(table, heads)
    head = newest_head(heads)
    FilePlace(file, "Mesa 1").keep(head, 1_795_296_600_000_000)
    return head


def test_the_file_of_a_witness_finds_it_when_everybody_else_forgot(
    table: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mesa-1.heads"
    write_down(table, file)
    kept = saved(table, tmp_path)
    play(table)
    head = write_down(table, file)
    status, said = witnessed(table, file, capsys)
    assert status == 0, said
    assert f"2 heads of the witness, as this journal has them; the newest is record {head.seq}" in said
    put_back(table, kept)
    assert notes(table) == [], "nobody remembers anything: neither pages nor notifications nor accounts"
    status, said = witnessed(table, file, capsys)
    assert status == 1
    assert f"NOT AS THE WITNESS HAS IT: this table signed record {head.seq} with hash {head.hash}" in said
    assert "the journal ends before it" in said
    while table.newest < head.seq + 5:
        play(table)
    status, said = witnessed(table, file, capsys)
    assert status == 1
    assert "the journal has another record there" in said
    status, said = witnessed(table, file, capsys, journal=table.folder / "table.copy")
    assert status == 1, "the copy went back with it"


def test_what_two_persons_accepted_is_no_fault_for_the_witness_and_what_came_after_it_is(
    table: Desk, heads: KnownHeads, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, first, second = tmp_path / "mesa-1.heads", tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    write_down(table, file)
    kept = saved(table, first)
    play(table)
    follow(table, heads)
    head = write_down(table, file)
    put_back(table, kept)
    follow(table, heads)
    assert accept(table, head)["ok"]
    write_down(table, file)
    status, said = witnessed(table, file, capsys)
    assert status == 0, said
    assert "1 head not in this journal, which was accepted" in said
    kept = saved(table, second)
    play(table)
    later = write_down(table, file)
    put_back(table, kept)
    status, said = witnessed(table, file, capsys)
    assert status == 1
    assert f"signed record {later.seq}" in said


def test_a_witness_of_another_table_proves_nothing(
    table: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with desk() as other:
        other.start()
        play(other)
        write_down(other, tmp_path / "other.heads")
    status, said = witnessed(table, tmp_path / "other.heads", capsys)
    assert status == 1
    assert "1 head that the key of this journal did not sign" in said
    (tmp_path / "none").write_text("nothing of a table\n")
    assert main(["journal", "verify", str(table.journal), "--witness", str(tmp_path / "none")]) == 2


def test_time_stamps_beside_the_heads_say_when_a_record_was_signed_at_the_latest(
    table: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    authority = Authority(tmp_path / "ours", "Ours")
    heads, file = KnownHeads(None), tmp_path / "stamps"
    follow(table, heads)
    head = newest_head(heads)
    with Service(authority) as service:
        settings = TimestampSettings(url=service.url, authority=authority.root, path=file)
        TimestampPlace(settings, "Mesa 1").keep(head, 1_795_296_600_000_000)
    asked = ["journal", "verify", str(table.journal), "--witness", str(file), "--timestamp-authority"]
    capsys.readouterr()
    assert main([*asked, str(authority.root)]) == 0
    assert f"1 time stamp, the newest: record {head.seq} was signed at 20" in capsys.readouterr().out
    other = Authority(tmp_path / "theirs", "Theirs")
    assert main([*asked, str(other.root)]) == 1
    assert f"BAD TIME STAMP of record {head.seq}" in capsys.readouterr().out
    assert main([*asked, str(tmp_path / "none")]) == 2
    assert main(["journal", "verify", str(table.journal), "--timestamp-authority", str(authority.root)]) == 2
