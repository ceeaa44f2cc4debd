"""A table that finds another program than it was started with tilts, by name where somebody approved one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simulators.stage.stage import Scene, config_text
from tablectl.config.table_file import Config, load
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.ops.software.check import Identity
from tablectl.ops.software.identity import check_running, check_whole, identity, is_other_file
from tablectl.ops.software.survey import hash_of
from tests.software.machine import SIGNED, TABLE, Machine, machine


def configured(folder: Path, more: str = "") -> Config:
    path = folder / "table.toml"
    path.write_text(more + config_text(Scene(), folder), encoding="utf-8")
    return load(path)


def test_the_same_program_has_the_same_identity_each_time(tmp_path: Path) -> None:
    config = configured(tmp_path)
    now = identity(config)
    assert check_whole(config) == now
    assert len(now.hash) == 64


def test_a_configuration_that_was_changed_is_another_program(tmp_path: Path) -> None:
    before = identity(configured(tmp_path))
    config = configured(tmp_path, "# another one\n")
    assert identity(config).hash != before.hash


def test_a_manifest_that_cannot_be_read_is_a_tilt_with_the_way_out(tmp_path: Path) -> None:
    config = configured(tmp_path, '[software]\nmanifest = "none.json"\npublic_key = "none.pem"\n')
    with pytest.raises(Tilt, match=r"none\.") as tilt:
        identity(config)
    assert tilt.value.kind is TiltKind.SOFTWARE


# --- while the table runs ---------------------------------------------------------------------------------------------


@pytest.fixture(params=[SIGNED, TABLE], ids=["approved", "by-nobody"])
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Machine:
    return machine(tmp_path, config=request.param)


class Running:
    """A controller was started with what is there now."""

    def __init__(self, table: Machine) -> None:
        self._table = table
        self._config = table.config
        self._before = table.identify()
        self._file_hash = hash_of(table.config_file)

    def checked(self) -> Identity:
        return check_running(self._config, self._before.hash, self._file_hash, self._before, places=self._table.places)

    @property
    def has_other_file(self) -> bool:
        return is_other_file(self._config, self._file_hash)


def test_a_table_file_that_is_prepared_for_the_next_start_is_no_fault(table: Machine) -> None:
    running, text = Running(table), table.config_file.read_text(encoding="utf-8")
    assert not running.has_other_file
    for other in (f"{text}# of tomorrow\n", "[table", None):
        if other is None:
            table.config_file.unlink()  # an editor puts another one in its place
        else:
            table.config_file.write_text(other, encoding="utf-8")
            table.approve()  # and its manifest lies there, too
        running.checked()
        assert running.has_other_file
    table.config_file.write_text(text, encoding="utf-8")
    assert not running.has_other_file


@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("tablectl/core/settlement/banked.py", "tablectl/core/settlement/banked.py is changed"),
        ("drivers/more.py", "drivers/more.py is unknown"),
        ("extra.pth", "extra.pth is changed"),
    ],
)
def test_a_program_that_is_changed_is_one_whatever_the_table_file_says(table: Machine, file: str, named: str) -> None:
    running = Running(table)
    table.config_file.write_text(f"{table.config_file.read_text(encoding='utf-8')}# more\n", encoding="utf-8")
    table.write(file, "EVIL = 1\n")
    with pytest.raises(Tilt, match=re.escape(named)) as tilt:
        running.checked()
    assert tilt.value.kind is TiltKind.SOFTWARE


def test_what_python_would_run_of_others_is_looked_at_where_somebody_approved_it(tmp_path: Path) -> None:
    table = machine(tmp_path)
    running = Running(table)
    table.write("alpha/wire.py", "BAUD = 2\n")
    with pytest.raises(Tilt, match=r"alpha/wire\.py.*this is not the software that was approved") as tilt:
        running.checked()
    assert tilt.value.kind is TiltKind.SOFTWARE
