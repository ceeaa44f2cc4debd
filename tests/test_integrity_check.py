"""The integrity check reads the whole journal and what comes since, says what it finds, and never disturbs the deal."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from simulators import processes
from simulators.stage.stage import Scene, config_text
from tablectl.config.table_file import load
from tablectl.core.disk_room import Urgency
from tablectl.journal.copy import append
from tablectl.journal.store import JournalUnusable, Store
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.journal.verify import Verification
from tablectl.journal.verify_full import more, verify_full
from tablectl.journal.volumes import VolumeSet
from tablectl.ops.software.identity import identity
from tablectl.table.integrity_supervisor import IntegritySupervisor, Rounds
from tests.desk import LONG_S, KeptLog
from tests.journal.journals import WHOLE_HAND, records, without_triggers, written
from tests.test_tilt import careful
from tests.waiting import until

pytestmark = pytest.mark.system


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "table.db"
    written(path, WHOLE_HAND * 2)
    append(path.with_suffix(".copy"), records(path))
    return path


def configured(journal: Path) -> Path:
    """The configuration of the table whose journal this is."""
    path = journal.with_suffix(".toml")
    path.write_text(config_text(Scene(), journal.parent), encoding="utf-8")
    return path


def change(journal: Path, seq: int) -> None:
    public = records(journal)[seq - 1].public.replace(b'"at":"20', b'"at":"21', 1)
    careful(journal, "UPDATE record SET public = ? WHERE seq = ?", (public, seq))


def test_a_whole_journal_with_its_copy_is_checked_to_its_end(journal: Path) -> None:
    pauses: list[None] = []
    verification = verify_full(journal, journal.with_suffix(".copy"), pause=lambda: pauses.append(None))
    assert verification.end.seq == len(records(journal))
    assert pauses, "it never pauses"
    assert verify_full(journal, None).end == verification.end
    assert verify_full(journal, journal.with_suffix(".none")).end == verification.end


def test_what_is_wrong_is_told_by_kind(journal: Path) -> None:
    copy = journal.with_suffix(".copy")
    good = copy.read_bytes()
    for bad, kind in (
        (good.replace(b'"at":"20', b'"at":"21', 1), TiltKind.COPY),
        (good[: len(good) // 2] + b"\n" + good[len(good) // 2 :], TiltKind.COPY),
        (good + good.splitlines(keepends=True)[-1].replace(b'"seq":49', b'"seq":50'), TiltKind.COPY),
    ):
        copy.write_bytes(bad)
        with pytest.raises(Tilt) as fault:
            verify_full(journal, copy)
        assert fault.value.kind is kind
    copy.write_bytes(good[:-5])
    verify_full(journal, copy)
    change(journal, 7)
    with pytest.raises(Tilt, match="record 7: changed") as fault:
        verify_full(journal, copy)
    assert fault.value.kind is TiltKind.CHAIN
    without_triggers(journal)
    with pytest.raises(Tilt, match="trigger") as fault:
        verify_full(journal, copy)
    assert fault.value.kind is TiltKind.DAMAGED
    with pytest.raises(JournalUnusable):
        verify_full(journal.with_suffix(".none"), None)


def test_a_copy_that_cannot_be_read_says_nothing_against_the_journal(journal: Path) -> None:
    """Its writer says that it is lost."""
    copy = journal.with_suffix(".copy")
    aside = copy.rename(journal.with_name("aside"))
    copy.mkdir()
    assert verify_full(journal, copy).end.seq == len(records(journal))
    copy.rmdir()
    copy.symlink_to(copy)  # opening it fails, as on a disk that fails
    assert verify_full(journal, copy).end.seq == len(records(journal))
    copy.unlink()
    aside.rename(copy)
    assert verify_full(journal, copy / "below a file").end.seq == len(records(journal))


def test_a_line_that_is_repeated_at_the_copys_end_hides_nothing_before_it(journal: Path) -> None:
    copy = journal.with_suffix(".copy")
    lines = copy.read_bytes().splitlines(keepends=True)
    for repeated in (0, 30, 48):
        copy.write_bytes(b"".join([*lines, lines[repeated]]))
        with pytest.raises(Tilt, match="record 50: ") as fault:
            verify_full(journal, copy)
        assert fault.value.kind is TiltKind.COPY


def test_only_what_came_since_is_looked_at(journal: Path) -> None:
    verification = Verification()
    with closing(VolumeSet(journal)) as volume_set:
        assert more(volume_set, verification).records == len(records(journal))
        change(journal, 7)
        assert more(volume_set, verification).fault is None, "that is the next round's affair"
        last = records(journal)[-1]
        careful(
            journal,
            "INSERT INTO record (seq, hand, boundary, public, hash) VALUES (?, ?, 0, ?, ?)",
            (last.seq + 1, last.hand, last.public, last.hash),
        )
        with pytest.raises(Tilt, match=f"record {last.seq + 1}: ") as fault:
            more(volume_set, verification)
    assert fault.value.kind is TiltKind.CHAIN


# --- the process ----------------------------------------------------------------------------------------------------


class IntegrityCheck:
    """The process by itself."""

    def __init__(self, journal: Path, *more: str) -> None:
        command = [
            sys.executable,
            "-m",
            "tablectl.table.integrity_check",
            str(configured(journal)),
            "--look",
            "0.01",
            *more,
        ]
        self.process = processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def says(self) -> dict[str, Any]:
        """What it says next of the journal."""
        while "space" in (told := self.says_anything()):
            pass
        return told

    def says_anything(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told

    def close(self) -> int:
        self.process.communicate(timeout=LONG_S)
        return self.process.returncode


@pytest.fixture
def watch(journal: Path) -> Iterator[IntegrityCheck]:
    made = IntegrityCheck(journal)
    yield made
    made.close()


def test_it_says_what_it_checked_and_ends_with_the_controller(journal: Path, watch: IntegrityCheck) -> None:
    told = watch.says()
    assert told["checked"] == len(records(journal))
    assert told["seconds"] >= 0
    assert watch.process.poll() is None
    assert watch.close() == 0


def test_it_finds_what_is_changed_after_it_and_says_so_as_json(journal: Path) -> None:
    with closing(IntegrityCheck(journal, "--every", "0", "--share", "1")) as eager:
        eager.says()
        change(journal, 7)
        while "fault" not in (told := eager.says()):
            assert told["checked"] == len(records(journal))
        assert told["fault"] in ("chain-broken", "copy-differs"), "the one that is compared next"
        assert "record 7: changed" in told["reason"]
        assert eager.process.wait(LONG_S) == 3


def test_another_program_than_the_controllers_is_a_fault(journal: Path) -> None:
    with closing(IntegrityCheck(journal, "--software", 64 * "0")) as made:
        told = made.says()
        assert told["fault"] == "software-changed"
        assert "not those with which the controller was started" in told["reason"]
        assert made.process.wait(LONG_S) == 3


def test_a_configuration_that_is_changed_at_a_running_table_is_told_and_no_fault(journal: Path) -> None:
    """Somebody prepares the next start, and is half done: the hand in play goes by what was read at this one."""
    path = configured(journal)
    made = IntegrityCheck(journal, "--every", "0", "--share", "1", "--software", identity(load(path)).hash)
    with closing(made):
        assert "checked" in made.says()
        path.write_text("[table]\n", encoding="utf-8")
        while "changed" not in (told := made.says()):
            assert "checked" in told
        assert told == {"changed": str(path)}
        assert made.says()["checked"] == len(records(journal)), "it goes on"


def test_a_check_that_starts_later_goes_by_what_the_controller_read(journal: Path) -> None:
    """It was ended where memory was short, or the file was changed in the seconds before its first look."""
    path = configured(journal)
    supervisor = IntegritySupervisor(
        path, identity(load(path)).hash, nobody, log := ToldLog("table file changed", 1), AT_ONCE
    )
    path.write_text("[table\n", encoding="utf-8")
    supervisor.start()
    assert log.is_told.wait(LONG_S)
    until(lambda: bool(log.events("journal checked")))
    supervisor.close()
    assert not log.events("integrity check ended")


def test_the_log_is_told_once_that_the_tables_file_is_another_one(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talks(journal, monkeypatch, *2 * ('echo \'{"changed": "/etc/tablectl/mesa-1.toml"}\'',))
    log = ToldLog("integrity check ended", 1)
    supervisor = IntegritySupervisor(configured(journal), "", nobody, log, Rounds(first_s=0.0, again_s=LONG_S))
    supervisor.start()
    assert log.is_told.wait(LONG_S)
    supervisor.close()
    (told,) = log.events("table file changed")
    assert told["path"] == "/etc/tablectl/mesa-1.toml"


def test_a_journal_that_is_none_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "table.db").write_bytes(b"something else" * 100)
    with closing(IntegrityCheck(tmp_path / "table.db")) as made:
        assert made.says()["fault"] == "journal-damaged"
        assert made.process.wait(LONG_S) == 3


# --- the supervisor ---------------------------------------------------------------------------------------------------


class ToldLog(KeptLog):
    """A log that can be waited for."""

    def __init__(self, wanted: str, times: int) -> None:
        super().__init__()
        self._wanted, self._times = wanted, times
        self.is_told = threading.Event()

    def _look(self) -> None:
        if len(self.events(self._wanted)) >= self._times:
            self.is_told.set()

    def info(self, event: str, **fields: object) -> None:
        super().info(event, **fields)
        self._look()

    def warning(self, event: str, **fields: object) -> None:
        super().warning(event, **fields)
        self._look()


AT_ONCE = Rounds(first_s=0.0, again_s=0.0, look_s=0.01)


def nobody(tilt: Tilt) -> None:
    raise AssertionError(tilt)


def talks(journal: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """The check is a script of these lines."""
    talker = journal.with_name("talker")
    talker.write_text("\n".join(("#!/bin/sh", *lines, "")), encoding="utf-8")
    talker.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(talker))


def test_the_supervisor_tells_the_log_what_was_checked_and_ends_the_watch(journal: Path) -> None:
    log = ToldLog("journal checked", 1)
    supervisor = IntegritySupervisor(configured(journal), "", nobody, log, AT_ONCE)
    supervisor.start()
    assert log.is_told.wait(LONG_S)
    supervisor.close()
    assert log.events("journal checked")[0]["records"] == len(records(journal))
    assert not log.events("integrity check ended"), "an end that was wanted is no news"
    until(lambda: not [thread for thread in threading.enumerate() if thread.name == "integrity"])


def test_the_watch_says_how_much_room_is_left_and_the_supervisor_keeps_it(journal: Path, watch: IntegrityCheck) -> None:
    watch.says()
    said = watch.says_anything()["space"]
    assert [space["holds"] for space in said] == ["journal", "copy"]
    assert all(space["free_bytes"] > 0 and space["days"] > 0 for space in said)


def test_a_disk_that_became_fuller_is_told_to_the_log_once(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def line(urgency: str) -> str:
        space = {"holds": "copy", "path": "/mnt", "free_bytes": 5, "days": 8.5, "urgency": urgency}
        return json.dumps({"space": [space]})

    said = [line(text) for text in ("notice", "notice", "alarm", "none", "notice")]
    said += ['{"space": 5}', '{"space": [{}]}']
    talks(journal, monkeypatch, *(f"echo '{text}'" for text in said))
    log = ToldLog("integrity check ended", 1)
    supervisor = IntegritySupervisor(configured(journal), "", nobody, log, Rounds(first_s=0.0, again_s=LONG_S))
    supervisor.start()
    assert log.is_told.wait(LONG_S)
    supervisor.close()
    assert len(log.events("disk fills")) == 2, "again once it was well"
    assert log.events("disk almost full") == [{"what": "copy", "path": "/mnt", "free_bytes": 5, "days": 8.5}]
    assert [space.urgency for space in supervisor.spaces] == [Urgency.NOTICE]


def test_the_supervisor_hands_a_fault_on_once(journal: Path) -> None:
    change(journal, 7)
    heard: list[Tilt] = []
    is_heard = threading.Event()

    def alarm(tilt: Tilt) -> None:
        heard.append(tilt)
        is_heard.set()

    supervisor = IntegritySupervisor(configured(journal), "", alarm, KeptLog(), AT_ONCE)
    supervisor.start()
    assert is_heard.wait(LONG_S)
    supervisor.close()
    assert [tilt.kind for tilt in heard] == [TiltKind.CHAIN]
    assert "found while the table ran: " in str(heard[0])


def test_a_watch_that_dies_is_started_again(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    log = ToldLog("integrity check ended", 3)
    supervisor = IntegritySupervisor(configured(journal), "", nobody, log, AT_ONCE)
    supervisor.start()
    assert log.is_told.wait(LONG_S)
    supervisor.close()
    assert log.events("integrity check ended")[0]["reason"] == "it ended by itself"


def test_a_check_too_busy_to_notice_does_not_outlive_the_controller(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablectl.table.integrity_supervisor.STOP_S", 0.1)
    pid = journal.with_name("pid")
    talks(journal, monkeypatch, f"echo $$ > {pid}", f"echo '{json.dumps({'checked': 1})}'", "exec sleep 1000")
    log = ToldLog("journal checked", 1)
    supervisor = IntegritySupervisor(configured(journal), "", nobody, log, AT_ONCE)
    supervisor.start()
    assert log.is_told.wait(LONG_S)
    supervisor.close()
    until(lambda: not Path("/proc", pid.read_text("ascii").strip()).exists())
    assert not log.events("integrity check ended"), "an end that was wanted is no news"


def test_a_watch_that_cannot_be_started_is_a_warning_and_no_more(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(journal.with_name("none")))
    log = ToldLog("integrity check ended", 2)
    supervisor = IntegritySupervisor(configured(journal), "", nobody, log, AT_ONCE)
    supervisor.start()
    assert log.is_told.wait(LONG_S)
    supervisor.close()
    assert log.events("integrity check ended")[0]["reason"] == "No such file or directory"


@pytest.mark.parametrize("said", ["", "5", "null", "[]", "x", '{"fault": "none"}', '{"fault": 5}', '{"checked": 1}'])
def test_what_the_supervisor_does_not_understand_is_no_fault(
    journal: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    talker = journal.with_name("talker")
    talker.write_text(f"#!/bin/sh\necho '{said}'\n", encoding="ascii")
    talker.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(talker))
    log = ToldLog("integrity check ended", 1)
    supervisor = IntegritySupervisor(configured(journal), "", nobody, log, AT_ONCE)
    supervisor.start()
    assert log.is_told.wait(LONG_S)
    supervisor.close()
    assert bool(log.events("journal checked")) is (said == '{"checked": 1}')


def test_a_record_that_is_written_while_the_watch_looks_is_no_fault(journal: Path, watch: IntegrityCheck) -> None:
    watch.says()
    with closing(Store.open(journal)) as store:
        assert store.newest == len(records(journal))
    assert watch.process.poll() is None
