"""`tablectl idle`: whether a table is between two hands, from its controller or from its journal."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, Final

import pytest

from simulators import processes
from simulators.stage.stage import temporary_folder
from tablectl.api.client import ask, lines
from tablectl.cli.commands import idle
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.journal.tilt import Mark, TiltKind, leave
from tablectl.journal.volumes import present
from tablectl.ops import first_run
from tablectl.ops.runtime_state import STATE_FILE, read_runtime_state, state_of, write_runtime_state
from tests.desk import Desk, desk
from tests.journal.journals import WHOLE_HAND, Sitting, keep_keys, places, written
from tests.other_user import CONTROLLER, READERS, OtherUser, only_root, shared_folder
from tests.reader_desk import reader_desk
from tests.waiting import until

TABLE: Final = '[table]\nname = "Mesa 1"\nrulebook = "texas-bonus"\nseats = 7\ntracking = "presence"\n'
UNFINISHED: Final = "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\n"
VOID: Final = f"{UNFINISHED}draw Kd\npress bank-exposed\npress confirm\n"
#: Modules that are loaded when the command is run, which another user could not load any more.
LOADED: Final = (idle,)


def said(*configs: Path) -> tuple[int, str]:
    with redirect_stdout(io.StringIO()) as told:
        status = main(["idle", *map(str, configs)])
    return status, told.getvalue()


def configured(folder: Path, name: str = "mesa-1") -> Path:
    """A table of its own folder, with its file."""
    place = folder / name
    place.mkdir(exist_ok=True)
    path = folder / f"{name}.toml"
    path.write_text(
        f'{TABLE}[journal]\npath = "{place}/table.db"\nkey = "{place}/table.key"\n'
        f'signing_key = "{place}/table.sign"\ncopy = "{place}/table.copy"\nreaders = "group"\n'
        f'[control]\nsocket = "{place}/table.sock"\n[people]\npath = "{place}/people.db"\n',
        encoding="utf-8",
    )
    return path


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as made:
        yield Path(made)


# --- no controller answers --------------------------------------------------------------------------------------------


def test_a_table_that_never_ran_is_between_hands_and_that_is_what_is_said(folder: Path) -> None:
    path = configured(folder)
    never = f"there is no journal {load(path).journal}, and nothing else that a start leaves"
    assert said(path) == (0, f"mesa-1: between hands: it never ran; {never}\n")


@pytest.mark.parametrize(
    "left", ["table.copy", "table-0002.copy", "table.tilt", "table.key", "table.sign", "table.pub"]
)
def test_of_a_table_that_has_run_and_whose_journal_is_not_there_nobody_knows(folder: Path, left: str) -> None:
    path = configured(folder)
    (folder / "mesa-1" / left).touch()
    status, told = said(path)
    assert status == 2
    assert (
        f"not known: there is no journal {load(path).journal}, and this table has run ({folder}/mesa-1/{left})" in told
    )
    assert "mount the disk, or bring the journal back (`tablectl restore`), and try again" in told


def test_every_start_leaves_what_tells_that_the_table_has_run(folder: Path) -> None:
    path = configured(folder)
    played(path, WHOLE_HAND)
    assert said(path) == (0, "mesa-1: between hands\n")
    for file in present(load(path).journal).values():
        file.unlink()
    assert said(path)[0] == 2


def test_of_a_table_without_a_folder_nobody_knows(folder: Path) -> None:
    """A disk that is not mounted looks as a table that was never set up, and its hand may be open."""
    path = configured(folder)
    (folder / "mesa-1").rmdir()
    status, told = said(path)
    assert status == 2
    assert f"not known: there is no folder {folder}/mesa-1: this table was not set up yet, or the disk" in told
    assert "set it up (`tablectl setup`), take its file away, or mount the disk, and try again" in told


@pytest.mark.parametrize(
    ("row", "status"),
    [("/dev/sdb1 {} ext4 noauto 0 2", 2), ("# /dev/sdb1 {} ext4 noauto 0 2", 0), ("\n/dev/sdb1 none swap", 0)],
)
def test_a_disk_that_the_machine_knows_and_that_is_not_mounted_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, row: str, status: int
) -> None:
    """The folder in which it belongs is there, and empty."""
    path = configured(folder)
    (folder / "fstab").write_text(row.format(folder / "mesa-1"), encoding="utf-8")
    monkeypatch.setattr(first_run, "FSTAB", folder / "fstab")
    assert said(path)[0] == status
    if status:
        assert f"mount it (mount {folder}/mesa-1) and try again" in said(path)[1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", None),
        ("press new-hand", "hand 1 is open (Betting)"),
        (UNFINISHED, "hand 1 is open (Dealing)"),
        (VOID, "hand 1 is open (Hand void)"),
        (f"{VOID}press confirm", None),
        (WHOLE_HAND, None),
        (f"{WHOLE_HAND}restart", None),
        (f"{WHOLE_HAND}press new-hand\nrestart", "hand 2 is open (Betting)"),
    ],
    ids=["opened", "bets", "cards", "void", "put-away", "over", "restarted", "unfinished"],
)
def test_where_no_controller_answers_the_journal_says_it(folder: Path, text: str, told: str | None) -> None:
    path = configured(folder)
    written(load(path).journal, text)
    if told is None:
        assert said(path) == (0, "mesa-1: between hands\n")
    else:
        what = "start the table (systemctl start tablectl@mesa-1), end the hand, then try again"
        assert said(path) == (1, f"mesa-1: {told}; {what}\n")


def test_a_tilted_table_with_an_open_hand_is_told_how_the_version_that_cures_it_is_put_in_place(folder: Path) -> None:
    path = configured(folder)
    written(load(path).journal, UNFINISHED)
    leave(Mark(kind=TiltKind.REPLAY, reason="another version", at=""), load(path).marks)
    status, told = said(path)
    assert status == 1
    assert told.startswith(
        "mesa-1: hand 1 is open (Dealing); the table is tilted: clear that first (tablectl clear), start it"
    )
    assert "with TABLECTL_ANYWAY=mesa-1 before the command" in told


def test_a_hand_that_goes_on_in_no_volume_is_found_after_the_volume_before(folder: Path) -> None:
    path = configured(folder)
    where = places(folder / "mesa-1", volume_records=20)
    keep_keys(folder / "mesa-1")
    with Sitting(where) as sitting:
        sitting.lines(f"restart\n{WHOLE_HAND}")
        assert said(path) == (0, "mesa-1: between hands\n")
        sitting.line("press new-hand")
        assert said(path)[0] == 1


def test_one_line_a_table_and_the_worst_of_them_is_the_status(folder: Path) -> None:
    quiet, busy, wrong = configured(folder), configured(folder, "mesa-2"), folder / "mesa-3.toml"
    written(load(busy).journal, "press new-hand")
    status, told = said(quiet, busy, quiet)
    assert (status, [line.split(";")[0] for line in told.splitlines()]) == (
        1,
        [
            "mesa-1: between hands: it never ran",
            "mesa-2: hand 1 is open (Betting)",
            "mesa-1: between hands: it never ran",
        ],
    )
    status, told = said(busy, wrong, quiet)
    assert status == 2
    assert told.splitlines()[1].startswith(f"mesa-3: not known: {wrong}: ")
    assert len(told.splitlines()) == 3


@pytest.mark.parametrize("data", [b"no database at all", b"SQLite format 3\0" + b"\0" * 1000])
def test_a_journal_that_cannot_be_read_is_no_idle_table(folder: Path, data: bytes) -> None:
    path = configured(folder)
    load(path).journal.write_bytes(data)
    status, told = said(path)
    assert status == 2
    assert "not known" in told
    assert "`tablectl journal verify`" in told


def test_a_journal_with_a_hole_in_it_is_no_idle_table(folder: Path) -> None:
    path = configured(folder)
    journal = load(path).journal
    written(journal, "")
    journal.rename(journal.with_name("table-0003.db"))
    written(journal, "")
    status, told = said(path)
    assert (status, "this volume is missing" in told) == (2, True)


# --- who asks ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def table() -> Iterator[tuple[Path, Path]]:
    """A table whose journal its readers' group can read, and its file; the folder of both is open to everybody."""
    with shared_folder() as made:
        path = configured(made.parent)
        path.chmod(0o644)
        yield path, made


