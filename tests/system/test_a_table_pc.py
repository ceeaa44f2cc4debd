"""A bare Debian PC becomes a table, and stays one: installed, booted, killed, frozen, upgraded, rolled back, purged.

Figures (how fast a table is back, what it uses when nothing happens) are no tests: `python -m tests.system.figures`.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tests.handbook.commands import blocks
from tests.handbook.pages import ROOT
from tests.software.machine import private_key_file, public_key_file
from tests.system.conftest import NEXT_VERSION
from tests.system.machine import Machine, machine, why_not
from tests.system.table_pc import CONFIG, CONTROLLER, DEVICES, JOURNAL, PYTHON, SCREENS, STATE, TABLE, TARGET, TablePC

pytestmark = [pytest.mark.machine, pytest.mark.skipif(bool(why_not()), reason=why_not() or "none")]
UNITS: Final = (CONTROLLER, SCREENS, f"tablectl-notifications@{TABLE}.service")
#: Long enough for anything that comes at all: a watchdog's half minute and a start.
PATIENCE_S: Final = 120.0
EXPOSED_MOST: Final = 1.5
BETWEEN_HANDS: Final = "/usr/lib/tablectl/between-hands"
KEPT: Final = "/var/lib/tablectl-packages/previous.deb"
RETURNING: Final = "/var/lib/tablectl-packages/returning"
SETTINGS: Final = "/etc/tablectl/log.env"
INSTALLATION: Final = ROOT / "docs/handbook/installation.md"
HOUSE: Final = "TABLECTL_LOG=debug\n"


def wait_until(what: Callable[[], bool]) -> None:
    """Raises `TimeoutError`."""
    until_s = time.monotonic() + PATIENCE_S
    while not what():
        if time.monotonic() > until_s:
            raise TimeoutError
        time.sleep(0.1)


def is_back(pc: TablePC, before: int) -> Callable[[], bool]:
    """Whether another controller than `before` is ready."""

    def ready() -> bool:
        machine = pc.machine
        return machine.pid(CONTROLLER) not in (0, before) and machine.shown(CONTROLLER, "ActiveState") == "active"

    return ready


def test_a_fresh_debian_becomes_a_table_without_a_network(package: Path) -> None:
    with machine() as computer:
        computer.boot()
        assert computer.said("ls", "/sys/class/net").split() == ["lo"]
        done = TablePC(computer).install(package)
        assert done.returncode == 0, done.stderr
        assert "tablectl setup" in done.stdout
        version = computer.said("dpkg-query", "--show", "--showformat", "${Version}", "tablectl")
        assert computer.said("tablectl", "--version").strip() == f"tablectl {version}"
        assert computer.said("dpkg", "--verify", "tablectl") == ""
        with TablePC(computer) as pc:
            said = pc.set_up()
            assert re.search(r"manager .*contraseña de un solo uso [a-z0-9-]{20,}", said.replace("\n", " ")), said
            assert "correcto" in computer.said("tablectl", "check-config", CONFIG)
            assert computer.shown(f"tablectl-backup@{TABLE}.timer", "ActiveState") == "active"
            for place in ("/etc/tablectl", "/var/lib/tablectl", "/var/lib/tablectl-screens"):
                assert computer.said("find", place, "-perm", "/o+w", "-not", "-type", "l") == ""
            pc.open_table()
            assert pc.deal("hands 2")["hands"] == 2
            # Everything that the program tries to do, its unit lets it do.
            for unit in (CONTROLLER, SCREENS):
                assert not re.search(r"Traceback|ended by itself|ermission|not permitted", computer.log(unit))
        assert computer.shown(SCREENS, "ActiveState") == "active"
        assert computer.said("systemctl", "--failed", "--plain", "--no-legend") == ""


def test_a_table_starts_by_itself_and_plays_after_a_reboot_and_after_a_power_cut(pc: TablePC) -> None:
    computer = pc.machine
    for off in (computer.shut_down, computer.cut_the_power):
        dealt = pc.deal("hands 1")
        pc.leave()
        off()
        computer.boot()
        wait_until(is_back(pc, 0))
        assert computer.shown(TARGET, "ActiveState") == "active"
        pc.plug_in()
        assert pc.deal("hands 1")["record"] > dealt["record"]
    assert "intact" in pc.verified()


def test_a_controller_killed_in_a_hand_is_back_and_nothing_is_lost(pc: TablePC) -> None:
    pc.deal("hands 1")
    before, controller = pc.deal("cards 4"), pc.machine.pid(CONTROLLER)
    assert before["cards"] == 4
    pc.machine.said("kill", "-9", str(controller))
    wait_until(is_back(pc, controller))
    assert pc.machine.shown(CONTROLLER, "NRestarts") == "1"
    after = pc.deal("finish")
    assert after["hands"] == before["hands"] + 1
    assert after["record"] > before["record"]
    assert "intact" in pc.verified()


def test_the_watchdog_ends_a_controller_whose_reader_stands_still(pc: TablePC) -> None:
    pc.deal("cards 3")
    computer, controller = pc.machine, pc.machine.pid(CONTROLLER)
    computer.put(Path(__file__).with_name("freeze.py"), "/root/freeze.py")
    frozen = processes.start(
        computer.inside(PYTHON, "-I", "/root/freeze.py", str(controller), "sabot-reader"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert frozen.stdout is not None
        assert frozen.stdout.readline() == "frozen\n"
        wait_until(is_back(pc, controller))
    finally:
        frozen.communicate()
    assert "Watchdog timeout" in computer.log(CONTROLLER)
    assert "sabot" in "".join(line for line in computer.log(CONTROLLER).splitlines() if "thread in trouble" in line)
    pc.deal("finish")
    assert "intact" in pc.verified()


def test_a_tilt_is_not_started_again_and_says_why(pc: TablePC) -> None:
    pc.deal("hands 1")
    computer = pc.machine
    computer.said("systemctl", "stop", CONTROLLER)
    with (computer.root / STATE.lstrip("/") / "table.copy").open("r+b") as copy:
        copy.seek(-20, os.SEEK_END)  # in its last record
        copy.write(b"0000000000")
    computer.run("systemctl", "start", CONTROLLER)
    wait_until(lambda: computer.shown(CONTROLLER, "ActiveState") == "failed")
    assert computer.shown(CONTROLLER, "ExecMainStatus") == "3"
    assert computer.shown(CONTROLLER, "NRestarts") == "0"
    # One that waits to be started again is "activating", in the state "auto-restart".
    assert computer.shown(CONTROLLER, "SubState") == "failed"
    assert computer.shown(SCREENS, "ActiveState") == "active"


def test_whoever_ends_again_and_again_is_started_later_each_time(pc: TablePC) -> None:
    computer = pc.machine
    waited = []
    for _ in range(4):
        controller = computer.pid(CONTROLLER)
        computer.said("kill", "-9", str(controller))
        wait_until(is_back(pc, controller))
        waited.append(int(computer.said("cat", f"/run/tablectl-back-off.{CONTROLLER}")))
    # How long it waits the next time, in seconds: twice as long, or more where it ended once more by itself.
    assert waited[0] >= 1
    assert all(later >= min(2 * sooner, 30) for sooner, later in pairwise(waited)), computer.log(CONTROLLER)
    computer.said("systemctl", "restart", CONTROLLER)
    assert computer.run("test", "-e", f"/run/tablectl-back-off.{CONTROLLER}").returncode == 1


def test_the_screens_can_open_no_device_no_key_and_no_register(pc: TablePC) -> None:
    pc.deal("cards 3")
    computer, screens = pc.machine, pc.machine.pid(SCREENS)
    user = ("setpriv", "--reuid", "tablectl-web", "--regid", "tablectl-web", "--init-groups")
    as_they_are = ("nsenter", "--target", str(screens), "--mount", *user, "--bounding-set=-all")
    for file in ("table.key", "table.sign", "table.db.lock"):
        refused = computer.run(*as_they_are, "cat", f"{STATE}/{file}")
        assert refused.returncode == 1, file
        assert "Permission denied" in refused.stderr
    accounts = f"/var/lib/tablectl-screens/{TABLE}"
    assert computer.run("test", "-s", f"{accounts}/people.db").returncode == 0
    assert computer.run(*as_they_are, "ls", f"{accounts}/people.db").returncode != 0
    assert "Permission denied" in computer.run("setpriv", *user[1:], "ls", accounts).stderr
    for file in ("table.db", "table.copy"):
        computer.said(*as_they_are, "head", "-c", "1", f"{STATE}/{file}")
        assert "Permission denied" in computer.run(*as_they_are, "sh", "-c", f"echo x >> {STATE}/{file}").stderr
    there = computer.said(*as_they_are, "ls", "/dev").split()
    assert not [text for text in there if re.match(r"tty(S|USB|ACM)|bus|hidraw", text)]
    port = computer.said("readlink", "/run/devices/sabot").strip()
    assert computer.run(*as_they_are, "sh", "-c", f": < {port}").returncode != 0


def test_who_keeps_the_accounts_may_enter_something_and_screens_and_notifications_only_look(pc: TablePC) -> None:
    script = """
