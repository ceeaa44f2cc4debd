"""Which traces a table keeps: by what stands unsealed in front of each file. What is in them, no key here opens."""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

_MAGIC: Final = b"tablectl trace "
_LINES_MAX: Final = 1 << 16
#: A name that can be asked for, and no way out of the folder.
NAME: Final = re.compile(r"[\w][\w .+-]*\.trace")


@dataclass(frozen=True, kw_only=True, slots=True)
class TraceRow:
    """One file. `began` is empty for one that is no trace."""

    name: str
    n_bytes: int
    began: str
    device: str
    driver: str
    is_recording: bool


def traces_in(folder: Path) -> tuple[TraceRow, ...]:
    """Newest first. Nothing where the folder is not there."""
    found = sorted(_rows(folder), key=lambda row: (row.began, row.name), reverse=True)
    return tuple(found)


def traces_answer(folder: Path | None) -> dict[str, Any]:
    """What is said to whoever asks which traces a table keeps; the files are open to nobody but the controller."""
    return {"ok": True, "traces": [asdict(row) for row in (() if folder is None else traces_in(folder))]}


def _rows(folder: Path) -> Iterator[TraceRow]:
    for path in folder.glob("*.trace") if folder.is_dir() else ():
        try:
            yield _row(path)
        except OSError:
            continue  # the oldest goes when there are too many


def _row(path: Path) -> TraceRow:
    with path.open("rb") as file:
        about: object = None
        if file.readline(64).startswith(_MAGIC):
            try:
                about = json.loads(file.readline(_LINES_MAX))
            except ValueError:
                about = None
        said = about if isinstance(about, dict) else {}
        return TraceRow(
            name=path.name,
            n_bytes=path.stat().st_size,
            began=str(said.get("began", "")),
            device=str(said.get("device", "")),
            driver=str(said.get("driver", "")),
            is_recording=is_recording(file.fileno()),
        )


def is_recording(descriptor: int) -> bool:
    """Whether a table writes into it: that one holds a lock."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return False
