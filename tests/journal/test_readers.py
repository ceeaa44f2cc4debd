"""Who may read a journal: its owner, or the group of its folder too; and what a member of that group can never do."""

from __future__ import annotations

import io
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tablectl.cli.commands import journal as journal_command
from tablectl.cli.main import main
from tablectl.core.cards import DECK
from tablectl.journal.copy import SecondCopy, append, copies, last_of
from tablectl.journal.deck_register import Register
from tablectl.journal.log_head import LogHead
from tablectl.journal.overview import overview
from tablectl.journal.places import Places
from tablectl.journal.readers import Readers
from tablectl.journal.search import Wanted, find
from tablectl.journal.store import JournalUnusable, Store, let_read
from tablectl.journal.volumes import VolumeSet, volume_path, volumes
from tablectl.ops.log import LateLog
from tablectl.ops.trace.entry import Head
from tablectl.ops.trace.file import About, TraceWriter
from tests.journal.journals import KEYS, WHOLE_HAND, Sitting, keep_keys, places
from tests.other_user import CONTROLLER, READERS, OtherUser, only_root, shared_folder

#: Modules that a command loads when it is run, which another user could not load any more.
LOADED: Final = (journal_command,)
DONE_WITHIN_S: Final = 30.0


@pytest.fixture
def folder() -> Iterator[Path]:
    with shared_folder() as made:
        keep_keys(made)
        yield made


@pytest.fixture
def other_user() -> Iterator[OtherUser]:
    """A member of the readers' group."""
    with OtherUser() as other:
        yield other


@pytest.fixture
def controller() -> Iterator[OtherUser]:
    """The controller's user, who is in that group too."""
    with OtherUser(CONTROLLER, READERS) as other:
        yield other


def shared(folder: Path, *, volume_records: int = 1_000_000) -> Places:
    return replace(places(folder, volume_records=volume_records), readers=Readers.GROUP)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in sorted(folder.iterdir())}


def copied(where: Places) -> None:
    """The controller's other thread, up to the journal's end."""
    newest = LogHead()
    second = SecondCopy(where, newest, LateLog())
    second.start()
    second.close(DONE_WITHIN_S)


# --- what a member of the group does ----------------------------------------------------------------------------------

#: What another user keeps open from one question to the next.
KEPT: Final[dict[Path, VolumeSet]] = {}


def newest_now(journal: Path) -> int:
    with closing(VolumeSet(journal)) as volume_set:
        return next(volume_set.newest_first()).seq


def newest_by_what_is_open(journal: Path, after: int) -> int:
    volume_set = KEPT.setdefault(journal, VolumeSet(journal))
    return max((stored.seq for stored in volume_set.records(after=after)), default=after)


def newest_found(journal: Path) -> int:
    return find(journal, Wanted(), most=1).hits[0].seq


def said(*words: str) -> tuple[int, str]:
    with redirect_stdout(io.StringIO()) as told:
        status = main(list(words))
    return status, told.getvalue()


def written_to(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY))


def record_added(journal: Path) -> None:
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("INSERT INTO record VALUES (1000000, 1, 0, x'00', zeroblob(32), NULL, NULL)")


def exchanged(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


# --- reading ----------------------------------------------------------------------------------------------------------


@only_root
def test_a_reader_of_another_user_follows_and_searches_and_always_finds_the_newest_record(
    folder: Path, other_user: OtherUser
) -> None:
    where = shared(folder, volume_records=20)
    with Sitting(where) as sitting:
        sitting.line("restart")
        for text in WHOLE_HAND.split("\n"):
            if not text:
                continue
            before = sitting.journal.store.newest
            sitting.line(text)
            newest = sitting.journal.store.newest
            assert newest > before
            assert other_user.does(newest_now, where.journal) == newest
            assert other_user.does(newest_by_what_is_open, where.journal, before) == newest
            assert other_user.does(newest_found, where.journal) == newest
        sitting.line("press new-hand")
        assert len(volumes(where.journal)) == 2
        assert other_user.does(newest_found, where.journal) == sitting.journal.store.newest


@only_root
def test_a_reader_who_comes_first_is_told_of_what_a_started_controller_writes(
    folder: Path, other_user: OtherUser
) -> None:
    where = shared(folder)
    with Sitting(where) as sitting:
        sitting.line("restart")
    assert other_user.does(newest_now, where.journal) == 1
    with Sitting(where) as sitting:
        sitting.line("press new-hand")
        assert other_user.does(newest_now, where.journal) == sitting.journal.store.newest == 2
        assert other_user.does(newest_found, where.journal) == 2


def played(where: Places) -> int:
    """Left as it is: whoever did it is killed before anything is closed."""
    sitting = Sitting(where)
    sitting.line("restart")
    sitting.line("press new-hand")
    PLAYED.append(sitting)
    return sitting.journal.store.newest


PLAYED: Final[list[Sitting]] = []


@only_root
def test_what_a_killed_controller_wrote_is_read(folder: Path, other_user: OtherUser, controller: OtherUser) -> None:
    where = shared(folder)
    for name in ("table.key", "table.sign"):
        os.chown(folder / name, CONTROLLER, READERS)
    controller.dies(played, where)
    assert (folder / "table.db-wal").stat().st_size, "nothing was closed in order"
    assert other_user.does(newest_now, where.journal) == 2


@only_root
def test_readers_leave_nothing_that_is_in_the_next_controllers_way(
    folder: Path, other_user: OtherUser, controller: OtherUser
) -> None:
    """An index that a reader found old, and made anew after a power cut, is no reason not to deal."""
    where = shared(folder)
    for name in ("table.key", "table.sign"):
        os.chown(folder / name, CONTROLLER, READERS)
    controller.dies(played, where)
    assert other_user.does(newest_by_what_is_open, where.journal, 0) == 2
    with OtherUser(CONTROLLER, READERS) as again:
        newest = again.does(played, where)
        assert newest > 2
        assert other_user.does(newest_by_what_is_open, where.journal, 2) == newest


@only_root
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("journal", "verify"), "intact"),
        (("journal", "show"), "new-hand"),
        (("journal", "volumes"), "records 1 to"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[1],
)
def test_the_commands_of_the_auditors_page_work_for_a_member_of_the_group(
    folder: Path, other_user: OtherUser, words: tuple[str, ...], told: str
) -> None:
    where = shared(folder)
    with Sitting(where) as sitting:
        sitting.lines(f"restart\n{WHOLE_HAND}")
        copied(where)
        status, text = other_user.does(said, *words, str(where.journal))
        assert status == 0
        assert told in text
    assert other_user.does(said, *words, str(where.journal))[0] == 0, "with no controller, too"


