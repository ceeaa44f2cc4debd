"""`between-hands`, which the package's scripts run: which tables are asked, which are left out by name, and what waits
for what when they are started again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from simulators import processes

SCRIPT: Final = Path(__file__).parents[1] / "debian" / "bin" / "between-hands"
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may ask")


class Machine:
    """A machine with tables: the script with its places in a folder, a `tablectl` and a `systemctl` that tell what they
    were told. `busy`: at these a hand is open; `runs`: units that run."""

    def __init__(self, folder: Path, *tables: str, busy: tuple[str, ...] = (), runs: tuple[str, ...] = ()) -> None:
        self._folder = folder
        tables_folder, programs = folder / "etc/tablectl", folder / "bin"
        for made in (tables_folder, programs, folder / "systemd"):
            made.mkdir(parents=True)
        for table in tables:
            (tables_folder / f"{table}.toml").touch()
        open_hands = " ".join(f"*/{word}.toml*) exit 1 ;;" for word in busy)
        self._program(
            programs / "tablectl", f'echo "$@" >> {folder}/asked\ncase "$*" in {open_hands} *) exit 0 ;; esac'
        )
        self._program(programs / "systemctl", "".join(f"echo tablectl@{word}.service\n" for word in runs) or "exit 0")
        text = SCRIPT.read_text(encoding="utf-8")
        for there, here in (
            ("/etc/tablectl", tables_folder),
            ("/opt/tablectl/bin", programs),
            ("/run/systemd/system", folder / "systemd"),
            ("/run/tablectl-stopped", folder / "stopped"),
        ):
            assert there in text
            text = text.replace(there, str(here))
        self._program(programs / "between-hands", text.partition("\n")[2])

    @staticmethod
    def _program(path: Path, text: str) -> None:
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)

    def check(self, anyway: str | None = None) -> tuple[int, list[str], str]:
        """Its exit status, the tables that were asked, and what it said."""
        done = self._run("check", {} if anyway is None else {"TABLECTL_ANYWAY": anyway})
        asked = self._folder / "asked"
        words = asked.read_text("utf-8").split() if asked.exists() else []
        return done.returncode, [Path(word).stem for word in words[1:]], done.stderr

    def start(self, *stopped: str, dead: tuple[str, ...] = ()) -> tuple[int, str, list[str]]:
        """Its exit status, what it printed, and what systemctl was told to start, in order, where these units had been
        stopped and those of `dead` end as soon as they start."""
        (self._folder / "stopped").write_text("".join(f"{unit}\n" for unit in sorted(stopped)), encoding="utf-8")
        fails = "".join(f"*{unit}*) exit 1 ;; " for unit in dead)
        told = self._folder / "started"
        text = f'[ "$1" != start ] || echo "$*" >> {told}\ncase "$*" in *--no-block*) ;; {fails}esac'
        self._program(self._folder / "bin" / "systemctl", text)
        done = self._run("start", {})
        return done.returncode, done.stdout.strip(), told.read_text("utf-8").splitlines()

    def _run(self, command: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        programs = self._folder / "bin"
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        return processes.run(
            [programs / "between-hands", command],
            env={"PATH": path, **environment},
            capture_output=True,
            text=True,
            check=False,
        )


def test_all_tables_are_asked_and_one_with_a_hand_is_enough(tmp_path: Path) -> None:
    assert Machine(tmp_path / "a", "mesa-1", "mesa-2").check()[:2] == (0, ["mesa-1", "mesa-2"])
    status, asked, said = Machine(tmp_path / "b", "mesa-1", "mesa-2", busy=("mesa-2",)).check()
    assert (status, asked) == (1, ["mesa-1", "mesa-2"])
    assert "TABLECTL_ANYWAY=TABLE before the same command" in said


def test_a_table_that_is_named_is_not_asked_and_the_others_are(tmp_path: Path) -> None:
    tables = ("mesa-1", "mesa-2", "mesa-11")
    status, asked, said = Machine(tmp_path / "a", *tables, busy=("mesa-1",)).check("mesa-1")
    assert (status, asked) == (0, ["mesa-11", "mesa-2"])
    assert "nobody asks whether a hand is open at mesa-1: TABLECTL_ANYWAY=mesa-1" in said
    assert Machine(tmp_path / "b", *tables, busy=("mesa-2",)).check("mesa-1")[0] == 1


@pytest.mark.parametrize("several", ["mesa-1,mesa-2", "mesa-1 mesa-2", " mesa-2, mesa-1 "])
def test_several_are_named(several: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path, "mesa-1", "mesa-2", "mesa-3", busy=("mesa-1", "mesa-2"))
    assert machine.check(several)[:2] == (0, ["mesa-3"])


def test_yes_asks_no_table(tmp_path: Path) -> None:
    assert Machine(tmp_path, "mesa-1", "mesa-2", busy=("mesa-1",)).check("yes")[:2] == (0, [])


@pytest.mark.parametrize("wrong", ["mesa1", "no", "mesa-1,mesa"])
def test_a_name_that_is_no_tables_is_refused(wrong: str, tmp_path: Path) -> None:
    status, asked, said = Machine(tmp_path, "mesa-1").check(wrong)
    assert (status, asked) == (1, [])
    assert "there is no such table" in said
    assert "such as TABLECTL_ANYWAY=mesa-1, or yes for all of them" in said


def test_a_running_table_whose_file_is_gone_is_left_out_by_its_name_alone(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "mesa-1", runs=("mesa-1", "mesa-2"))
    status, asked, said = machine.check()
    assert (status, asked) == (1, [])
    assert "mesa-2.toml, which says where to ask it, is gone" in said
    assert machine.check("mesa-2")[:2] == (0, ["mesa-1"])


def test_a_machine_without_tables_may_always_be_changed(tmp_path: Path) -> None:
    assert Machine(tmp_path).check()[:2] == (0, [])


def test_controllers_start_first_and_what_follows_them_is_waited_for(tmp_path: Path) -> None:
    controllers = ("tablectl@mesa-1.service", "tablectl@mesa-2.service")
    others = ("tablectl-accounts@mesa-1.service", "tablectl-screens@mesa-1.service", "tablectl@mesa-1.target")
    assert Machine(tmp_path).start(*controllers, *others) == (
        0,
        "",
        [f"start {' '.join(controllers)}", f"start {' '.join(others)}"],
    )
    assert not (tmp_path / "stopped").exists(), "nothing is left to be started"


def test_nobody_waits_for_what_follows_a_controller_that_does_not_start(tmp_path: Path) -> None:
    """Accounts that fail over and over beside it are never at rest together with it, and what follows both would wait
    for that: an upgrade did not end."""
    controllers = ("tablectl@mesa-1.service", "tablectl@mesa-2.service")
    others = ("tablectl-accounts@mesa-2.service", "tablectl-screens@mesa-2.service")
    assert Machine(tmp_path).start(*controllers, *others, dead=("tablectl@mesa-2.service",)) == (
        1,
        "mesa-2",
        [f"start {' '.join(controllers)}", f"start --no-block {' '.join(others)}"],
    )
    assert (tmp_path / "stopped").exists(), "what is put in place next starts them"