import json, sys
from pathlib import Path
from tablectl.api.client import ask
print(ask(Path("/run/tablectl/mesa-1/table.sock"), json.loads(sys.argv[1])))
"""
    pc.machine.write("/root/ask.py", script)
    pc.machine.said("cp", "/root/ask.py", "/opt/ask.py")

    def asked(user: str, question: str) -> str:
        as_user = ("setpriv", "--reuid", user, "--regid", user, "--init-groups")
        return pc.machine.said(*as_user, PYTHON, "-I", "/opt/ask.py", question)

    entry = '{"enter": "croupier eva", "by": "eva"}'
    for user in ("tablectl-notify", "tablectl-web"):
        assert "may look and enter nothing" in asked(user, entry)
        assert "'ok': True" in asked(user, '{"ask": "devices"}')
    assert "may look" not in asked("tablectl-screens", entry)


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_hardened_as_it_runs(pc: TablePC, unit: str) -> None:
    said = pc.machine.run("systemd-analyze", "security", "--no-pager", unit).stdout
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
    assert found is not None, said
    assert float(found[1]) <= EXPOSED_MOST, said


def test_an_upgrade_waits_for_the_end_of_the_hand_and_a_rollback_is_one_command(
    pc: TablePC, package: Path, next_package: Path
) -> None:
    def version() -> str:
        return computer.said("tablectl", "--version").split()[1]

    computer = pc.machine
    first, controller = version(), computer.pid(CONTROLLER)
    open_hand = pc.deal("cards 4")
    refused = pc.install(next_package)
    assert refused.returncode != 0
    assert f"{TABLE}: " in refused.stderr
    assert "A hand is never cut off" in refused.stderr
    assert version() == first
    assert computer.pid(CONTROLLER) == controller, "nothing was stopped"
    assert computer.said("dpkg", "--verify", "tablectl") == ""

    assert pc.deal("finish")["record"] > open_hand["record"]
    done = pc.install(next_package)
    assert done.returncode == 0, done.stderr
    assert version() == NEXT_VERSION
    wait_until(is_back(pc, controller))
    pc.deal("hands 1")
    assert "intact" in pc.verified()

    controller = computer.pid(CONTROLLER)
    pc.deal("cards 4")
    assert computer.run("tablectl-rollback").returncode != 0, "a hand is open"
    pc.deal("finish")
    said = computer.said("tablectl-rollback")
    assert f"from {NEXT_VERSION} back to {first}" in said
    assert version() == first
    assert computer.said("dpkg", "--verify", "tablectl") == ""
    wait_until(is_back(pc, controller))
    pc.deal("hands 1")
    assert "intact" in pc.verified()


def approve(pc: TablePC, tmp_path: Path) -> tuple[str, ...]:
    """From now on the table needs approved software, and each version has a manifest of its own: what is installed now
    has it. What to type so that it is made."""
    computer = pc.machine
    computer.said("systemctl", "stop", TARGET)
    computer.put(private_key_file(tmp_path / "approver.key"), "/root/approver.key")
    computer.said("chmod", "0600", "/root/approver.key")
    computer.put(public_key_file(tmp_path / "approver.pem"), "/etc/tablectl/approver.pem")
    text = computer.said("cat", CONFIG)
    named = f'[software]\nmanifest = "{TABLE}.manifest-{{version}}.json"\npublic_key = "approver.pem"'
    computer.write(CONFIG, f"{text}\n{named}\n")
    make = ("tablectl", "manifest", "make", CONFIG, "--key", "/root/approver.key")
    computer.said(*make)
    computer.said("systemctl", "start", TARGET)
    wait_until(is_back(pc, 0))
    pc.deal("hands 1")
    return make


def test_approved_software_is_upgraded_and_rolled_back_with_a_manifest_of_each_version(
    pc: TablePC, next_package: Path, tmp_path: Path
) -> None:
    """Both lie ready before: nobody exchanges a file while the table stands still."""
    computer, make = pc.machine, approve(pc, tmp_path)
    computer.put(next_package, "/root/next.deb")
    computer.said("dpkg-deb", "--extract", "/root/next.deb", "/root/next")
    in_place = 'mount --bind /root/next/opt/tablectl /opt/tablectl && exec "$@"'
    computer.said("unshare", "--mount", "sh", "-c", in_place, "sh", *make)
    for is_way_back in (False, True):
        controller = computer.pid(CONTROLLER)
        done = computer.run("tablectl-rollback") if is_way_back else pc.install(next_package)
        assert done.returncode == 0, done.stderr
        wait_until(is_back(pc, controller))
        pc.deal("hands 1")
        assert ": as approved: identity " in computer.said("tablectl", "manifest", "check", CONFIG)
    assert "intact" in pc.verified()


def test_an_upgrade_that_nobody_approved_is_refused_before_the_table_stands_still(
    pc: TablePC, next_package: Path, tmp_path: Path
) -> None:
    """It would tilt, and the version before does not start over a tilt."""
    approve(pc, tmp_path)
    computer, controller = pc.machine, pc.machine.pid(CONTROLLER)
    wanted = f"/etc/tablectl/{TABLE}.manifest-{NEXT_VERSION}.json"
    version = computer.said("tablectl", "--version").split()[1]
    of_this_version = wanted.replace(NEXT_VERSION, version)
    of_this = computer.said("cat", of_this_version)
    forged = of_this.replace(f'"version":"{version}"', f'"version":"{NEXT_VERSION}"')
    for content in (None, "no manifest", of_this, forged):
        if content is not None:
            computer.write(wanted, f"{content}\n")
        done = pc.install(next_package)
        assert done.returncode != 0
        assert f"{wanted} is not a manifest of version {NEXT_VERSION} with\nthis {CONFIG}, signed by " in done.stderr
        assert computer.pid(CONTROLLER) == controller, "nothing was stopped"
    pc.deal("hands 1")
    assert computer.said("dpkg", "--verify", "tablectl") == ""


def test_an_upgrade_after_a_crash_in_a_hand_is_refused_too(pc: TablePC, next_package: Path) -> None:
    pc.deal("cards 4")
    computer = pc.machine
    computer.said("kill", "-9", str(computer.pid(CONTROLLER)))
    computer.said("systemctl", "stop", CONTROLLER)
    assert pc.install(next_package).returncode != 0


def test_what_the_house_wrote_outlives_an_upgrade_a_rollback_and_the_next_upgrade(
    pc: TablePC, next_package: Path
) -> None:
    """In the kept package it would be the package's own, which the next upgrade replaces without asking."""
    computer = pc.machine
    computer.write(SETTINGS, HOUSE)
    known = computer.said("dpkg-query", "--show", "--showformat", "${Conffiles}", "tablectl")
    assert pc.install(next_package).returncode == 0
    computer.said("tablectl-rollback")
    assert computer.said("cat", SETTINGS) == HOUSE
    assert known.split()[1] in computer.said("dpkg-query", "--show", "--showformat", "${Conffiles}", "tablectl")
    assert pc.install(next_package).returncode == 0
    assert computer.said("cat", SETTINGS) == HOUSE


