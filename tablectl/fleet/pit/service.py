"""What the pit server does with what a table sends, whatever it came by: HTTPS here, another transport later."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Final

from tablectl.core.timestamps import time_text
from tablectl.fleet import batches, receipts
from tablectl.fleet.batches import BadBatch
from tablectl.fleet.heads import Head
from tablectl.fleet.pit.ingest import Arrived, Ingest, Taken
from tablectl.fleet.pit.store import KnownTable, PitStore, Quarantined
from tablectl.fleet.receipts import Receipt
from tablectl.journal.signing import Signer, Witness
from tablectl.ops.log import LateLog

#: After so many seconds at the latest a table that was revoked is refused.
LOOK_S: Final = 2.0

_LOG: Final = LateLog()


class NotAdmitted(Exception):
    """This table may not send. The text says why, and what to do."""


class PitService:
    """Batches in, signed receipts out. Used by many threads; `reading` is a store of its own for questions, and
    `keeping` the one that the ingest alone writes to."""

    def __init__(self, *, keeping: PitStore, reading: PitStore, signer: Signer, now_us: Callable[[], int]) -> None:
        self._reading = reading
        self._read = threading.Lock()
        self._signer = signer
        self._now_us = now_us
        self._tables: Mapping[str, KnownTable] = {}
        self._witnesses: dict[bytes, Witness] = {}
        self._looked_s = float("-inf")
        self.ingest = Ingest(keeping)

    def start(self) -> None:
        """Begin to keep what comes."""
        self.ingest.start()

    def stop(self) -> None:
        """Keep what came, and end."""
        self.ingest.stop()

    def table(self, name: str) -> KnownTable:
        """The table with this name. Raises `NotAdmitted`."""
        if time.monotonic() - self._looked_s > LOOK_S:
            with self._read:
                self._tables = {table.name: table for table in self._reading.tables()}
            self._looked_s = time.monotonic()
        table = self._tables.get(name)
        if table is None:
            raise NotAdmitted(f"no table {name} is enrolled here; enrol it (tablectl pit enrol)")
        if table.revoked:
            raise NotAdmitted(f"table {name} was revoked on {table.revoked}; enrol it anew by another name")
        return table

    def take(self, table: KnownTable, body: bytes) -> Future[Taken]:
        """A batch as it came. Raises `BadBatch`, which is on record then."""
        at = self.now
        try:
            batch = batches.checked(batches.unpacked(body), self._witness(table))
        except BadBatch as bad:
            _LOG.warning("a batch was refused", sender=table.name, seq=bad.seq, flaw=bad.flaw, reason=str(bad))
            self.ingest.quarantine(
                Quarantined(
                    at=at,
                    table=table.name,
                    seq=bad.seq,
                    flaw=bad.flaw,
                    why=str(bad),
                    body=body[: batches.BODY_BYTES_MOST],
                )
            )
            raise
        return self.ingest.take(Arrived(table=table, batch=batch, body=body, at=at))

    def receipt(self, table: KnownTable, head: Head) -> Receipt:
        """What a table is told of what is durable."""
        return receipts.signed(
            self._signer,
            table=table.name,
            epoch=head.epoch,
            seq=head.position.seq,
            link=head.position.hash,
            at=self.now,
        )

    def head(self, table: KnownTable) -> Head:
        """How far the records of a table are durable here."""
        with self._read:
            return self._reading.head(table)

    def hash_of(self, table: KnownTable, seq: int) -> bytes | None:
        """The hash of a record that is durable here; None where there is none."""
        with self._read:
            return self._reading.hash_of(table, seq)

    def _witness(self, table: KnownTable) -> Witness:
        found = self._witnesses.get(table.key)
        if found is None:
            found = self._witnesses[table.key] = Witness(table.key)
        return found

    @property
    def now(self) -> str:
        """The server's time (RFC 3339, UTC)."""
        return time_text(self._now_us())
