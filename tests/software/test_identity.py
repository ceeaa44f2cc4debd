"""A table that finds another program than it was started with tilts, by name where somebody approved one."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulators.stage.stage import Scene, config_text
from tablectl.config.table_file import Config, load
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.ops.software.identity import check_again, identity


def configured(folder: Path, more: str = "") -> Config:
    path = folder / "table.toml"
    path.write_text(more + config_text(Scene(), folder), encoding="utf-8")
    return load(path)


def test_the_same_program_has_the_same_identity_each_time(tmp_path: Path) -> None:
    config = configured(tmp_path)
    now = identity(config)
    check_again(config, identity(config), now.hash)
    assert len(now.hash) == 64


def test_a_configuration_that_was_changed_is_another_program(tmp_path: Path) -> None:
    before = identity(configured(tmp_path))
    config = configured(tmp_path, "# another one\n")
    with pytest.raises(Tilt, match="the files are not those with which the controller was started") as tilt:
        check_again(config, identity(config), before.hash)
    assert tilt.value.kind is TiltKind.SOFTWARE


def test_a_manifest_that_cannot_be_read_is_a_tilt_with_the_way_out(tmp_path: Path) -> None:
    config = configured(tmp_path, '[software]\nmanifest = "none.json"\npublic_key = "none.pem"\n')
    with pytest.raises(Tilt, match=r"none\.") as tilt:
        identity(config)
    assert tilt.value.kind is TiltKind.SOFTWARE
