"""Going back to the version before: what `tablectl needs` says of a table, and what `tablectl-rollback` and the script
of the package do, with the programs of the system replaced by some that tell what they were told."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tablectl.cli.main import main
from tests.journal.journals import WHOLE_HAND, places, sat

DEBIAN: Final = Path(__file__).parents[1] / "debian"
Captured = pytest.CaptureFixture[str]
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may install")


# --- tablectl needs -------------------------------------------------------------------------------------------------


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A table's file, and its folder."""
    path = tmp_path / "mesa-1.toml"
    path.write_text(
        '[table]\nname = "Mesa 1"\nrulebook = "texas-bonus"\nseats = 7\ntracking = "presence"\n'
        f'[journal]\npath = "{tmp_path}/table.db"\nkey = "{tmp_path}/table.key"\n'
        f'signing_key = "{tmp_path}/table.sign"\ncopy = "{tmp_path}/table.copy"\n'
        f'[control]\nsocket = "{tmp_path}/table.sock"\n',
        encoding="utf-8",
    )
    return path


def needs(config: Path, capsys: Captured) -> tuple[int, str, str]:
    status = main(["needs", str(config)])
    told = capsys.readouterr()
    return status, told.out, told.err


def test_a_table_that_never_ran_or_closed_no_hand_needs_the_first_version(config: Path, capsys: Captured) -> None:
    assert needs(config, capsys)[:2] == (0, "0.1.0\n")
    sat(places(config.parent), "press new-hand\n")
    assert needs(config, capsys)[:2] == (0, "0.1.0\n")


def test_a_table_that_closed_a_hand_needs_this_one(config: Path, capsys: Captured) -> None:
    sat(places(config.parent), WHOLE_HAND)
    assert needs(config, capsys)[:2] == (0, "0.2.0\n")
    sat(places(config.parent), WHOLE_HAND + "press new-hand\n")
    assert needs(config, capsys)[:2] == (0, "0.2.0\n")


def test_of_what_cannot_be_read_it_is_not_known(config: Path, capsys: Captured) -> None:
    config.with_name("table.db").write_bytes(b"no database at all" * 300)
    status, out, err = needs(config, capsys)
    assert (status, out) == (2, "")
    assert "not known" in err
    assert "`tablectl journal verify`" in err
    config.write_text("nonsense", encoding="utf-8")
    assert needs(config, capsys)[:2] == (2, "")


# --- the scripts ----------------------------------------------------------------------------------------------------


