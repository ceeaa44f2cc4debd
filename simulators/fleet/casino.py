"""The tables of a simulated casino at a pit server: enrolled there, with certificates of its authority."""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from simulators.fleet.hands import Lap
from simulators.fleet.tables import SimulatedTable
from tablectl.core.timestamps import time_text, time_us
from tablectl.fleet.certificates import Shown, client_context, new_key, request_of, shown_in_file, write_key
from tablectl.fleet.pit.authority import LIFETIME, Authority
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.settings import PitSection
from tablectl.fleet.pit.store import KnownTable, PitStore
from tablectl.journal.clock import now_us


def enrolled(store: PitStore, name: str, key: bytes, at: str) -> KnownTable:
    """A table that sends nothing over a network, so that what its certificate would say is enough. Raises
    `StoreUnusable`."""
    begins = datetime.fromtimestamp(time_us(at) / 1_000_000, UTC)
    digest = hashlib.sha256(name.encode()).digest()
    store.enrol(name, key, Shown(name=name, key=digest, begins=begins, ends=begins + LIFETIME), at)
    return next(table for table in store.tables() if table.name == name)


class Casino:
    """Tables of one pit server. Their keys and certificates are in `folder`, and are made where there are none."""

    def __init__(self, settings: PitSection, folder: Path, lap: Lap) -> None:
        self._settings = settings
        self._folder = folder
        self._lap = lap
        #: how the names of the newest tables begin
        self.prefix = ""

    def tables(self, count: int, *, seed: int = 1) -> Iterator[SimulatedTable]:
        """So many, each with a signing key of its own. Raises `OSError`, `ValueError`, `StoreUnusable`."""
        self._folder.mkdir(exist_ok=True)
        authority = Authority.read(self._settings.authority, self._settings.authority_key)
        with opened(self._settings) as store:
            # A simulated table remembers nothing: each run has tables of its own.
            turn = 1 + sum(table.name.endswith("-0001") for table in store.tables())
            self.prefix = f"sim-{turn}-"
            for number in range(1, count + 1):
                name = f"{self.prefix}{number:04}"
                signing = hashlib.sha256(f"{seed} {name}".encode()).digest()
                table = SimulatedTable.seeded(name, self._lap, signing)
                if not self._certificate(name).exists():
                    key = new_key()
                    write_key(self._key(name), key)
                    made = authority.for_table(name, request_of(key, name), datetime.now(UTC))
                    self._certificate(name).write_bytes(made)
                store.enrol(name, table.signer.public, shown_in_file(self._certificate(name)), time_text(now_us()))
                yield table

    def context_of(self, name: str) -> ssl.SSLContext:
        """How a table connects."""
        return client_context(
            authority=self._settings.authority, certificate=self._certificate(name), key=self._key(name)
        )

    def _certificate(self, name: str) -> Path:
        return self._folder / f"{name}.pem"

    def _key(self, name: str) -> Path:
        return self._folder / f"{name}.key"
