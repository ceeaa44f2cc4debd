"""What stands after the written configuration: what is done there, and what somebody is told to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from simulators.stage.stage import temporary_folder
from tablectl.config.table_file import load
from tablectl.ops.setup.answers_file import answers_in
from tablectl.ops.setup.config_text import config_text
from tablectl.ops.setup.install import Installation
from tablectl.ops.setup.messages import Voice
from tablectl.ops.setup.plan import Task
from tablectl.ops.setup.writing import write
from tests.handbook.commands import parser_of
from tests.setup.tables import answers, task, toml
from tests.setup.test_answers_file import auditors_key

TIMER = "systemctl enable --now tablectl-backup@mesa-7.timer"


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as made:
        yield Path(made)


class Finished:
    """A table that was written. `said`: what stood on the screen; `told`: what systemd was told."""

    def __init__(self, of: Task, more: dict[str, object], refuses: str = "") -> None:
        path = of.places.root / "answers.toml"
        path.write_text(toml(answers("texas-bonus") | more), encoding="utf-8")
        said: dict[str, Any] = answers_in(path, of)
        write(config_text(said, of.places), of.file(said), replaces=False)
        self.said: list[str] = []
        self.told: list[str] = []
        self._refuses = refuses
        voice = Voice(("en", "es"))
        self.is_done = Installation(said, of, voice=voice, say=self.said.append, command=self._systemctl).done()

    def _systemctl(self, words: Sequence[str]) -> tuple[int, str]:
        self.told.append(" ".join(words))
        return (1, "no") if self._refuses and self._refuses in " ".join(words) else (0, "")

    @property
    def screen(self) -> str:
        return "\n".join(self.said)


@pytest.fixture(scope="module")
def plain() -> Iterator[tuple[Path, str]]:
    """A table that somebody set up who is not root and has no units: where, and what stood on the screen."""
    with temporary_folder() as made:
        yield Path(made), Finished(task(Path(made)), {}).screen


def test_where_root_sets_up_a_table_the_daily_backup_goes_to_the_folder_that_was_answered(folder: Path) -> None:
    of = replace(task(folder), can_start=True, has_units=True)
    disk = folder / "srv/backups"
    done = Finished(of, {"house.backups": str(disk), "house.start": False})
    assert done.is_done
    assert done.told == ["systemctl daemon-reload", TIMER]
    assert (disk / "mesa-7").stat().st_mode & 0o777 == 0o700
    assert f"A backup is made every day, in {disk}/mesa-7 (tablectl-backup@mesa-7.timer)." in done.screen
    assert "Se hace una copia de seguridad cada día" in done.screen
    assert "Have a backup made every day" not in done.screen


def test_a_backup_that_does_not_begin_is_told_with_its_commands_and_the_table_starts_all_the_same(folder: Path) -> None:
    of = replace(task(folder), can_start=True, has_units=True)
    done = Finished(of, {"house.start": True, **approved(of, folder)}, refuses=".timer")
    assert not done.is_done
    assert done.told == [TIMER, "systemctl enable --now tablectl@mesa-7.target"]
    assert "tablectl-backup@mesa-7.timer was not started: no" in done.screen
    assert f"     {TIMER}" in done.screen


def approved(of: Task, folder: Path) -> dict[str, object]:
    """Somebody has signed the software of this table before it was set up: its manifest lies in place."""
    manifest = of.places.config("mesa-7").with_name(f"mesa-7.manifest-{version('tablectl')}.json")
    manifest.parent.mkdir(parents=True, exist_ok=True)
    manifest.touch()
    return {"house.approver": str(auditors_key(folder))}


def test_a_table_whose_software_nobody_approved_is_not_started_and_the_step_is_named(folder: Path) -> None:
    of = replace(task(folder), can_start=True, has_units=True)
    done = Finished(of, {"house.start": True})
    file = folder / "etc/tablectl/mesa-7.toml"
    assert done.told == [TIMER]
    assert f"Not started: nobody has approved the software of {file} yet." in done.screen
    make = f"tablectl manifest make {file} --key PEM"
    assert f"     {make}" in done.screen
    assert done.screen.index(make) < done.screen.index(f"tablectl run {file}")
    assert parser_of("manifest").parse_args(make.split()[2:]).config == file


def test_who_approves_stands_in_the_file_of_the_table(folder: Path) -> None:
    of = task(folder)
    more = approved(of, folder)
    done = Finished(of, more)
    config = load(folder / "etc/tablectl/mesa-7.toml")
    assert str(config.approver) == more["house.approver"]
    assert config.manifest == folder / f"etc/tablectl/mesa-7.manifest-{version('tablectl')}.json"
    assert "manifest make" not in done.screen


@pytest.mark.parametrize("folders", ["var/backups/tablectl", "srv/backups"])
def test_who_is_not_root_is_shown_what_root_types(folders: str, folder: Path) -> None:
    of = replace(task(folder), has_units=True)
    done = Finished(of, {"house.backups": str(folder / folders)})
    assert done.told == []
    assert "Have a backup made every day. As root:" in done.screen
    assert f"     {TIMER}" in done.screen
    assert (f"Environment=TABLECTL_BACKUPS={folder}/srv/backups" in done.screen) == (folders == "srv/backups")


def test_without_units_it_is_the_command_itself_that_has_to_run_every_day(plain: tuple[Path, str]) -> None:
    folder, screen = plain
    file = folder / "etc/tablectl/mesa-7.toml"
    assert f"     tablectl backup {file} {folder}/var/backups/tablectl/mesa-7 --keep 14" in screen
    assert "systemctl" not in screen


def test_the_keys_belong_into_the_safe_and_the_command_copies_both(plain: tuple[Path, str]) -> None:
    folder, screen = plain
    state = folder / "var/lib/tablectl/mesa-7"
    assert f"     cp {state}/table.key {state}/table.sign /mnt/\n" in f"{screen}\n"
    assert "caja fuerte" in screen
    assert "safe" in screen


def test_the_public_key_belongs_to_the_auditor_and_the_commands_take_it_away_and_use_it(
    plain: tuple[Path, str],
) -> None:
    folder, screen = plain
    state = folder / "var/lib/tablectl/mesa-7"
    copy, verify = (
        f"cp {state}/table.pub /mnt/",
        f"tablectl journal verify {state}/table.db --key /mnt/table.pub",
    )
    assert f"     {copy}\n     {verify}" in screen
    assert "auditor, outside this machine, on the first day" in " ".join(screen.split())
    assert "auditor, fuera de esta máquina, desde el primer día" in " ".join(screen.split())
    words = verify.split()[2:]
    assert parser_of("journal").parse_args(words).key == Path("/mnt/table.pub")
