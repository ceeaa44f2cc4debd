"""A place for files that are made for one use: emptied before the next one, and gone when the screens end."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class Folder:
    """Nothing is made on the disk before it is used."""

    def __init__(self, name: str) -> None:
        self._prefix = f"tablectl-{name}-"
        self._gone: weakref.finalize[[str, bool], Folder] | None = None

    def fresh(self) -> Path:
        """Empty, and readable for nobody else; what was in the one before is gone."""
        if self._gone is not None:
            self._gone()
        path = tempfile.mkdtemp(prefix=self._prefix)
        self._gone = weakref.finalize(self, shutil.rmtree, path, True)
        return Path(path)
