from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.people.service import houses


@pytest.fixture
def place(tmp_path: Path) -> Iterator[houses.Place]:
    made = houses.place(tmp_path)
    yield made
    made.people.file.close()
