"""The uplink of a table in its backup: a replaced PC goes on as the same table, and is no second one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tablectl.journal.restored import place_of
from tests.desk import Desk, desk
from tests.fleet.test_commands import Casino, run
from tests.waiting import until

pytestmark = [pytest.mark.system, pytest.mark.wide]

UPLINK: Final = ("uplink.key", "uplink.pem", "uplink.json", "authority.pem", "pit.pub")


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    with desk() as table:
        made = Casino(tmp_path, table)
        try:
            yield made
        finally:
            made.pit_server.end()


def backed_up(casino: Casino, folder: Path) -> Path:
    """A backup of the table, which dealt more and lost its disk since."""
    table = casino.table
    with casino.uplink.running():
        table.open_hand()
        table.play_on()
        casino.until_all_arrived()
        run("backup", table.config, folder)
        (archive,) = folder.glob("*.zip")
        table.world.replace()
        table.open_hand()
        casino.until_all_arrived()
    table.stop()
    lost = [*UPLINK, "table.key", "table.sign", "table.pub"]
    for path in [
        *(table.folder / name for name in lost),
        *table.folder.glob("table.db*"),
        *table.folder.glob("*.copy*"),
    ]:
        path.unlink(missing_ok=True)
    return archive


def tables(casino: Casino) -> str:
    return run("pit", "tables", casino.pit)


def begins_again(table: Desk) -> None:
    table.world.replace()
    table.start()


def test_a_replaced_pc_sends_with_the_certificate_of_its_backup_in_a_new_epoch(casino: Casino, tmp_path: Path) -> None:
    archive = backed_up(casino, tmp_path / "archives")
    run("restore", archive, "--config", casino.table.config, "--by", "ana")
    assert all((casino.table.folder / name).exists() for name in UPLINK)
    begins_again(casino.table)
    with casino.uplink.running():
        casino.until_all_arrived()
    told = tables(casino)
    assert ".1, since" in told
    assert "not taken" not in told


def test_a_machine_with_the_key_and_a_journal_that_does_not_say_that_it_was_restored_is_a_fork(
    casino: Casino, tmp_path: Path
) -> None:
    """As a second machine would be, and one on which files were copied by hand: the key alone says nothing."""
    archive = backed_up(casino, tmp_path / "archives")
    run("restore", archive, "--config", casino.table.config)
    place_of(casino.table.journal).unlink()
    before = casino.kept
    begins_again(casino.table)
    with casino.uplink.running():
        until(lambda: "fork" in run("uplink", casino.table.config, "--status"))
    assert casino.kept == before
    assert "not taken: mesa-1" in tables(casino)
