"""What can happen to an upgrade and to a disk: dpkg is killed, the disk is full, the settings cannot be written."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import Final

import pytest

from tests.system.conftest import NEXT_VERSION
from tests.system.machine import why_not
from tests.system.table_pc import CONTROLLER, SCREENS, TARGET, TablePC
from tests.system.test_a_table_pc import KEPT, is_back, wait_until

pytestmark = [pytest.mark.machine, pytest.mark.skipif(bool(why_not()), reason=why_not() or "none")]
#: As much of the new version as dpkg is given, in bytes: many files, not all.
SOME: Final = 20_000_000
FOLDER: Final = "/var/lib/tablectl-packages"
#: What dpkg runs to read a package's files. It says some of them; then the power of whoever ran it is over.
READER: Final = f"""#!/bin/sh
case $1 in
--fsys-tarfile)
    /usr/bin/dpkg-deb "$@" | head -c {SOME}
    AFTER
    ;;
*) exec /usr/bin/dpkg-deb "$@" ;;
esac
"""
KILLED: Final = "kill -KILL $PPID"
#: dpkg finds the end of the files too early, and goes back by itself.
SPOILED: Final = "exit 2"


def installed_in_part(pc: TablePC, package: Path, after: str) -> int:
    """An upgrade that ends in the middle of unpacking; its exit status."""
    computer = pc.machine
    computer.put(package, f"/root/{package.name}")
    computer.write("/root/bin/dpkg-deb", READER.replace("AFTER", after))
    computer.said("chmod", "0755", "/root/bin/dpkg-deb")
    path = "/root/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    done = computer.run("dpkg", "--install", f"/root/{package.name}", PATH=path, DEBIAN_FRONTEND="noninteractive")
    return done.returncode


def status(pc: TablePC) -> str:
    """What dpkg knows of the package."""
    return pc.machine.said("dpkg-query", "--show", "--showformat", "${Status}", "tablectl")


def leftovers(pc: TablePC) -> list[str]:
    """Files that dpkg was about to put into their places."""
    return pc.machine.said("find", "/opt/tablectl", "/usr/lib/tablectl", "-name", "*.dpkg-new").split()


def plays(pc: TablePC) -> None:
    """The table is on, with its screens, and deals."""
    for unit in (CONTROLLER, SCREENS, TARGET):
        assert pc.machine.shown(unit, "ActiveState") == "active", unit
    pc.deal("hands 1")
    assert "intact" in pc.verified()


def put_in_place(pc: TablePC) -> None:
    """What dpkg does next, when it has unpacked every file beside its place: of some files, which a newer version
    has otherwise."""
    newer = [file for file in leftovers(pc) if file.endswith(".py.dpkg-new")]
    assert len(newer) > 10
    for file in newer[::2]:
        with (pc.machine.root / file.lstrip("/")).open("a") as opened:
            opened.write("# newer\n")
        pc.machine.said("mv", "--no-target-directory", file, file.removesuffix(".dpkg-new"))


@pytest.mark.parametrize("is_mixed", [False, True], ids=["unpacking", "putting into place"])
def test_an_upgrade_that_was_killed_is_run_again(pc: TablePC, next_package: Path, *, is_mixed: bool) -> None:
    computer = pc.machine
    pc.deal("hands 1")
    assert installed_in_part(pc, next_package, KILLED) == -signal.SIGKILL
    if is_mixed:
        put_in_place(pc)
    assert "half-installed" in status(pc)
    # It says nothing, and mends nothing: what was never unpacked cannot be configured.
    computer.said("dpkg", "--configure", "-a")
    assert "must be reinstalled" in computer.said("dpkg", "--audit")
    assert computer.shown(CONTROLLER, "ActiveState") == "inactive"
    done = pc.install(next_package)
    assert done.returncode == 0, done.stderr
    assert status(pc) == "install ok installed"
    assert computer.said("tablectl", "--version").split()[1] == NEXT_VERSION
    assert computer.said("dpkg", "--verify", "tablectl") == ""
    assert leftovers(pc) == []
    plays(pc)


def test_after_a_power_cut_in_an_upgrade_the_old_version_starts_where_nothing_is_mixed(
    pc: TablePC, next_package: Path
) -> None:
    computer = pc.machine
    version = computer.said("tablectl", "--version")
    assert installed_in_part(pc, next_package, KILLED) == -signal.SIGKILL
    pc.leave()
    computer.cut_the_power()
    computer.boot()
    wait_until(is_back(pc, 0))
    pc.plug_in()
    assert computer.said("tablectl", "--version") == version
    plays(pc)
    assert pc.install(next_package).returncode == 0
    wait_until(is_back(pc, 0))
    plays(pc)


def test_a_program_of_two_versions_is_not_started_and_a_rollback_mends_it(pc: TablePC, next_package: Path) -> None:
    computer = pc.machine
    version = computer.said("tablectl", "--version")
    assert installed_in_part(pc, next_package, KILLED) == -signal.SIGKILL
    put_in_place(pc)
    pc.leave()
    computer.cut_the_power()
    computer.boot()
    for unit in (CONTROLLER, SCREENS):
        assert computer.shown(unit, "ActiveState") == "inactive", unit
        assert "half one version and half another" in computer.log(unit)
    pc.plug_in()
    computer.said("tablectl-rollback")
    assert status(pc) == "install ok installed"
    assert computer.said("tablectl", "--version") == version
    assert computer.said("dpkg", "--verify", "tablectl") == ""
    wait_until(is_back(pc, 0))
    plays(pc)


def test_an_upgrade_that_cannot_be_unpacked_leaves_the_old_version_running(pc: TablePC, next_package: Path) -> None:
    computer = pc.machine
    version = computer.said("tablectl", "--version")
    assert installed_in_part(pc, next_package, SPOILED) not in (0, -signal.SIGKILL)
    assert status(pc) == "install ok installed"
    assert computer.said("tablectl", "--version") == version
    assert computer.said("dpkg", "--verify", "tablectl") == ""
    plays(pc)


def test_an_upgrade_for_whose_predecessor_there_is_no_room_is_refused(pc: TablePC, next_package: Path) -> None:
    computer = pc.machine
    version = computer.said("tablectl", "--version")
    computer.said("mkdir", "--parents", FOLDER)
    computer.said("mount", "-t", "tmpfs", "-o", "size=8m", "none", FOLDER)
    refused = pc.install(next_package)
    assert refused.returncode != 0
    assert (
        "the installed version cannot be kept for a rollback, so it stays; is there room in /var/lib?" in refused.stderr
    )
    assert status(pc) == "install ok installed"
    assert computer.said("tablectl", "--version") == version
    assert computer.said("dpkg", "--verify", "tablectl") == ""
    assert re.search(rf"\d{{2,3}} MB are needed in {FOLDER} for a while, and 8 MB are free", refused.stderr)
    assert len(refused.stderr.splitlines()) < 10, refused.stderr
    assert computer.said("ls", FOLDER) == "", "what was begun is gone"
    plays(pc)
    computer.said("umount", FOLDER)
    assert pc.install(next_package).returncode == 0
    assert computer.said("dpkg-deb", "--field", KEPT, "Version").strip() == version.split()[1]


def test_a_table_whose_settings_cannot_be_written_starts_and_deals_and_is_not_upgraded(
    pc: TablePC, next_package: Path
) -> None:
    computer = pc.machine
    pc.deal("hands 1")
    pc.leave()
    computer.shut_down()
    computer.boot(f"--bind-ro={computer.root}/etc:/etc")
    assert "Read-only" in computer.run("touch", "/etc/tablectl/new").stderr
    wait_until(is_back(pc, 0))
    pc.plug_in()
    plays(pc)
    controller = computer.pid(CONTROLLER)
    refused = pc.install(next_package)
    assert refused.returncode != 0
    assert "/etc cannot be written" in refused.stderr
    assert status(pc) == "install ok installed"
    assert computer.pid(CONTROLLER) == controller, "nothing was stopped"