def test_what_an_interrupted_exchange_stopped_is_started_by_the_next_one(pc: TablePC) -> None:
    computer = pc.machine
    computer.said(BETWEEN_HANDS, "stop")
    assert computer.pid(CONTROLLER) == 0
    computer.said(BETWEEN_HANDS, "stop")
    computer.said(BETWEEN_HANDS, "start")
    for unit in (CONTROLLER, SCREENS, TARGET):
        assert computer.shown(unit, "ActiveState") == "active", unit


def test_a_unit_that_does_not_start_again_leaves_the_program_installed_and_is_named(
    pc: TablePC, next_package: Path
) -> None:
    computer = pc.machine
    computer.said("systemctl", "mask", "--runtime", SCREENS)
    done = pc.install(next_package)
    assert done.returncode == 0, done.stderr
    assert SCREENS in done.stderr
    assert computer.shown(CONTROLLER, "ActiveState") == "active"


def test_an_upgrade_with_which_the_table_does_not_start_fails_and_the_version_before_deals(
    pc: TablePC, dead_package: Path
) -> None:
    """With apt, as the handbook says; nobody has to do anything for the table to deal again."""
    pc.deal("hands 1")
    computer, controller = pc.machine, pc.machine.pid(CONTROLLER)
    first = computer.said("tablectl", "--version").split()[1]
    computer.put(dead_package, f"/root/{dead_package.name}")
    apt = ("apt-get", "install", "--yes", f"/root/{dead_package.name}")
    done = computer.run(*apt, DEBIAN_FRONTEND="noninteractive")
    assert done.returncode != 0, done.stdout
    said = done.stdout + done.stderr
    assert f"with version {NEXT_VERSION} no controller starts of: {TABLE}" in said
    assert f"version {first} is in place again, and the tables run" in said

    assert is_back(pc, controller)(), "it deals when apt has ended"
    assert computer.said("tablectl", "--version").split()[1] == first
    assert computer.run("test", "-e", "/usr/lib/tablectl/new-here").returncode == 1
    for unit in (SCREENS, TARGET):
        assert computer.shown(unit, "ActiveState") == "active"
    pc.deal("hands 1")
    # dpkg's next attempt does not take the old files for the new version's.
    assert computer.run("dpkg", "--configure", "-a").returncode != 0
    computer.said("tablectl-rollback")
    version = computer.said("dpkg-query", "--show", "--showformat", "${Version} ${db:Status-Status}", "tablectl")
    assert version == f"{first} installed"
    assert computer.said("dpkg", "--verify", "tablectl") == ""
    wait_until(is_back(pc, 0))
    pc.deal("hands 1")
    assert "intact" in pc.verified()


