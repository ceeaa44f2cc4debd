"""A table's records, made for tests: a real chain with real signatures, of facts that nobody played."""

from __future__ import annotations

import json
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablectl.fleet import batches
from tablectl.fleet.epochs import Epoch
from tablectl.journal.signing import Signer, Witness
from tablectl.journal.store import BEGINNING, Position, Stored, chained

RESTORED: Final = "restored"


class Chain:
    """The journal of one table, which can be put back to an earlier record."""

    def __init__(self) -> None:
        self.signer = Signer(Ed25519PrivateKey.generate())
        self.records: list[Stored] = []
        self.epoch = Epoch()
        #: the epoch of each record
        self.epochs: list[Epoch] = []

    @property
    def witness(self) -> Witness:
        return Witness(self.signer.public)

    @property
    def newest(self) -> Position:
        return Position(self.records[-1].seq, self.records[-1].hash) if self.records else BEGINNING

    def add(self, count: int = 1, *, kind: str = "pressed", text: str = "") -> None:
        """So many records; the last one of each hand of ten is signed."""
        for _ in range(count):
            seq, before = self.newest.seq + 1, self.newest.hash
            told = {
                "seq": seq,
                "hand": (seq + 9) // 10,
                "at": f"2026-11-28T10:{seq // 60 % 60:02}:{seq % 60:02}.000000Z",
                "fact": {"kind": kind, "text": text or "x" * (seq % 7)},
                "decisions": [{"kind": "phase-entered"}],
            }
            public = json.dumps(told, separators=(",", ":")).encode()
            link = chained(before, public)
            signature = self.signer.sign(seq, link) if seq % 10 == 0 else None
            if not self.records:
                self.epoch = Epoch(origin=link.hex())
            elif kind == RESTORED:
                self.epoch = self.epoch.after_restore()
            self.records.append(
                Stored(
                    seq=seq,
                    hand=(seq + 9) // 10,
                    boundary=False,
                    public=public,
                    hash=link,
                    signature=signature,
                    sealed=None,
                )
            )
            self.epochs.append(self.epoch)

    def back_to(self, seq: int) -> None:
        """As a backup had it."""
        del self.records[seq:], self.epochs[seq:]

    def body(self, first: int, last: int, *, epoch: Epoch | None = None) -> bytes:
        """These records as the uplink sends them."""
        before = self.records[first - 2].hash if first > 1 else BEGINNING.hash
        return batches.packed(epoch or self.epochs[last - 1], before, self.records[first - 1 : last])

    def batch(self, first: int, last: int, *, epoch: Epoch | None = None) -> batches.CheckedBatch:
        """As the pit server checks it."""
        return batches.checked(batches.unpacked(self.body(first, last, epoch=epoch)), self.witness)
