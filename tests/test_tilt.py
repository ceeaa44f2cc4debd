"""Tilt: each kind ends the controller, says so everywhere, outlives the restart, and has a way out."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NoReturn

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from drivers.patlite.messages import LightState, Pattern
from simulators import processes
from simulators.stage.stage import Scene
from simulators.stage.summary import check
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.core.engine import facts as f
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.vocabulary import Key
from tablectl.games.registry import rulebook_of
from tablectl.journal.copy import last_of
from tablectl.journal.readers import Readers
from tablectl.journal.store import TRIGGERS
from tablectl.journal.tilt import Mark, Tilt, TiltKind, find, leave, remove
from tablectl.table.controller.controller import EXIT_OK, EXIT_TILT, JOURNAL_IN_DOUBT, Controller
from tablectl.table.integrity_supervisor import Rounds
from tests.desk import BY, REASON, Desk, KeptLog, Record, desk
from tests.journal.journals import WHOLE_HAND, records, without_triggers
from tests.other_user import CONTROLLER, OTHER_USER, READERS, OtherUser, only_root, shared_folder
from tests.reader_desk import reader_block
from tests.waiting import until
from tests.wide import once

pytestmark = pytest.mark.system

PANEL = Scene().panel
FAULT: Final = LightState(red=Pattern.ON, yellow=Pattern.ON)
#: The integrity check looks at once, and again and again.
EAGER: Final = Rounds(first_s=0.0, again_s=0.0, look_s=0.05, round_s=0.2)
DAY_US: Final = 86_400_000_000


@dataclass(frozen=True, kw_only=True)
class Case:
    """How a tilt comes about and how it is mended. `happen` returns when the controller has ended."""

    id: str
    kind: TiltKind
    reason: str
    happen: Callable[[Desk], None]
    mend: Callable[[Desk], None]
    #: the journal is open when it happens, and a note can be written
    is_open: bool = True
    #: `tablectl clear` is refused for as long as the cause is there
    is_refused: bool = True
    journal: str = ""
    #: the table has not played this hand only
    is_old: bool = False

    def __str__(self) -> str:
        return self.id

    @property
    def is_noted(self) -> bool:
        """Whether the tilt is on record: nothing is added to a journal that is in doubt."""
        return self.is_open and self.kind not in JOURNAL_IN_DOUBT


def stopped(table: Desk) -> None:
    assert table.stop() == EXIT_OK


def while_stopped(change: Callable[[Desk], None]) -> Callable[[Desk], None]:
    """Something is changed while no controller is there, and the next start finds it."""

    def happen(table: Desk) -> None:
        stopped(table)
        change(table)
        assert table.does_not_start() == EXIT_TILT

    return happen


def under_watch(change: Callable[[Desk], None]) -> Callable[[Desk], None]:
    """Something is changed while cards are dealt, and the integrity check finds it."""

    def happen(table: Desk) -> None:
        stopped(table)
        table.start(rounds=EAGER)
        table.until_copied()
        change(table)
        assert table.ended() == EXIT_TILT

    return happen


def careful(journal: Path, statement: str, values: tuple[object, ...]) -> None:
    """As `changed`, by somebody who puts the triggers back before anybody looks."""
    connection = sqlite3.connect(journal, isolation_level=None)
    try:
        made = [row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")]
        connection.execute("BEGIN IMMEDIATE")
        for trigger in TRIGGERS:
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute(statement, values)
        for text in made:
            connection.execute(text)
        connection.execute("COMMIT")
    finally:
        connection.close()


def change(nth: int) -> Callable[[Desk], None]:
    """Another word in the public form of a record."""

    def at(table: Desk) -> None:
        stored = records(table.journal)[nth]
        public = stored.public.replace(b'"at":"20', b'"at":"21', 1)
        assert public != stored.public
        careful(table.journal, "UPDATE record SET public = ? WHERE seq = ?", (public, stored.seq))

    return at


def no_record_at_all(table: Desk) -> None:
    seq = records(table.journal)[-1].seq
    careful(table.journal, "UPDATE record SET public = ? WHERE seq = ?", (b"{}", seq))


def restored(table: Desk) -> None:
    """The journal again, from its second copy."""
    assert main(["journal", "restore", str(load(table.config).copy), str(table.journal)]) == 0


def no_database(table: Desk) -> None:
    table.journal.write_bytes(b"something else" * 100)
    for beside in ("table.db-wal", "table.db-shm"):
        (table.folder / beside).unlink(missing_ok=True)


def no_trigger(table: Desk) -> None:
    without_triggers(table.journal)


def nothing(_: Desk) -> None:
    pass


def put_away(name: str) -> Callable[[Desk], None]:
    def at(table: Desk) -> None:
        (table.folder / name).rename(table.folder / f"{name}.away")

    return at


def bring_back(name: str) -> Callable[[Desk], None]:
    def at(table: Desk) -> None:
        (table.folder / f"{name}.away").replace(table.folder / name)

    return at


def another_sealing_key(table: Desk) -> None:
    put_away("table.key")(table)
    (table.folder / "table.key").touch(0o600)
    (table.folder / "table.key").write_text(f"tablectl sealing key {'5a' * 32}\n", encoding="ascii")


def another_signing_key(table: Desk) -> None:
    put_away("table.sign")(table)
    (table.folder / "table.sign").touch(0o600)
    made = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (table.folder / "table.sign").write_bytes(made)


def key_for_everybody(table: Desk) -> None:
    (table.folder / "table.key").chmod(0o644)


def key_for_the_owner(table: Desk) -> None:
    (table.folder / "table.key").chmod(0o600)


def name_an_auditor(table: Desk) -> None:
    table.configure('auditor = "auditor.pem"')


def name_nobody(table: Desk) -> None:
    table.configure("")


def another_program(table: Desk) -> None:
    """Other files lie there than those with which this controller was started."""
    stopped(table)
    table.program = "0" * 64
    table.start(rounds=EAGER)
    assert table.ended() == EXIT_TILT
    table.program = ""


MANIFEST: Final = '[software]\nmanifest = "none.json"\npublic_key = "none.pem"\n'


def name_a_manifest(table: Desk) -> None:
    table.config.write_text(MANIFEST + table.config.read_text(encoding="utf-8"), encoding="utf-8")


def name_no_manifest(table: Desk) -> None:
    table.config.write_text(table.config.read_text(encoding="utf-8").removeprefix(MANIFEST), encoding="utf-8")


def cut_the_end(table: Desk) -> None:
    careful(table.journal, "DELETE FROM record WHERE seq > ?", (table.newest - 2,))


def copy_of(table: Desk) -> Path:
    return load(table.config).copy


def another_end_of_the_copy(table: Desk) -> None:
    """The copy's last record has another hash."""
    path = copy_of(table)
    shutil.copy(path, path.with_name("as-it-was"))
    head, mark, tail = path.read_bytes().rpartition(b'"hash":"')
    other = b"0" if tail[:1] != b"0" else b"1"
    path.write_bytes(head + mark + other + tail[1:])


