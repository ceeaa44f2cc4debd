"""The daily backups that `tablectl setup` begins: the folder that was answered, and the timer; or how root does it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tablectl.ops.setup.backing_up import begin, by_hand, check_folder, commands, has_unit
from tablectl.ops.setup.install_steps import NotDone
from tablectl.ops.setup.places import Places
from tablectl.ops.setup.questions import Refused

ROOT: Final = Path(__file__).parents[2]
DISK: Final = Path("/srv/backups")
ENABLED: Final = ["systemctl", "enable", "--now", "tablectl-backup@mesa-1.timer"]
DROP_IN: Final = "etc/systemd/system/tablectl-backup@mesa-1.service.d/folder.conf"


class Systemctl:
    """What systemd was told. `refuses`: the word that it says no to."""

    def __init__(self, refuses: str = "") -> None:
        self.told: list[Sequence[str]] = []
        self._refuses = refuses

    def __call__(self, words: Sequence[str]) -> tuple[int, str]:
        self.told.append(words)
        return (1, "no such unit\n") if self._refuses in words else (0, "")


def test_in_the_folder_of_the_package_the_timer_is_all_there_is_to_it(tmp_path: Path) -> None:
    places, systemctl = Places(root=tmp_path), Systemctl()
    begin("mesa-1", places.backups, places, systemctl)
    assert systemctl.told == [ENABLED]
    assert not (tmp_path / DROP_IN).exists()
    assert commands("mesa-1", places.backups, places) == (" ".join(ENABLED),)


def test_another_folder_is_told_to_the_unit_before_the_timer_begins(tmp_path: Path) -> None:
    places, systemctl = Places(root=tmp_path), Systemctl()
    begin("mesa-1", DISK, places, systemctl)
    assert systemctl.told == [["systemctl", "daemon-reload"], ENABLED]
    lines = (tmp_path / DROP_IN).read_text(encoding="utf-8").splitlines()
    assert lines == [
        "[Unit]",
        "RequiresMountsFor=/srv/backups",
        "[Service]",
        "Environment=TABLECTL_BACKUPS=/srv/backups",
        "ReadWritePaths=-/srv/backups/%i",
    ]
    assert (tmp_path / DROP_IN).stat().st_mode & 0o777 == 0o644
    assert list((tmp_path / DROP_IN).parent.iterdir()) == [tmp_path / DROP_IN]


def test_what_is_set_up_again_changes_what_differs_and_goes_back_to_the_packages_folder(tmp_path: Path) -> None:
    places, systemctl = Places(root=tmp_path), Systemctl()
    begin("mesa-1", DISK, places, systemctl)
    begin("mesa-1", DISK, places, systemctl)
    assert [words[1] for words in systemctl.told] == ["daemon-reload", "enable", "enable"]
    begin("mesa-1", places.backups, places, systemctl)
    assert [words[1] for words in systemctl.told[3:]] == ["daemon-reload", "enable"]
    assert not (tmp_path / DROP_IN).exists()


@pytest.mark.parametrize("refuses", ["daemon-reload", "enable"])
def test_what_systemd_says_against_it_is_told(refuses: str, tmp_path: Path) -> None:
    with pytest.raises(NotDone) as no:
        begin("mesa-1", DISK, Places(root=tmp_path), Systemctl(refuses))
    assert no.value.values == {"unit": "tablectl-backup@mesa-1.timer", "reason": "no such unit"}


def test_the_commands_that_are_shown_do_the_same(tmp_path: Path) -> None:
    shown, done = Places(root=tmp_path / "shown"), Places(root=tmp_path / "done")
    begin("mesa-1", DISK, done, Systemctl())
    told = tmp_path / "told"
    systemctl = f'systemctl() {{ echo systemctl "$@" >> {told}; }}\n'
    script = systemctl + "\n".join(commands("mesa-1", DISK, shown))
    processes.run(["sh", "-e"], input=script, text=True, check=True)
    assert (shown.root / DROP_IN).read_text("utf-8") == (done.root / DROP_IN).read_text("utf-8")
    assert told.read_text("utf-8").splitlines() == ["systemctl daemon-reload", " ".join(ENABLED)]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze on this machine")
def test_systemd_reads_the_drop_in_as_it_stands(tmp_path: Path) -> None:
    places = Places(root=tmp_path)
    begin("mesa-1", DISK, places, Systemctl())
    for name in ("tablectl-backup@.service", "tablectl-backup@.timer"):
        text = (ROOT / "systemd" / name).read_text(encoding="utf-8")
        # The program is not installed where this runs.
        (places.units / name).write_text(text.replace("/opt/tablectl/bin/tablectl", "/bin/true"), encoding="utf-8")
    said = processes.run(
        ["systemd-analyze", "verify", "--man=no", "tablectl-backup@mesa-1.service"],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{places.units}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in said.stderr.splitlines() if "backup" in line or "folder.conf" in line] == []


def test_the_unit_takes_its_folder_from_what_the_drop_in_sets() -> None:
    text = (ROOT / "systemd" / "tablectl-backup@.service").read_text(encoding="utf-8")
    (given,) = (line for line in text.splitlines() if line.startswith("Environment="))
    name, _, folder = given.removeprefix("Environment=").partition("=")
    assert Path(folder) == Places().backups
    begun = [line for line in text.splitlines() if line.startswith("Exec")]
    assert len(begun) == 2
    assert all(f"${{{name}}}/%i" in line for line in begun)
    command = by_hand("mesa-1", Path("/etc/tablectl/mesa-1.toml"), Path(folder))
    line = begun[1].replace(f"${{{name}}}", folder).replace("%i", "mesa-1")
    assert line == f"ExecStart=/opt/tablectl/bin/{command}"


@pytest.mark.parametrize("folder", ["/home/ana/backups", "/root", "/tmp/x", "/run/media/x", "/dev/shm", "/srv/../home"])
def test_a_folder_that_the_unit_could_not_use_is_refused(folder: str) -> None:
    with pytest.raises(Refused):
        check_folder(folder)


@pytest.mark.parametrize("folder", ["/var/backups/tablectl", "/srv/backups", "/mnt/disk2", "/homes", "/media/b"])
def test_other_folders_are_taken(folder: str) -> None:
    check_folder(folder)


def test_the_unit_is_found_where_the_package_puts_it(tmp_path: Path) -> None:
    places = Places(root=tmp_path)
    assert not has_unit(places)
    places.shipped_units.mkdir(parents=True)
    (places.shipped_units / "tablectl-backup@.timer").touch()
    assert has_unit(places)
