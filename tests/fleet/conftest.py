"""A pit server, a table that deals and a PostgreSQL, for every test of this folder that asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulators.fleet.debian import NotInstalled
from tablectl.fleet.pit import service
from tablectl.fleet.uplink import sender
from tests.desk import Desk, desk
from tests.fleet.pits import Pit
from tests.fleet.postgres import Cluster


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    made = Pit(tmp_path)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def table() -> Iterator[Desk]:
    with desk() as made:
        made.start()
        yield made


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits a minute for a person, or half a minute for a server, waits a moment here."""
    monkeypatch.setattr(sender, "LONGEST_PAUSE_S", 0.2)
    monkeypatch.setattr(sender, "REFUSED_PAUSE_S", 0.2)
    monkeypatch.setattr(sender, "FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr(sender, "REMEMBER_S", 0.05)
    monkeypatch.setattr(sender, "WRITE_GAP_S", 0.05)
    monkeypatch.setattr(service, "LOOK_S", 0.0)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One for each process of tests."""
    try:
        made = Cluster()
    except NotInstalled as no:
        pytest.skip(str(no))
    yield made
    made.remove()
