"""A table, its screens and a browser: three parties, joined by a real socket and a real port."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from tablectl.people.auditing import Audited
from tablectl.people.people import People
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.server import PLAIN, Transport, address, listen, listen_also, make_server
from tests.screens.controller import Bench, Controller
from tests.screens.signed_on import house, staffed


@dataclass(frozen=True, kw_only=True, slots=True)
class Screens:
    """Running screens, and the controller that they follow."""

    url: str
    controller: Controller
    bench: Bench
    people: People


class Serving:
    """The screens' server in a thread, on a free port, and at a Unix socket where one is given."""

    def __init__(
        self,
        socket_path: Path,
        accounts: Path | None = None,
        *,
        files: TableFiles | None = None,
        audited: Audited | None = None,
        transport: Transport | None = None,
        also: Path | None = None,
    ) -> None:
        self._bound = listen("127.0.0.1", 0)
        self._listening = [self._bound] if also is None else [self._bound, listen_also(also)]
        #: with one of each role, signed on
        self.people = house(staffed(_file_beside(socket_path)) if accounts is None else accounts)
        self._server = make_server(socket_path, self.people, files, audited=audited, transport=transport or PLAIN)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        #: its address without the last slash
        self.url = address("127.0.0.1", self._bound).rstrip("/")

    async def _serve(self) -> None:
        await self._server.serve(sockets=self._listening)
        # A browser may connect while the server says goodbye. A real one ends with its process; this one is a thread.
        for connection in tuple(self._server.server_state.connections):
            connection.transport.close()
        await asyncio.sleep(0)

    def end(self) -> None:
        """Ask it to. It looks ten times a second, and takes another tenth of one to say goodbye."""
        self._server.should_exit = True

    def ended(self) -> None:
        """Wait until it has."""
        self._thread.join(10)
        for socket in self._listening:
            socket.close()
        self.people.file.close()
        assert not self._thread.is_alive(), "the server must end although pages are still connected"


def _file_beside(socket_path: Path) -> Path:
    """A new file of accounts for each server: two of them may run at the same socket."""
    return socket_path.with_name(f"people-{next(_NUMBERS)}.db")


_NUMBERS = count(1)


@contextmanager
def serving(socket_path: Path, files: TableFiles | None = None, audited: Audited | None = None) -> Iterator[str]:
    """A server that has ended at the end of the context; gives its address."""
    server = Serving(socket_path, files=files, audited=audited)
    try:
        yield server.url
    finally:
        server.end()
        server.ended()


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
