"""What a restored table needs so that it deals after the machine's next start: its target and its backup timer."""

from __future__ import annotations

from pathlib import Path

from tablectl.ops.setup.backing_up import has_unit, timer
from tablectl.ops.setup.install_steps import Run, enable, run
from tablectl.ops.setup.places import Places


def units_of(file: Path, places: Places) -> tuple[str, ...]:
    """The units that start with the machine for the table of this configuration; none where the package's units do not
    read this file, or are not there."""
    if file.absolute() != places.config(file.stem) or not has_unit(places):
        return ()
    return (f"tablectl@{file.stem}.target", timer(file.stem))


def enable_at_boot(file: Path, places: Places, command: Run = run) -> tuple[str, ...]:
    """Have them start with the machine, and none of them now: the second copy may have records that the backup has not.
    Which they are. Raises `NotDone`."""
    units = units_of(file, places)
    for unit in units:
        enable(unit, command, is_started=False)
    return units