class Machine:
    """A machine on which 0.2.0 replaced 0.1.0. `needs`: what `tablectl needs` says of each table; None: it fails."""

    def __init__(self, folder: Path, needs: dict[str, str | None], *, failing: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.backups = folder / "backups"
        self._programs = folder / "bin"
        for made in (self._programs, folder / "etc", folder / "lib", self.backups):
            made.mkdir(parents=True)
        (folder / "previous.deb").touch()
        for need in needs:
            (folder / "etc" / f"{need}.toml").touch()
        told = "".join(
            f"*needs*/{table}.toml) {'exit 2' if version is None else f'echo {version}'} ;;\n"
            for table, version in needs.items()
        )
        broken = "".join(f"*backup*/{table}.toml*) exit 1 ;;\n" for table in failing)
        self._program("tablectl", f'echo "tablectl $*" >> {folder}/did\ncase "$*" in\n{told}{broken}*) exit 0 ;;\nesac')
        asks_for_journal = "for it; do :; done\ncase $it in *.toml) ;; *) exit 0 ;; esac"
        self._program("python3", f'{asks_for_journal}\n[ -e "{folder}/lib/$(basename "$it" .toml).db" ] || echo none')
        self._program("between-hands", f'echo "between-hands $*" >> {folder}/did')
        self._program("keep-package", f'echo "keep-package" >> {folder}/did')
        self._program("dpkg-query", "echo 0.2.0")
        self._program("dpkg-deb", 'case $1 in --field) echo 0.1.0 ;; *) exec /usr/bin/dpkg-deb "$@" ;; esac')
        self._program("systemctl", "")
        self._program(
            "dpkg", f'case $1 in --install) echo installed >> {folder}/did ;; *) exec /usr/bin/dpkg "$@" ;; esac'
        )
        for script in ("bin/tablectl-rollback", "bin/can-go-on", "bin/check-package", "tablectl.preinst"):
            self._program(Path(script).name, self._here(DEBIAN / script).partition("\n")[2])

    def _here(self, script: Path) -> str:
        """A script, with the places of this machine."""
        text = script.read_text(encoding="utf-8")
        for there, here in (
            ("/var/lib/tablectl-packages/previous.deb", self.folder / "previous.deb"),
            ("/etc/tablectl", self.folder / "etc"),
            ("/opt/tablectl/bin", self._programs),
            ("/usr/lib/tablectl", self._programs),
            ("/var/backups/tablectl", self.backups),
            ("/var/lib/tablectl-packages", self.folder),
            ("/run/", self.folder),
        ):
            text = text.replace(there, f"{here}/" if there.endswith("/") else str(here))
        return text

    def package(self, version: str, scripts: Path) -> Path:
        """A package of one file, with the package's scripts."""
        tree = self.folder / f"tree-{version}"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "version").write_text(version, encoding="utf-8")
        (tree / "DEBIAN/control").write_text(
            f"Package: tablectl\nVersion: {version}\nArchitecture: all\nMaintainer: a house\nDescription: a table\n",
            encoding="utf-8",
        )
        for script in ("preinst", "prerm", "postinst"):
            path = tree / "DEBIAN" / script
            path.write_text(self._here(scripts / f"tablectl.{script}"), encoding="utf-8")
            path.chmod(0o755)
        made = self.folder / f"{version}.deb"
        processes.run(["dpkg-deb", "--build", tree, made], check=True, stdout=subprocess.DEVNULL)
        return made

    def with_dpkg(self, package: Path, *, anyway: str = "") -> subprocess.CompletedProcess[str]:
        """The real dpkg puts a package in place, in a folder of its own; so `between-hands` is the real one, too."""
        self._program("between-hands", self._here(DEBIAN / "bin/between-hands").partition("\n")[2])
        root = self.folder / "root"
        for text in ("info", "updates", "triggers"):
            (root / "var/lib/dpkg" / text).mkdir(parents=True, exist_ok=True)
        for text in ("status", "available"):
            (root / "var/lib/dpkg" / text).touch()
        dpkg = ("/usr/bin/dpkg", f"--root={root}", "--force-script-chrootless", "--log=/dev/null", "--install", package)
        path = f"{self._programs}{os.pathsep}{os.environ['PATH']}{os.pathsep}/usr/sbin{os.pathsep}/sbin"
        environment = {"PATH": path, "TABLECTL_ANYWAY": anyway}
        return processes.run(dpkg, env=environment, capture_output=True, text=True, check=False)

    @property
    def version(self) -> str:
        """What dpkg put in place."""
        return (self.folder / "root/version").read_text(encoding="utf-8")

    def _program(self, name: str, text: str) -> None:
        path = self._programs / name
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)

    def ran(self, table: str) -> None:
        """This table has a journal."""
        (self.folder / "lib" / f"{table}.db").touch()

    def run(self, *words: str, anyway: str | None = None) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": f"{self._programs}{os.pathsep}{os.environ['PATH']}"}
        if anyway is not None:
            environment["TABLECTL_ANYWAY"] = anyway
        return processes.run(
            [self._programs / words[0], *words[1:]], env=environment, capture_output=True, text=True, check=False
        )

    @property
    def did(self) -> list[str]:
        path = self.folder / "did"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@only_root
def test_before_the_first_hand_the_version_before_is_put_back(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {"mesa-1": "0.1.0", "mesa-2": "0.1.0"})
    done = machine.run("tablectl-rollback")
    assert (done.returncode, done.stdout) == (0, "tablectl-rollback: from 0.2.0 back to 0.1.0\n")
    assert machine.did[-1] == "installed"


@only_root
def test_after_it_the_rollback_is_refused_and_names_the_newest_backup_of_the_upgrade(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {"mesa-1": "0.1.0", "mesa-2": "0.2.0"})
    folder = machine.backups / "mesa-2" / "before-0.2.0"
    folder.mkdir(parents=True)
    for name in ("mesa-2-20261121T073412Z.zip", "mesa-2-20261122T073412Z.zip"):
        (folder / name).touch()
    done = machine.run("tablectl-rollback")
    assert done.returncode == 1
    assert "installed" not in machine.did
    assert "refused, nothing was changed: mesa-2 has dealt with a newer version" in done.stderr
    assert f"\n    {folder}/mesa-2-20261122T073412Z.zip\n" in done.stderr
    assert machine.run("tablectl-rollback", anyway="mesa-2").returncode == 0
    assert machine.run("tablectl-rollback", anyway="yes").returncode == 0


@only_root
def test_a_refusal_says_where_no_backup_is_left(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {"mesa-1": "0.2.0"})
    done = machine.run("tablectl-rollback")
    assert done.returncode == 1
    assert f"none is left in {machine.backups}/mesa-1/before-0.2.0" in done.stderr


@only_root
def test_where_it_is_not_known_nothing_is_put_back(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {"mesa-1": None})
    done = machine.run("tablectl-rollback")
    assert (done.returncode, "installed" in machine.did) == (1, False)
    assert "whether 0.1.0 can go on with the journal of mesa-1 is not known" in done.stderr


