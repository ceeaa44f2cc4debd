"""A table, its backup, and a machine on which there is nothing yet."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backup.tables import Table
from tests.other_user import passable_folder


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Where root does something as another user, that user has to come there."""
    with passable_folder() as made:
        yield made


@pytest.fixture
def table(tmp_path: Path) -> Table:
    made = Table(tmp_path / "table")
    made.furnished()
    return made


@pytest.fixture
def archive(table: Table, tmp_path: Path) -> Path:
    return table.back_up(tmp_path / "archives")


@pytest.fixture
def new(table: Table, archive: Path, tmp_path: Path) -> Table:
    """The same table on another machine, on which there is nothing yet."""
    assert archive.exists()
    made = Table(tmp_path / "new")
    shutil.rmtree(made.folder)
    return made