def another_word_in_the_copy(table: Desk) -> None:
    path = copy_of(table)
    with path.open("r+b") as file:
        file.seek(path.read_bytes().index(b'"at":"20'))
        file.write(b'"at":"21')


def mend_the_word(table: Desk) -> None:
    path = copy_of(table)
    with path.open("r+b") as file:
        file.seek(path.read_bytes().index(b'"at":"21'))
        file.write(b'"at":"20')


def the_copy_as_it_was(table: Desk) -> None:
    path = copy_of(table)
    path.with_name("as-it-was").replace(path)


def other_rules(setup: f.Setup) -> Rulebook:
    """Another program than the one that dealt: it calls the pit boss by another clause."""
    good = rulebook_of(setup)
    return replace(good, errors=replace(good.errors, ruling="THB-STF-2"))


def replayed_by_another_program(table: Desk) -> None:
    table.enter("call by ana")
    stopped(table)
    assert table.does_not_start(other_rules) == EXIT_TILT


def breaks_at_the_decisions(setup: f.Setup) -> Rulebook:
    """A rulebook with a bug: the phase after the deal breaks it, and it is the last card that leads there."""

    def plan(seats: tuple[int, ...]) -> NoReturn:
        raise ZeroDivisionError

    good = rulebook_of(setup)
    after = next(
        transition.dest
        for transition in good.transitions
        if transition.source == "dealing" and transition.trigger == "dealt"
    )
    return replace(good, phases={**good.phases, after: replace(good.phases[after], plan=plan)})


