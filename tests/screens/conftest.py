"""A table, its screens and a browser: three parties, joined by a real socket and a real port."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tablectl.screens.server import address, listen, make_server
from tests.screens.controller import Bench, Controller


@dataclass(frozen=True, kw_only=True, slots=True)
class Screens:
    """Running screens, and the controller that they follow."""

    url: str
    controller: Controller
    bench: Bench


@contextmanager
def serving(socket_path: Path) -> Iterator[str]:
    """The screens' server in a thread, on a free port; gives its address without the last slash."""
    bound = listen("127.0.0.1", 0)
    server = make_server(socket_path)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])), daemon=True)
    thread.start()
    try:
        yield address("127.0.0.1", bound).rstrip("/")
    finally:
        server.should_exit = True
        thread.join(10)
        bound.close()
        assert not thread.is_alive(), "the server must end although pages are still connected"


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
def screens(socket_path: Path, bench: Bench) -> Iterator[Screens]:
    """Screens on a free port, following a controller that plays `bench`."""
    with Controller(socket_path, bench) as controller, serving(socket_path) as url:
        yield Screens(url=url, controller=controller, bench=bench)