def test_a_way_back_that_was_interrupted_starts_nothing_of_two_versions(pc: TablePC, next_package: Path) -> None:
    computer = pc.machine
    assert pc.install(next_package).returncode == 0
    computer.said("systemctl", "stop", TARGET, CONTROLLER, SCREENS)
    computer.write(RETURNING, "")
    computer.run("systemctl", "start", CONTROLLER)
    assert computer.pid(CONTROLLER) == 0
    assert "the way back from an upgrade was interrupted" in computer.log(CONTROLLER)
    assert pc.install(next_package).returncode == 0
    computer.said("systemctl", "start", CONTROLLER)
    wait_until(is_back(pc, 0))


def test_a_table_that_cannot_be_asked_any_more_is_not_stopped(pc: TablePC, next_package: Path) -> None:
    pc.deal("cards 3")
    computer, controller = pc.machine, pc.machine.pid(CONTROLLER)
    computer.said("mv", CONFIG, f"{CONFIG}.away")
    refused = pc.install(next_package)
    assert refused.returncode != 0
    assert f"{CONFIG}, which says where to ask it, is gone" in refused.stderr
    assert computer.pid(CONTROLLER) == controller


def test_what_is_not_whole_is_not_kept_for_a_rollback(pc: TablePC, next_package: Path) -> None:
    computer = pc.machine
    assert pc.install(next_package).returncode == 0
    kept = computer.said("sha256sum", KEPT)
    computer.said("rm", "/usr/sbin/tablectl-rollback")
    done = pc.install(next_package)
    assert done.returncode == 0, done.stderr
    assert "is not whole" in done.stderr
    assert computer.said("sha256sum", KEPT) == kept


