"""The files of the uplink in a backup: with the keys, and never in the place of those that are there."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path
from typing import Final

import pytest

from tablectl.cli.main import main
from tests.backup.tables import Table

#: What it has, and how that is called in an archive.
FILES: Final = {
    "uplink.key": "uplink.key",
    "uplink.pem": "uplink-certificate.pem",
    "uplink.json": "uplink-state.json",
    "authority.pem": "pit-authority.pem",
    "pit.pub": "pit-key.pem",
}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    made = Table(tmp_path / "table")
    made.furnished()
    text = made.config.read_text(encoding="utf-8")
    made.config.write_text(f'{text}\n[uplink]\nurl = "https://pit.example:8443"\n', encoding="utf-8")
    for name in FILES:
        (made.folder / name).write_text(f"{name} as it was", encoding="utf-8")
        (made.folder / name).chmod(0o600)
    return made


def said_there(table: Table) -> dict[str, str]:
    return {name: (table.folder / name).read_text(encoding="utf-8") for name in FILES}


def test_the_files_of_the_uplink_are_in_it(table: Table, tmp_path: Path) -> None:
    with zipfile.ZipFile(table.back_up(tmp_path / "archives")) as archive:
        kept = {name: archive.read(member).decode() for name, member in FILES.items()}
    assert kept == said_there(table)


def test_its_key_is_left_out_with_the_others_and_it_is_said_what_to_do_without_it(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(table.back_up(tmp_path / "archives", "--without-keys")) as archive:
        assert set(FILES.values()) - set(archive.namelist()) == {"uplink.key"}
    said = capsys.readouterr().out
    assert "uplink-key: left out (--without-keys): `tablectl uplink --enrol --replace` makes another one" in said
    assert "signing-key: left out (--without-keys): keep it in a safe" in said


def test_where_they_are_gone_they_come_back(table: Table, tmp_path: Path) -> None:
    archive, before = table.back_up(tmp_path / "archives"), said_there(table)
    for name in FILES:
        (table.folder / name).unlink()
    assert main(["restore", str(archive), "--config", str(table.config), "--replace"]) == 0
    assert said_there(table) == before
    assert stat.S_IMODE((table.folder / "uplink.key").stat().st_mode) == 0o600


def test_those_that_are_there_stay(table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table may have been enrolled anew since, and its state knows of later receipts."""
    archive = table.back_up(tmp_path / "archives")
    for name in FILES:
        (table.folder / name).write_text(f"{name} of today", encoding="utf-8")
    now = said_there(table)
    assert main(["restore", str(archive), "--config", str(table.config), "--replace"]) == 0
    assert said_there(table) == now
    assert not list(table.folder.glob("uplink.key.before-restore*"))
    assert f"{table.folder / 'uplink.key'}: left as it is there" in capsys.readouterr().out
