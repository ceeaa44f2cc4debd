"""A house with a clock of its own: nothing here waits for a real one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tablectl.core.roles import Role
from tablectl.people.people import People
from tests.people.clock import Clock
from tests.screens.signed_on import CHEAP, PASSWORD, PIN


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def people(tmp_path: Path, clock: Clock) -> Iterator[People]:
    """With ana, who deals, luis, a pit boss, and marta, the manager; all with the same secrets."""
    made = People(tmp_path / "people.db", parameters=CHEAP, now_us=clock.now_us)
    kept, pin = made.hashing.made(PASSWORD), made.hashing.made(PIN)
    for name, role in (("ana", Role.CROUPIER), ("luis", Role.PIT_BOSS), ("marta", Role.MANAGER)):
        made.accounts.make(name, display=name.title(), roles=[role], password=kept)
        made.accounts.set_password(name, kept, must_change=False)
    made.accounts.set_pin("ana", pin)
    yield made
    made.file.close()
