"""A table that is followed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.screens.controller import Bench


@pytest.fixture
def socket_path() -> Iterator[Path]:
    """A short path: a Unix socket's may have 107 bytes, and pytest's folders are deep."""
    with tempfile.TemporaryDirectory(prefix="notify-") as folder:
        yield Path(folder) / "control"


@pytest.fixture
def bench() -> Bench:
    """A table for seven, with amounts."""
    return Bench()