@only_root
def test_root_and_the_controllers_user_are_told_and_leave_nothing_in_its_way(table: tuple[Path, Path]) -> None:
    path, folder = table
    with OtherUser(CONTROLLER, READERS) as first, OtherUser(CONTROLLER, READERS) as second:
        first.does(played, path, "press new-hand")
        for _ in range(2):
            assert said(path)[0] == 1
            assert second.does(said, path)[0] == 1
        assert {file.stat().st_uid for file in folder.iterdir()} == {CONTROLLER}
        second.does(played, path, "restart")


def played(path: Path, text: str) -> None:
    """The controller starts, this happens, the controller ends."""
    where = load(path).places
    keep_keys(where.journal.parent)
    with Sitting(where) as sitting:
        sitting.lines(f"restart\n{text}")


@only_root
@pytest.mark.parametrize("mode", [0o2750, 0o2755])
def test_who_may_not_look_is_told_to_ask_as_somebody_else(table: tuple[Path, Path], mode: int) -> None:
    """Whether there is a journal, or may be one."""
    path, folder = table
    written(load(path).journal, "press new-hand")
    folder.chmod(mode)
    with OtherUser(group=READERS + 10) as other:
        status, told = other.does(said, path)
    assert status == 2
    assert "ask as root or as the controller's user" in told


