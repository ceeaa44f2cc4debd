"""What a table runs with, as it was when its controller was started: for who wants to know whether that is still so."""

from __future__ import annotations

import os
from typing import Any

from tablectl.config.settings import NotRead, secrets_of, settings_of
from tablectl.config.table_file import Config


class Running:
    """Of one controller, from its start on. Any thread may ask."""

    def __init__(self, config: Config, software: str) -> None:
        self._file = config.file
        self._key = os.urandom(32)
        try:
            settings = settings_of(config.file)
        except NotRead:
            settings = {}  # it was read a moment ago; then everything in the file is told as new
        self._secrets = self._digests()
        trace = config.trace
        self._told = {
            "ok": True,
            "file": str(config.file),
            "settings": settings,
            "software": software,
            "is_approved": config.manifest is not None,
            "traces": None if trace is None else {"folder": str(trace.folder), "devices": list(trace.devices)},
        }

    def told(self) -> dict[str, Any]:
        """Settings by their names, the identity of the software, and where traces are recorded, if they are. A secret
        is never told: `changed` names those that are other ones in the file by now."""
        now = self._digests()
        changed = sorted(name for name, digest in self._secrets.items() if now.get(name, digest) != digest)
        return {**self._told, "changed": changed}

    def _digests(self) -> dict[str, bytes]:
        try:
            return secrets_of(self._file, self._key)
        except NotRead:
            return {}