def test_purged_it_leaves_the_evidence_and_nothing_else(pc: TablePC) -> None:
    pc.deal("hands 1")
    computer = pc.machine
    pc.deal("cards 3")
    assert computer.run("dpkg", "--purge", "tablectl").returncode != 0, "a hand is open"
    pc.deal("finish")
    pc.leave()
    computer.said("systemctl", "stop", CONTROLLER)
    digest = computer.said("sha256sum", f"{STATE}/table.copy")
    computer.said("rm", "-rf", "/run/devices")
    said = computer.said("dpkg", "--purge", "tablectl")
    assert "/var/lib/tablectl" in said
    assert computer.said("sha256sum", f"{STATE}/table.copy") == digest
    for place in ("/opt/tablectl", "/usr/bin/tablectl", "/usr/lib/tablectl", "/usr/sbin/tablectl-rollback"):
        assert computer.run("test", "-e", place).returncode == 1, place
    assert (
        computer.run("sh", "-c", "ls /usr/lib/systemd/system/tablectl* /usr/lib/udev/rules.d/70-tablectl*").stdout == ""
    )
    assert computer.said("systemctl", "list-units", "--plain", "--no-legend", "--state=active", "tablectl*") == ""
    assert computer.run("test", "-e", CONFIG).returncode == 0, "the house's own"