@only_root
def test_who_may_not_ask_the_controller_does_not_hear_from_the_journal_alone(table: tuple[Path, Path]) -> None:
    """Somebody may be enrolling a deck."""
    path, folder = table
    written(load(path).journal, "")
    os.chown(folder / "table.db", CONTROLLER, READERS)
    (folder / "table.db").chmod(0o640)
    with OtherUser() as reader:
        assert reader.does(said, path)[0] == 0
        with answering(load(path).socket, {}):
            load(path).socket.chmod(0o600)
            status, told = reader.does(said, path)
    assert status == 2
    assert "this user may not ask the controller" in told


# --- a controller answers ---------------------------------------------------------------------------------------------


@contextmanager
def answering(path: Path, answers: dict[str, Any]) -> Iterator[None]:
    """A controller of another version: what it says to each question."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as listener:
        listener.bind(str(path))
        listener.listen()
        thread = threading.Thread(target=_answer, args=(listener, answers), daemon=True)
        thread.start()
        yield
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def _answer(listener: socket.socket, answers: dict[str, Any]) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection, connection.makefile("rwb") as line:
            asked = json.loads(line.readline())
            line.write(json.dumps(answers[asked["ask"]]).encode() + b"\n")


def test_of_a_controller_that_does_not_say_it_the_journal_does(folder: Path) -> None:
    path = configured(folder)
    written(load(path).journal, "press new-hand")
    old = {"devices": {"ok": True, "devices": []}, "test": {"ok": True, "test": None, "keys": [], "enrols": None}}
    with answering(load(path).socket, old):
        assert said(path) == (1, "mesa-1: hand 1 is open (Betting); end the hand, then try again\n")


@pytest.fixture
def desk_table() -> Iterator[Desk]:
    with desk() as made:
        yield made


@pytest.mark.system
def test_a_controller_is_asked_from_hand_to_hand(desk_table: Desk) -> None:
    table = desk_table
    table.start()
    assert said(table.config) == (0, "table: between hands\n")
    table.open_hand()
    assert said(table.config) == (1, "table: hand 1 is open (Dealing); end the hand, then try again\n")
    table.play_on()
    assert said(table.config) == (0, "table: between hands\n")
    table.enter("press new-hand")
    table.stop()
    assert said(table.config)[0] == 1, "it would be resumed"


@pytest.mark.system
def test_whoever_tries_a_device_is_busy(desk_table: Desk) -> None:
    table = desk_table
    table.start()
    assert ask(table.socket, {"test": "lamps", "by": "eva"})["ok"]
    assert said(table.config) == (1, "table: lamps are tried by eva; end the test, then try again\n")
    ask(table.socket, {"test": "over"})
    assert said(table.config)[0] == 0


@pytest.mark.system
def test_whoever_enrols_a_deck_is_busy() -> None:
    with reader_desk() as (table, _):
        table.start()
        record = table.await_record("device-back", 0)
        while record["fact"]["device"] != "tray":
            record = table.await_record("device-back", record["seq"])
        talk = lines(table.socket, {"enrol": {"deck": "green 7", "reader": "tray", "by": "eva"}})
        assert next(talk)["due"] == "As"
        assert said(table.config) == (1, "table: a deck is enrolled at tray by eva; end it, then try again\n")
        talk.close()


# --- the file was changed since ---------------------------------------------------------------------------------------


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The runtime directories of services, with that of this table."""
    monkeypatch.setattr(idle, "RUN", folder / "run")
    (folder / "run/mesa-1").mkdir(parents=True)
    return folder / "run/mesa-1"