def break_at_a_card(table: Desk) -> None:
    stopped(table)
    table.start(breaks_at_the_decisions)
    table.enter("press confirm")
    table.deal("Qh", "9c", "9d")
    table.shoe.draw()
    assert table.ended() == EXIT_TILT


def no_register(table: Desk) -> None:
    """A table that has a reader of tags, and something else where the deck register was."""
    text = table.config.read_text(encoding="utf-8")
    table.config.write_text(f"{reader_block(table.folder)}\n{text}", encoding="utf-8")
    (table.folder / "decks.db").write_bytes(b"something else" * 100)


def register_away(table: Desk) -> None:
    """Where there is no backup, the decks are enrolled again."""
    put_away("decks.db")(table)


CASES: Final = (
    Case(
        id="no database",
        kind=TiltKind.DAMAGED,
        reason="file is not a database",
        happen=while_stopped(no_database),
        mend=restored,
        is_open=False,
    ),
    Case(
        id="trigger gone under the integrity check",
        kind=TiltKind.DAMAGED,
        reason="the trigger record_is_never_changed is gone",
        happen=under_watch(no_trigger),
        mend=restored,
    ),
    Case(
        id="newest hand changed while stopped",
        kind=TiltKind.CHAIN,
        reason="its hash does not follow from the record before; it was changed",
        happen=while_stopped(change(-3)),
        mend=restored,
    ),
    Case(
        id="newest record is none while stopped",
        kind=TiltKind.CHAIN,
        reason="no record of this program; it was changed",
        happen=while_stopped(no_record_at_all),
        mend=restored,
        is_open=False,
    ),
    Case(
        id="older hand changed under the integrity check",
        kind=TiltKind.CHAIN,
        reason="record 6: changed: its hash does not follow",
        happen=under_watch(change(5)),
        mend=restored,
        is_old=True,
    ),
    Case(
        id="newest hand changed under the integrity check",
        kind=TiltKind.CHAIN,
        reason="changed: its hash does not follow",
        happen=under_watch(change(-5)),
        mend=restored,
    ),
    Case(
        id="another program",
        kind=TiltKind.REPLAY,
        reason="this program decides {'kind': 'incident-raised'",
        happen=replayed_by_another_program,
        mend=nothing,
        is_refused=False,
    ),
    Case(
        id="sealing key missing",
        kind=TiltKind.KEY,
        reason="table.key: the sealing key cannot be read (No such file or directory)",
        happen=while_stopped(put_away("table.key")),
        mend=bring_back("table.key"),
        is_open=False,
    ),
    Case(
        id="signing key missing",
        kind=TiltKind.KEY,
        reason="table.sign: the signing key cannot be read (No such file or directory)",
        happen=while_stopped(put_away("table.sign")),
        mend=bring_back("table.sign"),
        is_open=False,
    ),
    Case(
        id="another sealing key",
        kind=TiltKind.KEY,
        reason="table.key: not the key of this journal",
        happen=while_stopped(another_sealing_key),
        mend=bring_back("table.key"),
        is_open=False,
    ),
    Case(
        id="another signing key",
        kind=TiltKind.KEY,
        reason="table.sign: not the key of this journal",
        happen=while_stopped(another_signing_key),
        mend=bring_back("table.sign"),
        is_open=False,
    ),
    Case(
        id="key for everybody",
        kind=TiltKind.KEY,
        reason="others can read it (mode 0644); run: chmod 0600",
        happen=while_stopped(key_for_everybody),
        mend=key_for_the_owner,
        is_open=False,
    ),
    Case(
        id="auditor without a key",
        kind=TiltKind.KEY,
        reason="auditor.pem: found no such file",
        happen=while_stopped(name_an_auditor),
        mend=name_nobody,
    ),
    Case(
        id="copy ahead",
        kind=TiltKind.COPY,
        reason="its end was cut off, or it is another one; `tablectl journal restore` brings the records back",
        happen=while_stopped(cut_the_end),
        mend=restored,
        is_open=False,
    ),
    Case(
        id="copy forked",
        kind=TiltKind.COPY,
        reason="is another one there than in the journal",
        happen=while_stopped(another_end_of_the_copy),
        mend=the_copy_as_it_was,
        is_open=False,
    ),
    Case(
        id="copy changed under the integrity check",
        kind=TiltKind.COPY,
        reason="in the copy it is not what the journal says",
        happen=under_watch(another_word_in_the_copy),
        mend=mend_the_word,
    ),
    Case(
        id="program changed under the integrity check",
        kind=TiltKind.SOFTWARE,
        reason="the files are not those with which the controller was started",
        happen=another_program,
        mend=nothing,
        is_refused=False,
    ),
    Case(
        id="no manifest where one is due",
        kind=TiltKind.SOFTWARE,
        reason="none.pem: the approver's public key cannot be read",
        happen=while_stopped(name_a_manifest),
        mend=name_no_manifest,
        is_open=False,
    ),
    Case(
        id="no deck register",
        kind=TiltKind.REGISTER,
        reason="decks.db: no deck register that can be read",
        happen=while_stopped(no_register),
        mend=register_away,
    ),
    Case(
        id="engine broke",
        kind=TiltKind.PROGRAM,
        reason="the engine broke on a Drawn fact: ZeroDivisionError at plan",
        happen=break_at_a_card,
        mend=nothing,
        is_refused=False,
    ),
)
FIRST_OF_A_KIND: Final = tuple({case.kind: case for case in reversed(CASES)}.values())
#: Shown by a test of their own, here or in `real_disk.py`.
SHOWN_ELSEWHERE: Final = (TiltKind.DISK_FULL, TiltKind.READ_ONLY, TiltKind.TWO_CONTROLLERS)