def test_keys_are_credentials_that_only_this_machine_can_open(pc: TablePC) -> None:
    """With the handbook's own lines; what is written into the editor is written beside it."""
    pc.deal("hands 1")
    computer = pc.machine
    (block,) = (
        example for example in blocks(INSTALLATION, INSTALLATION.read_text("utf-8")) if "systemd-creds" in example.text
    )
    for line in block.commands:
        if not line.startswith("systemctl edit"):
            computer.said("sh", "-c", line)
    text, drop_in = computer.said("cat", CONFIG), ["[Service]"]
    for key, name in (("table.key", "key"), ("table.sign", "sign")):
        computer.said("rm", f"{STATE}/{key}")
        drop_in.append(f"LoadCredentialEncrypted={key}:/etc/credstore.encrypted/{TABLE}.{name}.cred")
        text = text.replace(f'"{STATE}/{key}"', f'"credential:{key}"')
    computer.write(f"/etc/systemd/system/{CONTROLLER}.d/keys.conf", "\n".join([*drop_in, ""]))
    computer.write(CONFIG, text)
    computer.said("systemctl", "daemon-reload")
    computer.said("systemctl", "start", CONTROLLER)
    pc.deal("hands 1")
    assert "intact" in computer.said("tablectl", "journal", "verify", JOURNAL)


def test_the_daily_backup_goes_to_the_folder_that_was_answered_when_the_table_was_set_up(pc: TablePC) -> None:
    pc.deal("hands 1")
    computer, timer = pc.machine, f"tablectl-backup@{TABLE}.timer"
    answers = computer.said("cat", "/root/answers.toml")
    computer.write("/root/answers.toml", f'{answers}house.backups = "/srv/backups"\n')
    words = ("--answers", "/root/answers.toml", "--replace", "--usb-bus", f"unix:{DEVICES}/usb.sock")
    said = computer.said("tablectl", "setup", *words)
    assert f"/srv/backups/{TABLE} ({timer})" in said
    assert [computer.shown(timer, text) for text in ("ActiveState", "UnitFileState")] == ["active", "enabled"]
    computer.said("systemctl", "start", f"tablectl-backup@{TABLE}.service")
    (archive,) = computer.said("find", "/srv/backups", "/var/backups/tablectl", "-name", "*.zip").split()
    assert archive.startswith(f"/srv/backups/{TABLE}/")
    assert computer.said("stat", "-c", "%a %U", f"/srv/backups/{TABLE}").split() == ["700", "root"]


def test_a_table_whose_file_was_changed_in_a_hand_is_asked_where_its_controller_is(
    pc: TablePC, next_package: Path
) -> None:
    pc.deal("cards 4")
    computer, controller = pc.machine, pc.machine.pid(CONTROLLER)
    # The integrity check, which finds such a change, looks soon after the start, and again ten minutes later.
    of_controller = ("journalctl", "--no-pager", "--output", "cat", f"_PID={controller}")
    wait_until(lambda: "journal checked" in computer.said(*of_controller))
    text = computer.said("cat", CONFIG)
    computer.write(CONFIG, text.replace(f'"{STATE}/', '"/var/lib/tablectl/').replace("/table.sock", "/new.sock"))
    asked = computer.run("tablectl", "idle", CONFIG)
    assert asked.returncode == 1
    assert "the file was changed, and the controller was started at /run/tablectl/mesa-1/table.sock" in asked.stdout
    assert pc.install(next_package).returncode != 0
    assert computer.pid(CONTROLLER) == controller
    computer.write(CONFIG, text)
    pc.deal("finish")
    assert computer.run("tablectl", "idle", CONFIG).returncode == 0