@only_root
def test_copy_and_published_key_are_read_too(folder: Path, other_user: OtherUser) -> None:
    where = shared(folder)
    with Sitting(where) as sitting:
        sitting.lines(f"restart\n{WHOLE_HAND}")
        copied(where)
        last = other_user.does(last_of, where.copy)
        assert last is not None
        assert last.seq == sitting.journal.store.newest
        seen = other_user.does(overview, where.journal, where.copy, where.public_key)
        assert seen.published_key == KEYS.signer.public


# --- what nobody of that group can do ---------------------------------------------------------------------------------


@pytest.fixture
def live(folder: Path) -> Iterator[Places]:
    """A table that plays, with everything that it keeps."""
    where = shared(folder)
    with Register(folder / "decks.db", KEYS.vault) as register:
        register.enrol("red 7", {f"{number:08x}": card for number, card in enumerate(DECK)}, by="", reason="", at_us=1)
    about = About(head=Head(device="sabot", driver="angel-eye"), began="", series="", number=1, key="", is_demo=False)
    TraceWriter(folder / "sabot.trace", about, KEYS.vault).close()
    with Sitting(where) as sitting:
        sitting.lines("restart\npress new-hand")
        copied(where)
        yield where


@only_root
@pytest.mark.parametrize(
    "name", ["table.key", "table.sign", "decks.db", "sabot.trace", "table.db.lock", "table.db.reserve"]
)
def test_a_member_of_the_group_cannot_open_what_is_the_owners_alone(
    other_user: OtherUser, live: Places, name: str
) -> None:
    path = live.journal.with_name(name)
    assert path.exists()
    with pytest.raises(PermissionError):
        other_user.does(path.read_bytes)


@only_root
@pytest.mark.parametrize("name", ["table.db", "table.db-wal", "table.copy", "table.pub"])
def test_a_member_of_the_group_can_write_nothing_that_is_recorded(
    other_user: OtherUser, live: Places, name: str
) -> None:
    path = live.journal.with_name(name)
    assert other_user.does(path.read_bytes)
    with pytest.raises(PermissionError):
        other_user.does(written_to, path)
    with pytest.raises(PermissionError):
        other_user.does(exchanged, path)


@only_root
def test_a_member_of_the_group_cannot_add_a_record(other_user: OtherUser, live: Places) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        other_user.does(record_added, live.journal)


@only_root
def test_who_is_in_another_group_reads_nothing(live: Places) -> None:
    with OtherUser(group=READERS + 10) as other, pytest.raises(PermissionError):
        other.does(live.journal.read_bytes)


# --- modes ------------------------------------------------------------------------------------------------------------

LIVE: Final = {"table.db": 0o640, "table.db-wal": 0o640, "table.db-shm": 0o660}
KEPT_BY_THE_OWNER: Final = {"table.db.lock": 0o600, "table.db.reserve": 0o600, "table.key": 0o600, "table.sign": 0o600}