def test_every_kind_of_tilt_is_shown() -> None:
    """`clock-jumped` stands in journals of version 0.1.0 alone."""
    assert {case.kind for case in CASES} | {*SHOWN_ELSEWHERE, TiltKind.CLOCK} == set(TiltKind)


def notes(table: Desk, kind: str) -> list[Record]:
    """The notes of this kind in the journal, also while no controller is there."""
    found = [json.loads(record.public) for record in records(table.journal)]
    return [record for record in found if record["fact"]["kind"] == kind]


def says_so(table: Desk, kind: TiltKind, reason: str) -> None:
    """In the log, in the mark and on the light; and nothing is open any more."""
    tilt = table.log.events("tilt")[-1]
    assert tilt["kind"] == kind.value
    assert reason in str(tilt["reason"])
    mark = table.mark
    assert mark is not None
    assert (mark.kind, mark.reason) == (kind, tilt["reason"])
    table.until(lambda: table.light.state == FAULT, f"the light says {table.light.state}")
    assert dict(table.panel.lamps) == {}
    assert table.is_deaf()


@pytest.mark.parametrize("case", once(CASES, *FIRST_OF_A_KIND))
def test_a_tilt_says_why_outlives_the_restart_and_is_cleared_by_a_person_when_it_is_mended(case: Case) -> None:
    with desk(journal=case.journal) as table:
        if case.is_old:
            table.played_before(WHOLE_HAND)
        table.start()
        table.open_hand()
        table.deal("As", "Kd")
        acknowledged = records(table.journal)

        case.happen(table)
        says_so(table, case.kind, case.reason)
        if case.is_noted:
            (note,) = notes(table, "tilted")
            assert (note["fact"]["tilt"], case.reason in note["fact"]["reason"]) == (case.kind.value, True)
            assert records(table.journal)[-1].seq == note["seq"], "nothing was recorded after the tilt"
        if case.is_refused:
            with pytest.raises(Tilt) as refused:
                table.clear()
            assert refused.value.kind is case.kind
            assert table.mark is not None

        if case.is_noted:
            remove(table.marks)
        else:
            case.mend(table)
        table.light.plugged_in()
        assert table.does_not_start() == EXIT_TILT
        says_so(table, case.kind, case.reason)
        if case.is_noted:
            case.mend(table)

        assert f"cleared: {case.kind.value} of " in table.clear()
        assert table.mark is None
        (cleared,) = notes(table, "cleared")
        assert (cleared["fact"]["by"], cleared["fact"]["reason"]) == (BY, REASON)
        copied = last_of(copy_of(table))
        assert copied is not None
        assert copied.seq == records(table.journal)[-1].seq, "the copy knows who cleared it"
        table.start()
        assert records(table.journal)[: len(acknowledged)] == acknowledged
        prompt = table.records(table.newest - 1)[0]["prompt"]
        assert (prompt["question"], prompt["held"]) == ("felt", True)
        table.play_on()
        stopped(table)
        assert check(table.journal).good