def first_scripts(folder: Path) -> Path:
    """Those of version 0.1.0, as far as an exchange goes: its preinst asks the installed `between-hands`, its prerm has
    no objection to anything."""
    made = folder / "scripts"
    made.mkdir()
    stop = "/usr/lib/tablectl/between-hands stop"
    preinst = f"#!/bin/sh\nset -e\nif [ $1 = upgrade ]; then\n    {stop}\nfi\n"
    (made / "tablectl.preinst").write_text(preinst, encoding="utf-8")
    for text in ("prerm", "postinst"):
        (made / f"tablectl.{text}").write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    return made


@pytest.fixture
def dealt(tmp_path: Path) -> Machine:
    """A machine with 0.2.0 of which one table has closed a hand."""
    machine = Machine(tmp_path, {"mesa-1": "0.1.0", "mesa-2": "0.2.0"})
    (machine.backups / "mesa-2" / "before-0.2.0").mkdir(parents=True)
    (machine.backups / "mesa-2" / "before-0.2.0" / "mesa-2-20261122T073412Z.zip").touch()
    done = machine.with_dpkg(machine.package("0.2.0", DEBIAN))
    assert done.returncode == 0, done.stderr
    return machine


@only_root
def test_dpkg_puts_no_version_in_place_that_cannot_go_on_with_a_journal(dealt: Machine, tmp_path: Path) -> None:
    """Version 0.1.0's own script would let it."""
    before = dealt.package("0.1.0", first_scripts(tmp_path))
    for _ in range(2):
        refused = dealt.with_dpkg(before)
        assert (refused.returncode, dealt.version) == (1, "0.2.0"), refused.stderr
        assert "refused, nothing was changed: mesa-2 has dealt with a newer version" in refused.stderr
        assert f"\n    {dealt.backups}/mesa-2/before-0.2.0/mesa-2-20261122T073412Z.zip\n" in refused.stderr
    done = dealt.with_dpkg(before, anyway="mesa-2")
    assert (done.returncode, dealt.version) == (0, "0.1.0"), done.stderr


@only_root
def test_nor_one_whose_own_script_knows_of_it(dealt: Machine, tmp_path: Path) -> None:
    refused = dealt.with_dpkg(dealt.package("0.1.1", DEBIAN))
    assert (refused.returncode, dealt.version) == (1, "0.2.0"), refused.stderr
    assert refused.stderr.count("refused, nothing was changed: mesa-2") == 1
    assert not (tmp_path / "tablectl-refused").exists(), "the next attempt is judged by itself"


@only_root
def test_a_refusal_does_not_stand_in_the_way_of_a_newer_version(dealt: Machine, tmp_path: Path) -> None:
    assert dealt.with_dpkg(dealt.package("0.1.0", first_scripts(tmp_path))).returncode == 1
    done = dealt.with_dpkg(dealt.package("0.2.1", DEBIAN))
    assert (done.returncode, dealt.version) == (0, "0.2.1"), done.stderr


@only_root
def test_a_newer_version_is_put_in_place_whatever_the_state_of_a_journal(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {"mesa-1": None})
    done = machine.with_dpkg(machine.package("0.2.0", DEBIAN))
    assert done.returncode == 0, done.stderr
    done = machine.with_dpkg(machine.package("0.2.1", DEBIAN))
    assert (done.returncode, machine.version) == (0, "0.2.1"), done.stderr


@only_root
def test_the_upgrade_makes_a_backup_of_every_table_that_ran_while_they_stand_still(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {"mesa-1": "0.1.0", "mesa-2": "0.1.0"})
    machine.ran("mesa-1")
    assert machine.run("tablectl.preinst", "upgrade", "0.1.0", "0.2.0").returncode == 0
    archive = f"tablectl backup {tmp_path}/etc/mesa-1.toml {machine.backups}/mesa-1/before-0.2.0"
    assert machine.did == ["between-hands stop", "keep-package", archive]


@only_root
def test_an_upgrade_from_a_version_with_the_new_records_makes_none(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {"mesa-1": "0.2.0"})
    machine.ran("mesa-1")
    assert machine.run("tablectl.preinst", "upgrade", "0.2.0", "0.2.1").returncode == 0
    assert machine.did == ["between-hands stop", "keep-package"]


@only_root
def test_without_a_backup_there_is_no_upgrade_and_the_tables_start_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {"mesa-1": "0.1.0", "mesa-2": "0.1.0"}, failing=("mesa-1",))
    machine.ran("mesa-1")
    machine.ran("mesa-2")
    done = machine.run("tablectl.preinst", "upgrade", "0.1.0", "0.2.0")
    assert done.returncode == 1
    assert machine.did[-1] == "between-hands start"
    assert "Without a backup of every table" in done.stderr
    (tmp_path / "did").unlink()
    done = machine.run("tablectl.preinst", "upgrade", "0.1.0", "0.2.0", anyway="mesa-1")
    assert done.returncode == 0
    assert "no backup of mesa-1" in done.stderr
    assert len([text for text in machine.did if "backup" in text]) == 2
