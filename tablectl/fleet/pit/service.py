"""What the pit server does with what a table sends, whatever it came by: HTTPS here, another transport later."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Final

from tablectl.core.timestamps import time_text
from tablectl.fleet import batches
from tablectl.fleet.batches import BadBatch
from tablectl.fleet.certificates import Shown
from tablectl.fleet.heads import Head
from tablectl.fleet.last_values import decoded, here_in
from tablectl.fleet.pit.floor import Floor, Kept
from tablectl.fleet.pit.ingest import Arrived, Ingest, Taken
from tablectl.fleet.pit.packing import Packing
from tablectl.fleet.pit.store import KnownTable, PitStore, Quarantined
from tablectl.journal import receipts
from tablectl.journal.receipts import Receipt
from tablectl.journal.signing import Signer, Witness
from tablectl.ops.log import LateLog

#: After so many seconds at the latest a table that was revoked is refused.
LOOK_S: Final = 2.0
#: How often the rows that are not packed are counted.
COUNT_S: Final = 60.0

_LOG: Final = LateLog()


class NotAdmitted(Exception):
    """This table may not send. The text says why, and what to do."""

    why = "not-admitted"


class NotInItsTime(NotAdmitted):
    """Its certificate has expired, or is not good yet: the table has another one made, and may send then."""

    why = "wrong-dates"


class PitService:
    """Batches in, signed receipts out. Used by many threads; `reading` is a store of its own for questions, and
    `keeping` the one that the ingest alone writes to."""

    def __init__(self, *, keeping: PitStore, reading: PitStore, signer: Signer, now_us: Callable[[], int]) -> None:
        self._keeping = keeping
        self._reading = reading
        self._read = threading.Lock()
        self._signer = signer
        self._now_us = now_us
        self._tables: Mapping[str, KnownTable] = {}
        self._witnesses: dict[bytes, Witness] = {}
        self._looked_s = self._counted_s = float("-inf")
        self._rows = 0
        self.ingest = Ingest(keeping)
        self.floor = Floor(self._look, self.ingest.keep_values, now_us)
        self._packing = Packing(keeping, self.ingest, now_us)

    def start(self) -> None:
        """Begin to keep what comes, and to pack what came. Raises `StoreUnusable`."""
        if self._keeping.may_pack:
            self._packing.start()
        self.ingest.start()
        with self._read:
            self.floor.remember(self._reading.last_values())
        self.floor.start()

    def stop(self) -> None:
        """Keep what came, and end."""
        self.floor.stop()
        self._packing.stop()
        self.ingest.stop()

    def hear(self, table: KnownTable, body: bytes) -> None:
        """What a table says of itself. Raises `BadValues`."""
        self.floor.hear(table, decoded(body), body)

    def hear_here(self, table: KnownTable, body: bytes) -> None:
        """Whether it is at the broker. Raises `BadValues`."""
        self.floor.hear_here(table.name, here_in(body))

    def _look(self) -> Kept:
        """What the overview shows of the store."""
        with self._read:
            if time.monotonic() - self._counted_s >= COUNT_S:
                self._rows, self._counted_s = self._reading.rows(), time.monotonic()
            return Kept(
                tables=tuple(table for table in self._reading.tables() if not table.revoked),
                reached={found.table: found for found in self._reading.reached()},
                not_taken=self._reading.not_taken(),
                values=self._reading.last_values(),
                rows=self._rows,
            )

    @property
    def has_to_look(self) -> bool:
        """Whether it is time to `look`."""
        return time.monotonic() - self._looked_s > LOOK_S

    def look(self) -> None:
        """Which tables may send, by the store. Raises `StoreUnusable`."""
        with self._read:
            if self.has_to_look:  # somebody else may just have done it
                self._tables = {table.name: table for table in self._reading.tables()}
                self._looked_s = time.monotonic()

    def look_soon(self) -> None:
        """Another table may send, or with another certificate: `look` before the next one asks."""
        self._looked_s = float("-inf")

    def table(self, name: str) -> KnownTable:
        """The table with this name, as it was when somebody looked last. Raises `NotAdmitted`."""
        table = self._tables.get(name)
        if table is None:
            raise NotAdmitted(f"no table {name} is enrolled here; enrol it (tablectl pit enrol)")
        if table.revoked:
            raise NotAdmitted(f"table {name} was revoked on {table.revoked}; enrol it anew by another name")
        return table

    def admitted(self, shown: Shown | None) -> KnownTable:
        """The table whose certificate this is. Raises `NotAdmitted`."""
        if shown is None:
            raise NotAdmitted("no certificate with a name was shown; enrol this table (tablectl uplink --enrol)")
        table = self.table(shown.name)
        if shown.key != table.certificate_key:
            raise NotAdmitted(
                f"another certificate is enrolled for {shown.name}: this one was replaced; enrol the table again"
            )
        now_us = self._now_us()
        if not shown.is_good(datetime.fromtimestamp(now_us / 1_000_000, UTC)):
            raise NotInItsTime(
                f"the certificate of {shown.name} is good from {shown.begins:%Y-%m-%d} to {shown.ends:%Y-%m-%d}; here"
                f" it is {time_text(now_us)}"
            )
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
            epoch=str(head.epoch),
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
