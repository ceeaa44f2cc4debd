"""Root reads, makes and gives away nothing after a link that a service's user put into its own folder.

Whoever broke into the controller, the screens or the notifications owns that folder, and waits for the next backup, the
next restore, or for a tilt to be cleared.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from tablectl.cli.main import main
from tablectl.journal.copy import append
from tablectl.ops.drop_privileges import running_as_owner_of
from tests.backup.tables import Table

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to lose")
Captured = pytest.CaptureFixture[str]
#: Numbers that no user of this machine has.
CONTROLLER: Final = 4711
SCREENS: Final = 4712


@pytest.fixture
def root_only(tmp_path: Path) -> Path:
    """A folder of root's."""
    made = tmp_path / "root-only"
    made.mkdir(mode=0o700)
    return made


def test_a_backup_takes_nothing_that_the_owner_of_the_link_cannot_read(
    table: Table, root_only: Path, tmp_path: Path, capsys: Captured
) -> None:
    outbox = table.folder / "notifications.db"
    outbox.rename(root_only / "another.db")
    outbox.symlink_to(root_only / "another.db")
    os.chown(table.folder, SCREENS, SCREENS)
    for path in table.folder.iterdir():
        os.chown(path, SCREENS, SCREENS, follow_symlinks=False)
    assert main(["backup", str(table.config), str(tmp_path / "archives")]) == 2
    assert f"{outbox}: cannot be copied" in capsys.readouterr().err
    assert not [*(tmp_path / "archives").glob("*.zip")]


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("command", ["restore", "clear", "journal restore"])
def test_the_lock_of_a_journal_is_made_behind_no_link(
    command: str, table: Table, archive: Path, root_only: Path, *, is_there: bool
) -> None:
    """Made there, it would be given to the controller's user: a file of root's for whoever broke into it."""
    target = root_only / "cron"
    if is_there:
        target.write_text("root's own", encoding="utf-8")
    append(table.places.copy, table.records())
    lock = table.folder / "table.db.lock"
    lock.unlink(missing_ok=True)
    lock.symlink_to(target)
    for path in (table.folder, *table.folder.iterdir()):
        os.chown(path, CONTROLLER, CONTROLLER, follow_symlinks=False)
    words = {
        "restore": ["restore", str(archive), "--config", str(table.config), "--replace"],
        "clear": ["clear", str(table.config), "--by", "ana", "--reason", "looked"],
        "journal restore": ["journal", "restore", str(table.places.copy), str(table.places.journal)],
    }
    assert main(words[command]) in (2, 3)
    assert target.exists() == is_there
    if is_there:
        assert (target.read_text(encoding="utf-8"), target.stat().st_uid) == ("root's own", 0)


def test_a_restore_unpacks_into_no_folder_behind_a_link(
    table: Table, archive: Path, root_only: Path, capsys: Captured
) -> None:
    (table.folder / ".restoring-mesa-1").symlink_to(root_only)
    for path in (table.folder, *table.folder.iterdir()):
        os.chown(path, CONTROLLER, CONTROLLER, follow_symlinks=False)
    before = table.records()
    assert main(["restore", str(archive), "--config", str(table.config), "--replace"]) == 2
    assert "nothing was touched" in capsys.readouterr().err
    assert table.records() == before
    assert [*root_only.iterdir()] == []


def test_root_is_itself_again_whatever_happened(tmp_path: Path) -> None:
    os.chown(tmp_path, CONTROLLER, CONTROLLER)
    inner = running_as_owner_of(tmp_path / "other")
    with pytest.raises(FileNotFoundError), running_as_owner_of(tmp_path / "file"), inner:
        (tmp_path / "file").unlink()
    with running_as_owner_of(tmp_path / "file"):
        assert (os.geteuid(), os.getegid(), os.getgroups()) == (CONTROLLER, CONTROLLER, [CONTROLLER])
    assert (os.getresuid(), os.getegid()) == ((0, 0, 0), 0)
