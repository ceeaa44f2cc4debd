"""What a restore has systemd start with the machine, and that it starts nothing now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tablectl.ops.setup.at_boot import enable_at_boot
from tablectl.ops.setup.install_steps import NotDone
from tablectl.ops.setup.places import Places

UNITS = ("tablectl@mesa-1.target", "tablectl-backup@mesa-1.timer")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A machine with the package's units."""
    made = Places(root=tmp_path)
    made.shipped_units.mkdir(parents=True)
    (made.shipped_units / "tablectl-backup@.timer").touch()
    return made


def test_the_target_and_the_backup_timer_are_enabled_and_not_started(places: Places) -> None:
    told: list[Sequence[str]] = []

    def systemctl(words: Sequence[str]) -> tuple[int, str]:
        told.append(words)
        return 0, ""

    assert enable_at_boot(places.config("mesa-1"), places, systemctl) == UNITS
    assert told == [["systemctl", "enable", unit] for unit in UNITS]


def test_what_systemd_refuses_is_told(places: Places) -> None:
    with pytest.raises(NotDone) as no:
        enable_at_boot(places.config("mesa-1"), places, lambda _: (1, "Failed: read-only\n"))
    assert no.value.values == {"unit": UNITS[0], "reason": "Failed: read-only"}


def nobody(_words: Sequence[str]) -> tuple[int, str]:
    raise AssertionError("systemd was told something")


def test_a_table_that_no_unit_reads_is_none_of_systemds(places: Places, tmp_path: Path) -> None:
    assert enable_at_boot(tmp_path / "elsewhere/mesa-1.toml", places, nobody) == ()


def test_without_the_packages_units_nothing_is_enabled(tmp_path: Path) -> None:
    places = Places(root=tmp_path)
    assert enable_at_boot(places.config("mesa-1"), places, nobody) == ()
