"""The section `trace` of a configuration: whether traffic is recorded, of whom, where, and how much of it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tablectl.config.validation import Mistake, one_of_near

#: A file ends when it has reached this, and the oldest of a device goes when there are more than so many.
FILE_BYTES: Final = 16_000_000
FILES: Final = 8
FILE_LEAST, FILE_MOST = 100_000, 1_000_000_000
FILES_LEAST, FILES_MOST = 1, 10_000
KEYS: Final = ("folder", "devices", "file_bytes", "files")


@dataclass(frozen=True, kw_only=True, slots=True)
class TraceSettings:
    """`devices`: names, the whole table where none is named. `file_bytes`, `files`: of each device."""

    folder: Path
    devices: tuple[str, ...]
    file_bytes: int = FILE_BYTES
    files: int = FILES

    @property
    def most_bytes(self) -> int:
        """What all of it takes on the disk at most."""
        return self.file_bytes * self.files * len(self.devices)


def trace_of(
    section: Mapping[str, Any], *, where: str, base: Path, devices: Iterable[str]
) -> TraceSettings | list[Mistake] | None:
    """What a section says; None where there is none, and every mistake where there are any.

    `base`: relative folders are taken from there; `devices`: the table's.
    """
    if not section:
        return None
    known = tuple(devices)
    mistakes = [
        Mistake(where=where, key=key, found="a key that is not known here", right=one_of_near(key, KEYS))
        for key in section
        if key not in KEYS
    ]

    def wrong(key: str, found: object, right: str) -> None:
        mistakes.append(Mistake(where=where, key=key, found="nothing" if found is None else repr(found), right=right))

    folder = section.get("folder")
    if not isinstance(folder, str) or not folder.strip() or "\0" in folder:
        wrong("folder", folder, "the path of a folder for the traces")
    names = section.get("devices", list(known))
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        wrong("devices", names, "a list of devices' names, or no such key for all of them")
        names = []
    for name in names:
        if name not in known:
            wrong("devices", name, f"a device of this table: {one_of_near(name, known)}")
    numbers = {}
    for key, least, most, default in (
        ("file_bytes", FILE_LEAST, FILE_MOST, FILE_BYTES),
        ("files", FILES_LEAST, FILES_MOST, FILES),
    ):
        numbers[key] = section.get(key, default)
        if type(numbers[key]) is not int or not least <= numbers[key] <= most:
            wrong(key, numbers[key], f"a whole number from {least} to {most}")
    if mistakes:
        return mistakes
    return TraceSettings(folder=(base / str(folder)).resolve(), devices=tuple(dict.fromkeys(names)), **numbers)
