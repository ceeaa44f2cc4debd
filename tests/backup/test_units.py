"""The daily backup as it is shipped: it finds what it copies, keeps what it says, and may do no more than it needs."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tablectl.cli.commands.backup import add_arguments
from tests.backup.tables import Table

ROOT: Final = Path(__file__).parents[2]
UNIT: Final = ROOT / "systemd" / "tablectl-backup@.service"
TIMER: Final = ROOT / "systemd" / "tablectl-backup@.timer"
TABLE: Final = "mesa-1"
#: Of what `systemd-analyze security` says; 10 is a service that is not confined at all.
MOST_EXPOSED: Final = 1.5


def directives(unit: Path, name: str) -> list[str]:
    found = re.findall(rf"^{name}=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE)
    return [value.replace("%i", TABLE) for value in found]


def test_the_service_calls_the_command_as_it_is() -> None:
    (line,) = directives(UNIT, "ExecStart")
    (given,) = directives(UNIT, "Environment")
    name, _, folder = given.partition("=")
    program, command, *words = shlex.split(line.replace(f"${{{name}}}", folder))
    assert (program, command) == ("/opt/tablectl/bin/tablectl", "backup")
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    args = parser.parse_args(words)
    assert (args.config, args.folder) == (Path(f"/etc/tablectl/{TABLE}.toml"), Path(f"/var/backups/tablectl/{TABLE}"))
    assert (args.keep, args.without_keys) == (14, False)


def test_it_may_write_only_where_archives_and_databases_lie() -> None:
    assert directives(UNIT, "ProtectSystem") == ["strict"]
    places = {part.lstrip("-") for line in directives(UNIT, "ReadWritePaths") for part in line.split()}
    assert places == {
        f"/var/backups/tablectl/{TABLE}",
        f"/var/lib/tablectl/{TABLE}",
        f"/var/lib/tablectl-screens/{TABLE}",
        f"/var/lib/tablectl-notify/{TABLE}",
    }


def test_of_what_root_may_do_it_has_three_things() -> None:
    assert directives(UNIT, "CapabilityBoundingSet") == ["CAP_DAC_OVERRIDE CAP_CHOWN CAP_SETUID CAP_SETGID"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away and has rights to leave")
def test_these_are_enough_for_files_of_three_users_and_leave_nothing_of_roots(tmp_path: Path) -> None:
    """A table that stands still has no index of its databases: who reads them makes one, and it has to be its owner's,
    or the next start of the table could not write it."""
    table = Table(tmp_path / "table")
    table.furnished()
    screens, notify = tmp_path / "screens", tmp_path / "notify"
    text = table.config.read_text(encoding="utf-8")
    text = text.replace("required = false", f'required = false\npath = "{screens}/people.db"')
    text += f'\n[notifications]\npath = "{notify}/notifications.db"\n'
    table.config.write_text(text, encoding="utf-8")
    for folder, name in ((screens, "people.db"), (notify, "notifications.db")):
        folder.mkdir()
        (table.folder / name).rename(folder / name)
    owners = {table.folder: 4711, screens: 4712, notify: 4713}
    for folder, number in owners.items():
        for path in (folder, *folder.iterdir()):
            os.chown(path, number, number)
        folder.chmod(0o700)
    (rights,) = directives(UNIT, "CapabilityBoundingSet")
    kept = ",".join(f"+{part.removeprefix('CAP_').lower()}" for part in rights.split())
    command = ["setpriv", f"--bounding-set=-all,{kept}", "--inh-caps=-all", "--no-new-privs", sys.executable, "-m"]
    words = ["tablectl", "backup", str(table.config), str(tmp_path / "archives")]
    processes.run([*command, *words], check=True, cwd=ROOT, capture_output=True)
    assert (screens / "people.db-shm").exists()
    for folder, number in owners.items():
        assert {path.stat().st_uid for path in folder.iterdir()} == {number}


def test_the_timer_makes_up_for_a_day_that_the_machine_was_off() -> None:
    assert directives(TIMER, "Persistent") == ["yes"]
    assert directives(TIMER, "OnCalendar")
    assert directives(TIMER, "RandomizedDelaySec")


def test_systemd_finds_it_hardened() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed here")
    command = ["systemd-analyze", "security", "--offline=true", str(UNIT)]
    said = processes.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
    assert found is not None, said
    assert float(found[1]) <= MOST_EXPOSED, said
