"""A table, its screens and a browser: three parties, joined by a real socket and a real port."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tablectl.people.people import People
from tests.screens.browsing import Tabs, running
from tests.screens.controller import Bench, Controller
from tests.screens.serving import Serving
from tests.screens.stages import Stages


@dataclass(frozen=True, kw_only=True, slots=True)
class Screens:
    """Running screens, and the controller that they follow."""

    url: str
    controller: Controller
    bench: Bench
    people: People


@pytest.fixture(scope="module")
def tabs() -> Iterator[Tabs]:
    """A browser for the tests of one file."""
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def stages() -> Iterator[Stages]:
    """Tables in each state that pages are looked at in, for the tests of one file."""
    with Stages() as found:
        yield found


@pytest.fixture(scope="module")
def ending() -> Iterator[list[Serving]]:
    """Servers that were asked to end: each of them has to, while the next test is under way already."""
    servers: list[Serving] = []
    yield servers
    for server in servers:
        server.ended()


@pytest.fixture
def socket_path() -> Iterator[Path]:
    """A short path: a Unix socket's may have 107 bytes, and pytest's folders are deep."""
    with tempfile.TemporaryDirectory(prefix="screens-") as folder:
        yield Path(folder) / "control"


@pytest.fixture
def bench() -> Bench:
    """A table for seven, with amounts."""
    return Bench()


@pytest.fixture
def screens(socket_path: Path, bench: Bench, ending: list[Serving]) -> Iterator[Screens]:
    """Screens on a free port, following a controller that plays `bench`."""
    with Controller(socket_path, bench) as controller:
        server = Serving(socket_path)
        ending.append(server)
        yield Screens(url=server.url, controller=controller, bench=bench, people=server.people)
        server.end()
