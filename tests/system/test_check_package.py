"""The tool by which a machine holds packages against the release key: what it takes, and what it refuses.

It runs in a view of this machine of its own, where the key, apt's lists and the packages that are kept are the test's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tests.system.test_repository import MISSING, ROOT, Apt, House, package

TOOL: Final = ROOT / "debian/bin/check-package"
#: /var/lib is an empty folder, and keys and lists are those of the first two arguments.
VIEW: Final = """
keys=$1; lists=$2; kept=$3; shift 3
mount -t tmpfs none /var/lib && mkdir -p /var/lib/apt/lists /var/lib/tablectl-packages || exit 99
mount --bind "$keys" /usr/share/keyrings && mount --bind "$lists" /var/lib/apt/lists || exit 99
mount --bind "$kept" /var/lib/tablectl-packages || exit 99
exec "$@"
"""


def why_not() -> str:
    if MISSING or shutil.which("unshare") is None or os.geteuid() != 0:
        return "only root can have a view of its own of a machine, and not without gpg, apt and unshare"
    done = processes.run(["unshare", "--mount", "true"], check=False, capture_output=True)
    return "" if done.returncode == 0 else "no view of its own of a machine here"


pytestmark = [pytest.mark.machine, pytest.mark.skipif(bool(why_not()), reason=why_not())]


class Pc:
    """A machine with these keys, lists and kept packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.keys, self.lists, self.kept = (folder / name for name in ("keyrings", "lists", "kept"))
        for made in (self.keys, self.lists, self.kept):
            made.mkdir(parents=True)

    def trust(self, house: House) -> None:
        made = self.keys / "tablectl-archive-keyring.asc"
        made.write_text(house.gpg("--armor", "--export", house.key), encoding="utf-8")

    def check(self, *files: Path | str, said: str = "") -> subprocess.CompletedProcess[str]:
        view = ["unshare", "--mount", "--propagation", "private", "sh", "-c", VIEW, "sh"]
        places = [str(self.keys), str(self.lists), str(self.kept)]
        command = [*view, *places, "sh", str(TOOL), *map(str, files)]
        return processes.run(command, input=said, check=False, capture_output=True, text=True)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path / "keys")
    yield made
    made.close()


@pytest.fixture
def pc(tmp_path: Path) -> Pc:
    return Pc(tmp_path / "pc")


def signed(house: House, file: Path) -> Path:
    Path(f"{file}.asc").unlink(missing_ok=True)
    house.gpg("--armor", "--output", f"{file}.asc", "--detach-sign", str(file))
    return file


def test_what_the_key_signed_is_taken_and_nothing_else(pc: Pc, house: House, tmp_path: Path) -> None:
    made = package(tmp_path, "1.0")
    assert (pc.check(made).returncode, "no release key" in pc.check(made).stderr) == (0, True)
    pc.trust(house)
    assert "is not signed by the release key" in pc.check(made).stderr
    assert pc.check(made).returncode == 1
    assert pc.check(signed(house, made)).returncode == 0
    stranger = House(tmp_path / "stranger")
    assert pc.check(signed(stranger, made)).returncode == 1
    stranger.close()
    signed(house, made)
    made.write_bytes(made.read_bytes()[:-1] + b"x")
    assert pc.check(made).returncode == 1


def test_a_key_that_was_taken_away_is_no_permission(pc: Pc, house: House, tmp_path: Path) -> None:
    pc.trust(house)
    made = signed(house, package(tmp_path, "1.0"))
    assert pc.check(made).returncode == 0
    shutil.rmtree(pc.keys)
    pc.keys.mkdir()
    refused = pc.check(made)
    assert (refused.returncode, "is gone" in refused.stderr) == (1, True)


def test_what_apt_names_is_checked_and_packages_of_others_are_not(pc: Pc, house: House, tmp_path: Path) -> None:
    pc.trust(house)
    made = package(tmp_path, "1.0")
    other = tmp_path / "other.deb"
    other.write_bytes(b"no package at all")
    assert pc.check("apt", said=f"{other}\n").returncode == 0
    assert pc.check("apt", said=f"{other}\n{made}\n").returncode == 1
    assert pc.check("apt", said=f"{other}\n{signed(house, made)}\n").returncode == 0


def test_an_index_that_the_key_signed_vouches_for_its_packages(pc: Pc, house: House, tmp_path: Path) -> None:
    made, repository = package(tmp_path, "1.0"), tmp_path / "repository"
    assert house.publish(repository, made).returncode == 0
    apt = Apt(tmp_path / "apt", repository)
    assert apt.run("update").returncode == 0
    shutil.copytree(tmp_path / "apt/state/lists", pc.lists, dirs_exist_ok=True)
    pc.trust(house)
    assert pc.check(made).returncode == 0
    assert pc.check(package(tmp_path, "1.1")).returncode == 1
    # As it is kept beside a package that came from there, for the day on which somebody wants it back.
    beside = Path(f"{made}.index")
    shutil.copytree(pc.lists, beside)
    for listed in pc.lists.glob("*_InRelease"):
        listed.unlink()
    assert pc.check(made).returncode == 0
    for index in beside.glob("*_Packages*"):
        index.write_bytes(b"SHA256: anything\n")
    assert pc.check(made).returncode == 1


def test_a_repository_of_somebody_else_vouches_for_nothing(pc: Pc, house: House, tmp_path: Path) -> None:
    stranger = House(tmp_path / "stranger")
    made, repository = package(tmp_path, "1.0"), tmp_path / "repository"
    assert stranger.publish(repository, made).returncode == 0
    stranger.close()
    apt = Apt(tmp_path / "apt", repository)
    assert apt.run("update").returncode == 0
    shutil.copytree(tmp_path / "apt/state/lists", pc.lists, dirs_exist_ok=True)
    pc.trust(house)
    assert pc.check(made).returncode == 1


def test_a_dpkg_that_unpacks_nothing_is_asked_nothing(pc: Pc) -> None:
    assert pc.check("dpkg").returncode == 0
    assert pc.check().returncode == 2