def begun(path: Path, run: Path) -> None:
    """A controller of this file began, as systemd starts one."""
    write_runtime_state(load(path), {"RUNTIME_DIRECTORY": f"{run}:/run/other"})


def moved(path: Path, folder: Path) -> None:
    """The file names other places from now on."""
    (folder / "elsewhere").mkdir()
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(str(load(path).journal.parent), str(folder / "elsewhere")), encoding="utf-8")


def test_a_controller_that_still_runs_where_the_file_does_not_say_any_more_is_asked(
    folder: Path, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk() as table:
        path = configured(folder)
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(str(folder / "mesa-1"), str(table.folder)), encoding="utf-8")
        assert (load(path).journal, load(path).socket) == (table.journal, table.socket)
        begun(path, run)
        table.start()
        moved(path, folder)
        assert said(path) == (0, "mesa-1: between hands\n")
        table.open_hand()
        changed = f"the file was changed, and the controller was started at {table.socket}"
        assert said(path) == (1, f"mesa-1: {changed}: hand 1 is open (Dealing); end the hand, then try again\n")
        monkeypatch.setattr(idle, "RUN", folder / "none")
        assert said(path)[0] == 0, "without its word nobody would know"


def test_a_controller_that_systemd_started_has_run_though_its_journal_is_not_there(folder: Path, run: Path) -> None:
    path = configured(folder)
    begun(path, run)
    status, told = said(path)
    assert (status, f"this table has run ({run / STATE_FILE})" in told) == (2, True)
    moved(path, folder)
    status, told = said(path)
    assert (status, f"this table has run ({run / STATE_FILE})" in told) == (2, True), "nor where it was before"


def test_a_hand_that_it_left_unfinished_there_is_open(folder: Path, run: Path) -> None:
    path = configured(folder)
    begun(path, run)
    written(load(path).journal, UNFINISHED)
    old = load(path).socket
    moved(path, folder)
    status, told = said(path)
    assert status == 1
    assert told.startswith(f"mesa-1: the file was changed, and the controller was started at {old}: hand 1 is open")


def test_the_state_of_another_file_of_this_name_is_none_of_it(folder: Path, run: Path) -> None:
    path = configured(folder)
    written(load(path).journal, UNFINISHED)
    begun(path, run)
    other = folder / "copies"
    other.mkdir()
    assert said(configured(other))[0] == 0


@pytest.mark.parametrize("word", ["", "{}", "[]", '{"config": 1, "socket": "", "journal": ""}'])
def test_a_state_that_cannot_be_read_is_no_idle_table(word: str, folder: Path, run: Path) -> None:
    path = configured(folder)
    (run / STATE_FILE).write_text(word, encoding="utf-8")
    status, told = said(path)
    assert status == 2
    assert f"not known: {run / STATE_FILE}: " in told
    assert "restart the table" in told


def test_who_may_ask_the_controller_may_read_its_state(folder: Path, run: Path) -> None:
    path = configured(folder)
    begun(path, run)
    assert (run / STATE_FILE).stat().st_mode & 0o777 == 0o600
    path.write_text(path.read_text("utf-8").replace("[control]", '[control]\nreaders = "group"'), "utf-8")
    begun(path, run)
    assert (run / STATE_FILE).stat().st_mode & 0o777 == 0o640
    assert [file.name for file in run.iterdir()] == [STATE_FILE]


def test_a_controller_of_systemds_writes_its_state_before_it_answers_and_another_one_none(
    folder: Path, run: Path
) -> None:
    with desk() as table:
        for environment in ({"RUNTIME_DIRECTORY": str(run)}, {}):
            process = processes.start(
                [sys.executable, "-m", "tablectl", "run", str(table.config)],
                stderr=subprocess.DEVNULL,
                env={**os.environ, **environment},
            )
            try:
                until(lambda: not table.is_deaf())
                word = read_runtime_state(run)
            finally:
                process.terminate()
                process.wait()
            assert (word == state_of(load(table.config))) == bool(environment)
            (run / STATE_FILE).unlink(missing_ok=True)