def test_a_table_is_brought_back_from_its_daily_backup(pc: TablePC) -> None:
    pc.deal("hands 2")
    computer = pc.machine
    kept = pc.deal("cards 3")
    computer.said("systemctl", "start", f"tablectl-backup@{TABLE}.service")
    pc.deal("finish")
    (archive,) = computer.said("find", f"/var/backups/tablectl/{TABLE}", "-name", "*.zip").split()
    assert computer.said("stat", "-c", "%a %U", archive).split() == ["600", "root"]
    computer.said("systemctl", "stop", CONTROLLER, SCREENS)
    computer.said("rm", "-rf", STATE, f"/var/lib/tablectl-screens/{TABLE}")
    computer.said("tablectl", "restore", archive, "--config", CONFIG, "--replace")
    computer.said("systemctl", "start", TARGET)
    wait_until(is_back(pc, 0))
    with TablePC(computer) as again:
        pc.leave()
        again.plug_in()
        assert "between" not in computer.run("tablectl", "idle", CONFIG).stdout, "the hand of the backup is open"
        # What was dealt after the backup is not there, and who followed the table knows it: two persons accept that.
        verified = computer.run("tablectl", "journal", "verify", JOURNAL, "--copy", f"{STATE}/table.copy")
        assert verified.returncode == 1
        assert "intact" in verified.stdout
        assert "this table had signed record" in verified.stdout
    assert kept["record"] > 0


def test_a_restored_pc_deals_and_is_backed_up_after_its_next_start(pc: TablePC) -> None:
    """A new PC: nothing of the table is there or enabled. After the restore, and one start, both are."""
    pc.deal("hands 1")
    computer, timer = pc.machine, f"tablectl-backup@{TABLE}.timer"
    computer.said("systemctl", "start", f"tablectl-backup@{TABLE}.service")
    (archive,) = computer.said("find", f"/var/backups/tablectl/{TABLE}", "-name", "*.zip").split()
    computer.said("systemctl", "disable", "--now", TARGET, timer, CONTROLLER, SCREENS)
    computer.said("rm", "-rf", STATE, f"/var/lib/tablectl-screens/{TABLE}", CONFIG)
    said = computer.said("tablectl", "restore", archive, "--config", CONFIG)
    assert computer.pid(CONTROLLER) == 0, "a second copy may have to be joined first"
    for unit in (TARGET, timer):
        assert f"{unit}: enabled" in said
    pc.leave()
    computer.shut_down()
    computer.boot()
    wait_until(is_back(pc, 0))
    assert [computer.shown(text, "ActiveState") for text in (TARGET, timer)] == ["active", "active"]


def test_an_image_of_a_pc_with_the_package_enables_nothing_by_itself(installed: Machine) -> None:
    """Copied to many machines without its number (/etc/machine-id): each starts for the first time."""
    with machine(installed) as computer:
        enabled = computer.root / "etc/systemd/system"
        before = sorted(str(path.relative_to(enabled)) for path in enabled.rglob("*") if "tablectl" in path.name)
        assert [text for text in before if "kiosk" in text or "notifications" in text] == []
        (computer.root / "etc/machine-id").write_text("")
        computer.boot()
        after = sorted(str(path.relative_to(enabled)) for path in enabled.rglob("*") if "tablectl" in path.name)
        assert after == before
        kiosk = f"tablectl-kiosk@{TABLE}.service"
        computer.said("systemctl", "preset", kiosk)
        assert computer.run("systemctl", "is-enabled", kiosk).stdout.strip() == "disabled"
        listed = computer.said("systemctl", "list-unit-files", "--no-legend", "tablectl*@.*").splitlines()
        assert len(listed) >= len(UNITS)
        assert [line for line in listed if line.split()[-1] == "enabled"] == []


def test_lintian_finds_no_error(package: Path) -> None:
    said = processes.run(
        ["lintian", "--allow-root", "--fail-on", "error", str(package)], capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stdout


def test_the_package_brings_no_byte_that_is_not_in_this_tree_or_its_lock(installed: Machine) -> None:
    with machine(installed) as computer:
        computer.boot()
        assert computer.said("find", "/opt/tablectl", "-newer", "/var/lib/dpkg/info/tablectl.list").strip() == ""
        assert computer.said(PYTHON, "-I", "-c", "import sys; print(sys.flags.isolated)").strip() == "1"