@pytest.fixture
def strict() -> Iterator[None]:
    """As systemd's `UMask=0077` has it."""
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.mark.usefixtures("strict")
def test_a_group_reads_journal_copy_and_public_key_whatever_the_umask_is(tmp_path: Path) -> None:
    keep_keys(tmp_path)
    where = shared(tmp_path)
    with Sitting(where) as sitting:
        sitting.line("restart")
        copied(where)
        assert modes(tmp_path) == {**KEPT_BY_THE_OWNER, **LIVE, "table.copy": 0o640, "table.pub": 0o640}


@pytest.mark.usefixtures("strict")
def test_every_volume_and_its_copy_are_for_the_same_readers(tmp_path: Path) -> None:
    keep_keys(tmp_path)
    where = shared(tmp_path, volume_records=20)
    with Sitting(where) as sitting:
        sitting.lines(f"restart\n{WHOLE_HAND}")
        copied(where)
        assert len(volumes(where.journal)) == len(copies(where.copy)) == 2
        read = {path.name: 0o640 for path in (*volumes(where.journal), *copies(where.copy))}
        beside = {"table-0002.db-wal": 0o640, "table-0002.db-shm": 0o660}
        found = modes(tmp_path)
        assert {name: found[name] for name in (*read, *beside)} == {**read, **beside}


def test_a_journal_is_brought_to_the_mode_that_its_configuration_says_and_back(tmp_path: Path) -> None:
    keep_keys(tmp_path)
    where = places(tmp_path, volume_records=20)

    def opened(readers: Readers, text: str) -> set[int]:
        now = replace(where, readers=readers)
        with Sitting(now) as sitting:
            sitting.lines(text)
            copied(now)
            found = modes(tmp_path)
        return {found[path.name] for path in (*volumes(where.journal), *copies(where.copy))}

    assert opened(Readers.OWNER, f"restart\n{WHOLE_HAND}") == {0o600}
    assert len(volumes(where.journal)) == 2
    assert opened(Readers.GROUP, "restart") == {0o640}
    assert opened(Readers.OWNER, "restart") == {0o600}


@pytest.mark.parametrize(
    ("readers", "before", "after"),
    [(Readers.GROUP, 0o600, (0o640, 0o640, 0o660)), (Readers.OWNER, 0o660, (0o600, 0o600, 0o600))],
)
def test_what_a_power_cut_left_beside_the_journal_is_brought_to_it_too(
    tmp_path: Path, readers: Readers, before: int, after: tuple[int, ...]
) -> None:
    paths = [tmp_path / f"a.db{ending}" for ending in ("", "-wal", "-shm")]
    for path in paths:
        path.touch()
        path.chmod(before)
    let_read(readers, paths[0])
    assert tuple(path.stat().st_mode & 0o777 for path in paths) == after


@only_root
def test_files_get_the_group_of_their_folder_where_the_kernel_did_not_give_it(folder: Path) -> None:
    folder.chmod(0o750)
    with closing(Store.open(folder / "a.db", readers=Readers.GROUP)):
        assert {path.stat().st_gid for path in folder.glob("a.db*") if path.stat().st_mode & 0o040} == {READERS}


@only_root
@pytest.mark.parametrize(
    ("readers", "who"), [(Readers.GROUP, "its owner and its folder's group"), (Readers.OWNER, "its owner alone")]
)
def test_a_journal_that_cannot_be_brought_to_it_says_what_to_do(
    folder: Path, controller: OtherUser, readers: Readers, who: str
) -> None:
    path = folder / "a.db"
    path.touch()
    path.chmod(0o666)
    with pytest.raises(JournalUnusable, match=f"a.db: cannot be made readable for {who} .*; give it to the control"):
        controller.does(opened_by, path, readers)


def opened_by(path: Path, readers: Readers) -> None:
    Store.open(path, readers=readers).close()


@only_root
def test_a_copy_whose_mode_cannot_be_changed_is_written_all_the_same(folder: Path, controller: OtherUser) -> None:
    """As on a disk without modes, or a file that may only be added to."""
    where = shared(folder)
    with Sitting(where) as sitting:
        sitting.lines("restart\npress new-hand")
        with closing(VolumeSet(where.journal)) as volume_set:
            append(where.copy, [next(volume_set.records())])
        os.chown(where.copy, 0, READERS)
        where.copy.chmod(0o660)
        controller.does(copied, where)
        last = last_of(where.copy)
    assert last is not None
    assert last.seq == 2, "what came after the line that was there"
    assert where.copy.stat().st_mode & 0o777 == 0o660


def test_a_new_volume_has_its_index_before_its_first_reader_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made by SQLite, it could not be written by a reader who comes before its mode is changed."""
    seen: list[int] = []
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def watched(path: Path | str, **how: object) -> sqlite3.Connection:
        if isinstance(path, Path):
            seen.append(path.with_name(f"{path.name}-shm").stat().st_mode & 0o777)
        return connect(path, **how)

    with closing(Store.open(tmp_path / "a.db", readers=Readers.GROUP)) as store:
        monkeypatch.setattr(sqlite3, "connect", watched)
        store.go_on_in(volume_path(tmp_path / "a.db", 2)).close()
    assert seen == [0o660]
