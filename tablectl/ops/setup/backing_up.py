"""The daily backups of a table: the timer that makes them, and the folder where somebody wants them (docs/backup.md).

The unit as it is shipped writes below `/var/backups/tablectl`. Another folder is told to it by a drop-in, because what
else a service may write stands in its unit and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablectl.journal.whole_file import write_whole
from tablectl.ops.setup.install_steps import NotDone, Run, enable, run
from tablectl.ops.setup.places import Places
from tablectl.ops.setup.questions import Refused

#: A folder that a unit takes as it stands: no blank, no quote, and none of the signs that systemd reads in its own way.
FOLDER: Final = r"/[^\x00-\x20\x7f\"'\\$%:;]{1,200}"
#: What the unit of the backups does not see (ProtectHome=, PrivateTmp=, PrivateDevices=), and what is no disk.
_HIDDEN: Final = tuple(Path("/", word) for word in ("home", "root", "run", "tmp", "var/tmp", "dev", "proc", "sys"))
#: How many archives stay; as in the unit.
_KEPT: Final = 14
_SHIPPED: Final = "tablectl-backup@.timer"
_DROP_IN: Final = "folder.conf"


def check_folder(folder: str) -> None:
    """Raises `Refused` for a folder that the unit could not use."""
    if ".." in Path(folder).parts:
        raise Refused("folder")
    hidden = next((path for path in _HIDDEN if Path(folder).is_relative_to(path)), None)
    if hidden is not None:
        raise Refused("folder-hidden", hidden=hidden)


def has_unit(places: Places) -> bool:
    """Whether the package's units are there."""
    return (places.shipped_units / _SHIPPED).exists() or (places.units / _SHIPPED).exists()


def timer(name: str) -> str:
    """The unit that makes a backup of this table a day."""
    return f"tablectl-backup@{name}.timer"


def by_hand(name: str, config: Path, folder: Path) -> str:
    """The command that makes one now."""
    return f"tablectl backup {config} {folder / name} --keep {_KEPT}"


def commands(name: str, folder: Path, places: Places) -> tuple[str, ...]:
    """What root types to have one made a day: the same as `begin` does."""
    place = _drop_in(name, places)
    if folder == places.backups:
        return (f"systemctl enable --now {timer(name)}",)
    words = " ".join(f"'{line}'" for line in _lines(folder))
    return (
        f"mkdir -p {place.parent}",
        f"printf '%s\\n' {words} > {place}",
        "systemctl daemon-reload",
        f"systemctl enable --now {timer(name)}",
    )


def begin(name: str, folder: Path, places: Places, command: Run = run) -> None:
    """A backup a day from now on, in this folder. Raises `NotDone`, `OSError`."""
    place = _drop_in(name, places)
    wanted = None if folder == places.backups else "".join(f"{line}\n" for line in _lines(folder))
    if wanted != _there(place):
        if wanted is None:
            place.unlink()
        else:
            _write(place, wanted)
        status, said = command(["systemctl", "daemon-reload"])
        if status != 0:
            raise NotDone("not-started", unit=timer(name), reason=said.strip())
    enable(timer(name), command)


def _drop_in(name: str, places: Places) -> Path:
    return places.units / f"tablectl-backup@{name}.service.d" / _DROP_IN


def _lines(folder: Path) -> Iterator[str]:
    yield "[Unit]"
    yield f"RequiresMountsFor={folder}"
    yield "[Service]"
    yield f"Environment=TABLECTL_BACKUPS={folder}"
    # ExecStartPre= makes it; until then there is none.
    yield f"ReadWritePaths=-{folder}/%i"


def _there(place: Path) -> str | None:
    try:
        return place.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def _write(place: Path, text: str) -> None:
    """Whole or not at all: half a drop-in would send the backups somewhere else."""
    place.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    write_whole(place, text.encode(), prepare=lambda new: new.chmod(0o644))