def test_a_second_controller_is_no_tilt_of_the_first_one() -> None:
    with desk() as table:
        table.start()
        table.open_hand()
        table.until(lambda: table.light.state == LightState(green=Pattern.ON), "the light is green")
        lit = {PANEL[Key.INCIDENT], PANEL[Key.CANCEL]}
        table.until(lambda: set(table.panel.lamps) == lit, "nothing else is pressed now")
        before, lights = table.newest, [what for what, _ in table.effects].count("light")
        log = KeptLog()
        assert Controller(load(table.config), log).run() == EXIT_TILT
        assert [event["kind"] for event in log.events("tilt")] == ["two-controllers"]
        assert table.mark is None
        assert table.newest == before
        with pytest.raises(Tilt) as refused:
            table.clear()
        assert refused.value.kind is TiltKind.TWO_CONTROLLERS
        assert [what for what, _ in table.effects].count("light") == lights, "the light of the first one changed"
        assert set(table.panel.lamps) == lit
        table.deal("As")
        stopped(table)


def test_a_copy_whose_disk_is_gone_is_an_error_in_the_log_and_catches_up() -> None:
    with desk(journal='copy = "gone/table.copy"') as table:
        table.start()
        table.open_hand()
        table.deal("As")
        stopped(table)
        assert len(table.log.events("second copy lost")) == 1
        assert not table.log.events("tilt")
        (table.folder / "gone").mkdir()
        table.start()
        table.until_copied()
        stopped(table)


def test_a_bug_at_the_start_is_a_tilt_too() -> None:
    def broken(setup: f.Setup) -> Rulebook:
        raise ZeroDivisionError

    with desk() as table:
        assert table.does_not_start(broken) == EXIT_TILT
        says_so(table, TiltKind.PROGRAM, "the controller broke: ZeroDivisionError at broken, line ")


# --- clearing -------------------------------------------------------------------------------------------------------


def cleared_with(table: Desk, *words: str) -> int:
    return main(["clear", str(table.config), *words])


def test_clearing_is_refused_without_a_name_a_reason_a_tilt_or_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    with desk() as table:
        table.start()
        stopped(table)
        assert cleared_with(table, "--by", BY, "--reason", REASON) == 1
        assert "there is no tilt to clear" in capsys.readouterr().out
        before = table.newest
        leave(Mark(kind=TiltKind.KEY, reason="a test", at="2026-11-21T00:00:00.000000Z"), table.marks)
        for by, reason in ((" ", REASON), (BY, "\t"), ("", "")):
            assert cleared_with(table, "--by", by, "--reason", reason) == 2
            assert "they go on record" in capsys.readouterr().err
        assert table.newest == before
        assert table.mark is not None
        assert main(["clear", str(table.folder / "none.toml"), "--by", BY, "--reason", REASON]) == 2
        put_away("table.key")(table)
        assert cleared_with(table, "--by", BY, "--reason", REASON) == EXIT_TILT
        assert "NOT CLEARED, key-missing-or-wrong: " in capsys.readouterr().err
        bring_back("table.key")(table)
        assert cleared_with(table, "--by", f" {BY} ", "--reason", REASON) == 0
        assert notes(table, "cleared")[-1]["fact"] == {"kind": "cleared", "by": BY, "reason": REASON}


@only_root
def test_root_and_the_tables_own_user_clear_it_and_leave_nothing_of_roots_and_nobody_else_does() -> None:
    """As docs/tilts.md and the handbook have it: typed as root."""
    with desk() as table, shared_folder() as folder:
        table.start()
        stopped(table)
        for path in (file for file in table.folder.iterdir() if file.is_file()):
            if path.suffix not in (".lock", ".reserve"):  # these are made anew by whoever clears it
                shutil.copy2(path, folder)
        config = folder / table.config.name
        words = ["clear", str(config), "--by", BY, "--reason", REASON]

        def tilted() -> None:
            leave(Mark(kind=TiltKind.CLOCK, reason="a test", at=""), load(config).marks)
            for path in folder.iterdir():
                os.chown(path, CONTROLLER, READERS)

        tilted()
        with OtherUser(OTHER_USER, OTHER_USER) as other_user:
            assert other_user.does(main, words) != 0
        assert find(load(config).marks) is not None
        processes.run([sys.executable, "-m", "tablectl", *words], check=True, stdout=subprocess.DEVNULL)
        assert find(load(config).marks) is None
        assert folder.joinpath(f"{table.journal.name}.lock").exists()
        assert {path.stat().st_uid for path in folder.iterdir()} == {CONTROLLER}
        tilted()
        with OtherUser(CONTROLLER, READERS) as controller:
            assert controller.does(main, words) == 0
        assert find(load(config).marks) is None


