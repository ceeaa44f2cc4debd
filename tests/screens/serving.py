"""The screens' server, in a thread of a test."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tablectl.ops.connections import listen
from tablectl.people.service.answering import PasskeyRules
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.server import PLAIN, Transport, address, listen_also, make_server
from tests.screens.signed_on import house, staffed


class Serving:
    """The screens' server in a thread, on a free port, and at a Unix socket where one is given."""

    def __init__(
        self,
        socket_path: Path,
        accounts: Path | None = None,
        *,
        files: TableFiles | None = None,
        passkeys: PasskeyRules | None = None,
        transport: Transport | None = None,
        also: Path | None = None,
    ) -> None:
        self._bound = listen("127.0.0.1", 0)
        self._listening = [self._bound] if also is None else [self._bound, listen_also(also)]
        #: with one of each role, signed on
        self.people = house(staffed(_file_beside(socket_path)) if accounts is None else accounts)
        self._server = make_server(socket_path, self.people, files, passkeys=passkeys, transport=transport or PLAIN)
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
def served(socket_path: Path, files: TableFiles | None = None) -> Iterator[Serving]:
    """A server that has ended at the end of the context."""
    server = Serving(socket_path, files=files)
    try:
        yield server
    finally:
        server.end()
        server.ended()


@contextmanager
def serving(socket_path: Path, files: TableFiles | None = None) -> Iterator[str]:
    """The same; gives its address."""
    with served(socket_path, files) as server:
        yield server.url
