"""The section `trace` of a configuration: whether traffic is recorded, of whom, where, and how much of it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablectl.config.reader import Reader
from tablectl.config.schema import complete, key_of
from tablectl.config.sections import FILE_BYTES, FILES, TraceSection
from tablectl.core.validation import one_of_near, sentence


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


def read_trace(reader: Reader, raw: dict[str, Any], devices: Sequence[str]) -> TraceSettings | None:
    """What a file says; None where nothing is recorded. `devices`: the table's."""
    found = reader.table(raw, "trace")
    if not found:
        return None
    said = reader.values(TraceSection, found, "trace.")
    names = tuple(dict.fromkeys(said.get("devices", devices)))
    for name in names:
        if name not in devices:
            reader.wrong(
                "trace.devices",
                repr(name),
                sentence("a device of this table: {words}", words=one_of_near(name, devices)),
            )
    if not names:
        reader.wrong("trace.devices", "[]", key_of(TraceSection, "devices").says.right)
    section = complete(TraceSection, said)
    if section is None:
        return None
    made = TraceSettings(folder=section.folder, devices=names, file_bytes=section.file_bytes, files=section.files)
    # Everybody who looks at the start knows.
    megabytes = -(-made.most_bytes // 1_000_000)
    reader.notice("trace", folder=made.folder, devices=", ".join(made.devices), megabytes=megabytes)
    return made
