"""A pit server with its authority, and a table's journal that is followed, for tests: everything real but the deal."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import uvicorn
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablectl.config.sections import UplinkSection
from tablectl.fleet import batches
from tablectl.fleet.certificates import client_context, new_key, read_key, request_of, shown_in_file, write_key
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.pit.app import make_app
from tablectl.fleet.pit.authority import Authority
from tablectl.fleet.pit.broker import BrokerDoor
from tablectl.fleet.pit.floor import Floor
from tablectl.fleet.pit.identity import Identity
from tablectl.fleet.pit.own_certificate import OwnCertificate
from tablectl.fleet.pit.server import TABLES, server_of
from tablectl.fleet.pit.service import PitService
from tablectl.fleet.pit.sqlite_store import SqliteStore
from tablectl.fleet.pit.store import KnownTable
from tablectl.fleet.topics import PIT
from tablectl.fleet.uplink.transport import Https
from tablectl.journal.clock import now_us
from tablectl.journal.public_keys import public_pem
from tablectl.journal.signing import Signer, Witness
from tablectl.journal.store import GENESIS, Stored
from tablectl.ops.connections import listen
from tests.waiting import PATIENCE_S, until


class Pit:
    """A pit server in this process, which can be stopped, started and put back. Its files are in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.signer = Signer(Ed25519PrivateKey.generate())
        (folder / "pit.pub").write_bytes(public_pem(self.signer.public))
        self.authority = Authority.made("Casino", datetime.now(UTC))
        self.authority.write(folder / "authority.pem", folder / "authority.key")
        write_key(folder / "pit.key", new_key())
        self.own_certificate(datetime.now(UTC))
        self.port = 0
        #: where tables are heard too; empty: by HTTPS alone
        self.broker = ""
        self.door: BrokerDoor | None = None
        #: set by whoever gives it a wrong clock, or another authority
        self.now_us: Callable[[], int] = now_us
        self.read_authority: Callable[[], Authority] = partial(
            Authority.read, folder / "authority.pem", folder / "authority.key"
        )
        self._server: uvicorn.Server | None = None
        self._service: PitService | None = None
        self._thread: threading.Thread | None = None

    @property
    def witness(self) -> Witness:
        return Witness(self.signer.public)

    def own_certificate(self, now: datetime) -> None:
        """Made at this time."""
        key = read_key(self.folder / "pit.key").public_key()
        (self.folder / "pit.pem").write_bytes(self.authority.for_server(["127.0.0.1"], key, now))

    def time_us(self) -> int:
        """By its clock as that is now."""
        return self.now_us()

    @property
    def floor(self) -> Floor:
        """All tables as the running server sees them."""
        assert self._service is not None
        return self._service.floor

    @contextmanager
    def store(self) -> Iterator[SqliteStore]:
        """The same file, as another process would open it."""
        store = SqliteStore.open(self.folder / "pit.db")
        try:
            yield store
        finally:
            store.close()

    def forget(self) -> None:
        """The server loses everything that it had."""
        for path in self.folder.glob("pit.db*"):
            path.unlink()

    def enrol(self, name: str, key: bytes) -> None:
        """By file, with the certificate that is there or a new one. `key`: of the table's journal."""
        self.certificate_for(name)
        with self.store() as store:
            store.enrol(name, key, shown_in_file(self.folder / f"{name}.pem"), "2026-11-28T10:00:00.000000Z")

    def certificate_for(self, name: str) -> ssl.SSLContext:
        """A table's, made where the table is; the one that is there."""
        if not (self.folder / f"{name}.pem").exists():
            self.new_certificate(name, datetime.now(UTC))
        return self.context_of(name)

    def new_certificate(self, name: str, now: datetime) -> None:
        """Made at this time, for a new key."""
        key, folder = new_key(), self.folder
        (folder / f"{name}.key").unlink(missing_ok=True)
        write_key(folder / f"{name}.key", key)
        (folder / f"{name}.pem").write_bytes(self.authority.for_table(name, request_of(key, "whoever"), now))

    def settings_of(self, name: str) -> UplinkSection:
        """Of the uplink of this table, whose files are in the server's folder."""
        folder = self.folder
        return UplinkSection(
            url=f"https://127.0.0.1:{self.port}",
            name=name,
            authority=folder / "authority.pem",
            certificate=folder / f"{name}.pem",
            key=folder / f"{name}.key",
            pit_key=folder / "pit.pub",
            state=folder / f"{name}.uplink",
        )

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

    def _door(self, service: PitService) -> BrokerDoor | None:
        self.door = BrokerDoor(self.broker, self.context_of(PIT), service) if self.broker else None
        return self.door

    def start(self) -> None:
        stores = keeping, reading, enrolling = [SqliteStore.open(self.folder / "pit.db") for _ in range(3)]
        service = self._service = PitService(keeping=keeping, reading=reading, signer=self.signer, now_us=self.time_us)
        identity = Identity(store=enrolling, authority=self.read_authority, signer=self.signer, now_us=self.time_us)
        bound = listen("127.0.0.1", self.port, TABLES)
        self.port = bound.getsockname()[1]
        server = server_of(
            make_app(service, identity, self._door(service)),
            certificate=self.folder / "pit.pem",
            key=self.folder / "pit.key",
            authority=self.folder / "authority.pem",
            own=OwnCertificate(
                certificate=self.folder / "pit.pem",
                key=self.folder / "pit.key",
                names=["127.0.0.1"],
                authority=self.read_authority,
                now_us=self.time_us,
            ),
        )

        def serve() -> None:
            service.start()
            with suppress(SystemExit):
                server.run(sockets=[bound])
            service.stop()
            for store in stores:
                store.close()

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
