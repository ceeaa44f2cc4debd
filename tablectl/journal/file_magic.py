"""Whether a file that reads as no journal is a damaged one, or never was one: somebody may have named another file.

A damaged journal has remains in it, or lies where one belongs. Only where there is neither nobody is told of damage:
what was lost without a trace is told by what lies beside it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tablectl.journal.volumes import present

#: What no version wrote without it: a record's time or the end of its line, the head or the schema of its database.
_REMAINS: Final = re.compile(
    rb'"at":"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,15}Z","(?:carry|decisions)"'
    rb'|,"hash":"[0-9a-f]{64}"'
    rb"|CREATE TABLE record \(\n"
    rb"|SQLite format 3\0"
)
_LONGEST_BYTES: Final = 128
_BLOCK_BYTES: Final = 1 << 20
#: What a journal has beside it, by the ending of its name: its copy, its public key, its log and its index.
_BESIDE: Final = (".db", ".copy", ".pub")
_LOGS: Final = ("-wal", "-shm")


def was_journal(path: Path) -> bool:
    """Whether this file is a journal, a copy of one or lines of its stream, or the damaged rest of one. An empty file
    may be. Raises `OSError`."""
    files = tuple(present(path).values())
    return len(files) != 1 or files[0].stat().st_size == 0 or _lies_beside(path) or _has_remains(path)


def _lies_beside(path: Path) -> bool:
    others = [path.with_suffix(text) for text in _BESIDE if text != path.suffix]
    return any(other.exists() for other in (*others, *(path.with_name(f"{path.name}{log}") for log in _LOGS)))


def _has_remains(path: Path) -> bool:
    before = b""
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            if _REMAINS.search(before + block) is not None:
                return True
            before = block[-_LONGEST_BYTES:]
    return False
