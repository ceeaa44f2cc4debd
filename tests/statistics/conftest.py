"""What tests of the statistics need: a short path for a socket, and a store that says when it was written."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def socket_path() -> Iterator[Path]:
    """A Unix socket's path may have 107 bytes, and pytest's folders are deep."""
    with tempfile.TemporaryDirectory(prefix="statistics-") as folder:
        yield Path(folder) / "control"
