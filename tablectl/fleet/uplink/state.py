"""What the uplink remembers: how far its pit server had acknowledged. What still has to be sent is in the journal."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from tablectl.fleet.receipts import Receipt


class StateFile:
    """One receipt, the newest that the pit server gave. Written whole or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Receipt | None:
        """None where there is none, or nobody can read it: then the pit server says how far it is. Raises `OSError`."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Receipt)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def write(self, receipt: Receipt) -> None:
        """Remember it. Raises `OSError`."""
        made = self._path.with_name(f"{self._path.name}.new")
        descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(receipt))
            file.flush()
            os.fsync(file.fileno())
        made.replace(self._path)
