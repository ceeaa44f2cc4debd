"""A pit server with its authority, and a table's journal that is followed, for tests: everything real but the deal."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import uvicorn
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablectl.fleet import batches
from tablectl.fleet.certificates import client_context, new_key, request_of, write_key
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.pit.app import make_app
from tablectl.fleet.pit.authority import Authority
from tablectl.fleet.pit.server import server_of
from tablectl.fleet.pit.service import PitService
from tablectl.fleet.pit.sqlite_store import SqliteStore
from tablectl.fleet.pit.store import KnownTable
from tablectl.fleet.uplink.transport import Https
from tablectl.journal.clock import now_us
from tablectl.journal.signing import Signer, Witness
from tablectl.journal.store import GENESIS, Stored
from tablectl.web.screens.server import listen

PATIENCE_S: Final = 30.0


def until(holds: Callable[[], bool]) -> None:
    """Wait for it, for as long as a busy machine may take."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


class Pit:
    """A pit server in this process, which can be stopped, started and put back. Its files are in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.signer = Signer(Ed25519PrivateKey.generate())
        self.authority = Authority.made("Casino", datetime.now(UTC))
        self.authority.write(folder / "authority.pem", folder / "authority.key")
        key = new_key()
        write_key(folder / "pit.key", key)
        certificate = self.authority.for_server(["127.0.0.1"], key.public_key(), datetime.now(UTC))
        (folder / "pit.pem").write_bytes(certificate)
        self.port = 0
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def witness(self) -> Witness:
        return Witness(self.signer.public)

    @contextmanager
    def store(self) -> Iterator[SqliteStore]:
        """The same file, as another process would open it."""
        store = SqliteStore.open(self.folder / "pit.db")
        try:
            yield store
        finally:
            store.close()

    def enrol(self, name: str, key: bytes) -> None:
        with self.store() as store:
            store.add_table(name, key, "2026-11-28T10:00:00.000000Z")

    def certificate_for(self, name: str) -> ssl.SSLContext:
        """A table's, made where the table is."""
        key, folder = new_key(), self.folder
        write_key(folder / f"{name}.key", key)
        certificate = self.authority.for_table(name, request_of(key, "whoever"), datetime.now(UTC))
        (folder / f"{name}.pem").write_bytes(certificate)
        return self.context_of(name)

    def context_of(self, name: str, authority: Path | None = None) -> ssl.SSLContext:
        folder = self.folder
        return client_context(
            authority=authority or folder / "authority.pem",
            certificate=folder / f"{name}.pem",
            key=folder / f"{name}.key",
        )

    def keep(self, store: SqliteStore, table: KnownTable, records: list[Stored]) -> None:
        """As if these had come."""
        epoch = Epoch(origin=records[0].hash.hex())
        body = batches.packed(epoch, GENESIS, records)
        with store.writing() as writing:
            batch = batches.checked(batches.unpacked(body), Witness(table.key))
            writing.append(table, batch, 1, body, "2026-11-28T10:00:00.000000Z")

    def start(self) -> None:
        keeping, reading = SqliteStore.open(self.folder / "pit.db"), SqliteStore.open(self.folder / "pit.db")
        service = PitService(keeping=keeping, reading=reading, signer=self.signer, now_us=now_us)
        bound = listen("127.0.0.1", self.port)
        self.port = bound.getsockname()[1]
        server = server_of(
            make_app(service),
            certificate=self.folder / "pit.pem",
            key=self.folder / "pit.key",
            authority=self.folder / "authority.pem",
        )

        def serve() -> None:
            service.start()
            with suppress(SystemExit):
                server.run(sockets=[bound])
            service.stop()
            keeping.close()
            reading.close()

        self._server, self._thread = server, threading.Thread(target=serve, daemon=True)
        self._thread.start()
        until(lambda: server.started)

    def stop(self) -> None:
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(PATIENCE_S)
            self._server = None

    def transport(self, context: ssl.SSLContext) -> Https:
        return Https(f"https://127.0.0.1:{self.port}", context)
