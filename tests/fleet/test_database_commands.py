"""`tablectl pit pack|verify CONFIG …`, as somebody types them beside a server."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tablectl.fleet.pit.sqlite_store import SqliteStore
from tests.fleet.test_commands import run, verify
from tests.fleet.test_store import Server, served

pytestmark = pytest.mark.system


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "pit.toml"
    path.write_text("[pit]\n", encoding="utf-8")
    return path


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with closing(SqliteStore.open(tmp_path / "pit.db")) as store:
        made = served(store, 160)
        made.send(1, 100)
        yield made


def test_rows_are_packed_and_all_is_verified(config: Path, server: Server) -> None:
    assert run("pit", "pack", config, "--older-than", 1_000_000) == ""
    assert run("pit", "pack", config, "--older-than", 0) == "mesa-1: 100 records packed\n"
    assert verify(config) == "mesa-1: 100 records, 10 signatures: intact\n"
    with closing(sqlite3.connect(config.with_name("pit.db"))) as file, file:
        file.execute("UPDATE chunks SET packed = zeroblob(100)")
    assert "mesa-1: 0 records, 0 signatures: what is kept after record 0" in verify(config, status=1)
    assert "there is no table mesa-9; there is mesa-1" in verify(config, "mesa-9", status=1)
    assert "0 or more" in run("pit", "pack", config, "--older-than", -1, status=2)