def killed(table: Desk) -> None:
    """A controller as a process of its own, killed when it has found the devices."""
    before = table.newest
    process = processes.start(
        [sys.executable, "-m", "tablectl", "run", str(table.config)], stderr=subprocess.DEVNULL, env={**os.environ}
    )
    try:
        until(lambda: not table.is_deaf())
        table.await_record("device-back", before)
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("end", [stopped, killed], ids=["stop", "kill"])
def test_a_table_that_waits_for_the_pit_boss_still_waits_after_a_restart(end: Callable[[Desk], None]) -> None:
    with desk() as table:
        table.start()
        table.open_hand()
        table.deal("As")
        table.enter("call by ana")
        stopped(table)
        if end is killed:
            killed(table)
        table.start()
        assert table.records(table.newest - 1)[0]["prompt"]["question"] == "felt"
        table.enter("press confirm")
        prompt = table.records(table.newest - 1)[0]["prompt"]
        assert (prompt["instruction"], prompt["held"]) == ("wait-pit-boss", True)
        table.play_on()
        stopped(table)


# --- marks ----------------------------------------------------------------------------------------------------------

MARK: Final = Mark(kind=TiltKind.COPY, reason="“é” and\nmore", at="2026-11-21T00:00:00.000000Z")


def test_a_mark_is_left_wherever_it_can_be_and_found_wherever_one_is(tmp_path: Path) -> None:
    places = [tmp_path / "none" / "a.tilt", tmp_path / "b.tilt", tmp_path / "c.tilt"]
    assert find(places) is None
    assert leave(MARK, places) == places[1:]
    assert find(places) == MARK
    places[1].unlink()
    assert find(places) == MARK
    remove(places)
    assert find(places) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("readers", "mode"), [(Readers.OWNER, 0o600), (Readers.GROUP, 0o640)])
def test_a_group_of_readers_reads_the_mark_whatever_the_umask_is(tmp_path: Path, readers: Readers, mode: int) -> None:
    before = os.umask(0o077)
    try:
        assert leave(MARK, [tmp_path / "a.tilt"], readers)
    finally:
        os.umask(before)
    assert (tmp_path / "a.tilt").stat().st_mode & 0o777 == mode


@pytest.mark.parametrize(
    "text",
    [b"", b"{}", b"[]", b'"tilt"', b'{"kind": "none", "reason": "", "at": ""}', b"\xff", b'{"kind": "copy-differs"'],
)
def test_a_mark_that_cannot_be_read_is_a_mark(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "a.tilt").write_bytes(text)
    mark = find([tmp_path / "a.tilt"])
    assert mark is not None
    assert "the mark of a tilt that cannot be read" in mark.reason


def test_a_folder_where_the_mark_would_be_is_a_mark(tmp_path: Path) -> None:
    (tmp_path / "a.tilt").mkdir()
    assert find([tmp_path / "a.tilt"]) is not None


# --- real disks -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_mounts() -> list[str]:
    """A command in front of another one that may mount what it likes, seen by nobody else."""
    command = ["unshare", "--map-root-user", "--mount"]
    tried = processes.run([*command, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip(f"no mounts of our own here: {tried.stderr.decode(errors='replace').strip()}")
    return command


def test_real_disks_that_are_full_or_read_only_are_tilts(own_mounts: list[str]) -> None:
    """`real_disk.py` says what is shown; it needs mounts of its own, so it is a process of its own."""
    done = processes.run(
        [*own_mounts, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/real_disk.py"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_a_socket_that_cannot_be_made_is_no_second_controller() -> None:
    with desk() as table:
        text = table.config.read_text(encoding="utf-8")
        elsewhere = text.replace("[control]\n", '[control]\nsocket = "none/table.sock"\n')
        table.config.write_text(elsewhere, encoding="utf-8")
        assert table.does_not_start() == EXIT_TILT
        says_so(table, TiltKind.READ_ONLY, "no socket can be made (No such file or directory); check control.socket")
        assert records(table.journal) == [], "nothing was written before the API was there"
