"""Sends the public records of a table to its pit server, in their order, each until it is acknowledged.

Nothing waits here but the batch on its way: the journal is the outbox. Where pit server and journal do not go on from
the same record, they are compared: a journal that was restored goes on in a new epoch, from the last record that both
have; a pit server that has less than it acknowledged lost records, which is said, and gets them again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from tablectl.api.client import NoController, Subscription, ask
from tablectl.fleet import batches, receipts
from tablectl.fleet.batches import BadBatch
from tablectl.fleet.epochs import RESTORED_KIND, Epoch
from tablectl.fleet.epochs import parse as parse_epoch
from tablectl.fleet.receipts import Receipt
from tablectl.fleet.uplink.state import StateFile
from tablectl.fleet.uplink.transport import PitAway, PitRefuses, Transport
from tablectl.journal.lines import NoLine, parse
from tablectl.journal.signing import Witness
from tablectl.journal.store import BEGINNING, Position, Stored
from tablectl.ops.log import LateLog

#: So long after its first record a batch goes, whatever is in it.
FLUSH_S: Final = 0.1
#: A journal that lacks records of the pit server says so long after its start that it was restored, or it was not.
RESTORE_NOTE_S: Final = 5.0
#: How often it looks whether it has to end, while no record comes.
_LOOK_S: Final = 0.25
#: How often it remembers how far the pit server is.
REMEMBER_S: Final = 10.0
#: A record that is stored comes at once; where none comes, the table has none.
_STORED_S: Final = 2.0
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0
#: Where the pit server says that this is a fork, or that the table is not admitted, a person has to look.
REFUSED_PAUSE_S: Final = 60.0

_LOG: Final = LateLog()


class Link(StrEnum):
    """How it is between the table and its pit server."""

    #: nothing was heard yet
    CONNECTING = "connecting"
    #: records go there as they come
    SENDING = "sending"
    #: the pit server does not answer
    AWAY = "away"
    #: what answers there has not the key of our pit server
    UNKNOWN_SERVER = "unknown-server"
    #: the pit server has less than it acknowledged
    LOST_RECORDS = "lost-records"
    #: the pit server does not admit this table
    NOT_ADMITTED = "not-admitted"
    #: the pit server has another record under the same number
    FORK = "fork"
    #: the pit server says that what is sent is wrong in itself
    REFUSED = "refused"
    #: the controller of the table does not answer
    NO_TABLE = "no-table"


_OF_WORDS: Final = {"fork": Link.FORK, "not-admitted": Link.NOT_ADMITTED, "unknown-server": Link.UNKNOWN_SERVER}


class UplinkStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How it is, why, and how far records are acknowledged."""

    link: Link = Link.CONNECTING
    why: str = ""
    acked: int = 0


class UnknownServer(Exception):
    """What answers has not the key of our pit server."""


class _Collected:
    """The records of the next batch, and since when the first one waits."""

    def __init__(self) -> None:
        self.records: list[Stored] = []
        self._bytes = 0
        self._since_s = 0.0

    def add(self, stored: Stored) -> None:
        """One more."""
        if not self.records:
            self._since_s = time.monotonic()
        self.records.append(stored)
        self._bytes += batches.room_of(stored.public)

    def is_full(self, stored: Stored) -> bool:
        """Whether there is no room for this one."""
        takes = batches.room_of(stored.public)
        return len(self.records) == batches.RECORDS_MOST or self._bytes + takes > batches.BYTES_MOST

    def is_due(self, after_s: float) -> bool:
        """Whether the first one has waited so long."""
        return bool(self.records) and time.monotonic() - self._since_s >= after_s

    def wait_s(self, after_s: float) -> float:
        """How long the next record can be waited for, where the first one waits no longer than this."""
        return min(_LOOK_S, max(0.0, self._since_s + after_s - time.monotonic())) if self.records else _LOOK_S


class Uplink:
    """One table's. `run` in a thread of its own, until `stop`."""

    def __init__(
        self,
        *,
        socket: Path,
        table: str,
        connect: Callable[[], Transport],
        pit: Witness,
        state: StateFile,
    ) -> None:
        """`pit`: knows the key of the pit server."""
        self._socket = socket
        self._table = table
        self._connect = connect
        self._pit = pit
        self._state = state
        self._ending = threading.Event()
        self._remembered_s = float("-inf")
        self.status = UplinkStatus()

    def stop(self) -> None:
        """End, within the time that the pit server takes for an answer."""
        self._ending.set()

    def run(self) -> None:
        """Send for ever, through everything that can go wrong."""
        pause_s = FIRST_PAUSE_S
        while not self._ending.is_set():
            acked = self.status.acked
            link, why = self._went_wrong()
            if self._ending.is_set():
                return
            self._note(link, why)
            if link in (Link.FORK, Link.NOT_ADMITTED, Link.REFUSED, Link.UNKNOWN_SERVER):
                pause_s = REFUSED_PAUSE_S
            elif self.status.acked != acked:
                pause_s = FIRST_PAUSE_S
            self._ending.wait(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _went_wrong(self) -> tuple[Link, str]:
        """Send until something goes wrong: what, and why."""
        try:
            with closing(self._connect()) as transport:
                self._send_all(transport)
        except PitAway as why:
            return Link.AWAY, str(why)
        except PitRefuses as no:
            return _OF_WORDS.get(no.why, Link.REFUSED), str(no)
        except UnknownServer as no:
            return Link.UNKNOWN_SERVER, str(no)
        except (NoController, NoLine) as why:
            return Link.NO_TABLE, str(why)
        except BadBatch as no:
            return Link.REFUSED, f"this version cannot send it: {no}"
        except OSError as why:
            return Link.AWAY, str(why)
        return Link.CONNECTING, ""

    def _note(self, link: Link, why: str = "") -> None:
        if (link, why) != (self.status.link, self.status.why):
            if link in (Link.SENDING, Link.CONNECTING):
                _LOG.info("records are sent", after=self.status.acked)
            else:
                _LOG.warning("records are not sent", why=link, reason=why, acknowledged=self.status.acked)
            self.status = msgspec.structs.replace(self.status, link=link, why=why)

    # --- where both go on -------------------------------------------------------------------------------------------

    def _send_all(self, transport: Transport) -> None:
        head = self._good(transport.head())
        remembered, epoch = self._state.read(), parse_epoch(head.epoch)
        if remembered is not None and _place_of(remembered) > _place_of(head):
            self._note(
                Link.LOST_RECORDS, f"it acknowledged record {remembered.seq} and has {head.seq}; they are sent again"
            )
        before = self._last_common(transport, head)
        with Subscription(self._socket, after=before.seq) as stream:
            if self.status.link is not Link.LOST_RECORDS:
                self._note(Link.SENDING)
            self._follow(transport, stream, epoch, before, has_diverged=before.seq < head.seq)

    def _last_common(self, transport: Transport, head: Receipt) -> Position:
        """The last record that table and pit server both have."""
        newest = self._newest()
        is_there = head.seq <= newest and (head.seq == BEGINNING.seq or self._hash_at(head.seq) == head.hash)
        if is_there:
            return Position(head.seq, bytes.fromhex(head.hash))
        least, most = BEGINNING, min(head.seq, newest + 1)
        while least.seq + 1 < most:
            middle = (least.seq + most) // 2
            ours = self._hash_at(middle)
            if ours is not None and ours == transport.hash_of(middle):
                least = Position(middle, bytes.fromhex(ours))
            else:
                most = middle
        return least

    def _newest(self) -> int:
        """The number of the newest record of this table."""
        said = ask(self._socket, {"confirm": {"seq": 1, "hash": BEGINNING.hash.hex()}})
        return int(said["records"])

    def _hash_at(self, seq: int) -> str | None:
        """The hash of a record of this table; None where it has none with this number."""
        with Subscription(self._socket, after=seq - 1) as stream:
            stored = _stored(stream, _STORED_S)
        return None if stored is None or stored.seq != seq else stored.hash.hex()

    # --- on the way -------------------------------------------------------------------------------------------------

    def _follow(
        self, transport: Transport, stream: Subscription, epoch: Epoch, before: Position, *, has_diverged: bool
    ) -> None:
        """`has_diverged`: the pit server has records after `before` that this journal does not have. Then the first
        batch waits for the note that the journal was restored: it says that a new epoch begins."""
        batch = _Collected()
        while not self._ending.is_set():
            after_s = RESTORE_NOTE_S if has_diverged else FLUSH_S
            stored = _stored(stream, batch.wait_s(after_s))
            if stored is not None:
                is_restored = batches.kind_in(stored.public) == RESTORED_KIND
                if batch.records and (batch.is_full(stored) or (is_restored and not has_diverged)):
                    before, has_diverged = self._sent(transport, epoch, before, batch), False
                    batch = _Collected()
                if is_restored:
                    epoch, has_diverged = epoch.after_restore(), False
                elif before == BEGINNING and not batch.records:
                    epoch = Epoch(origin=stored.hash.hex())
                batch.add(stored)
            if batch.is_due(after_s):
                before, has_diverged = self._sent(transport, epoch, before, batch), False
                batch = _Collected()

    def _sent(self, transport: Transport, epoch: Epoch, before: Position, batch: _Collected) -> Position:
        """Send a batch; the last record that both have. Raises `PitAway` where it was not all taken."""
        last = Position(batch.records[-1].seq, batch.records[-1].hash)
        receipt = self._good(transport.send(batches.packed(epoch, before.hash, batch.records)))
        if receipt.seq < last.seq:
            raise PitAway(f"it has records up to {receipt.seq} only; they are sent again from there")
        if receipt.seq == last.seq and receipt.hash != last.hash.hex():
            raise UnknownServer(f"it acknowledges another record {last.seq} than was sent")
        self.status = msgspec.structs.replace(self.status, acked=last.seq)
        self._remember(receipt)
        return last

    def _remember(self, receipt: Receipt) -> None:
        """Now and then: how far the pit server is, it says by itself."""
        if time.monotonic() >= self._remembered_s + REMEMBER_S:
            self._state.write(receipt)
            self._remembered_s = time.monotonic()

    def _good(self, receipt: Receipt) -> Receipt:
        """A receipt of our pit server for this table. Raises `UnknownServer`."""
        if receipt.table != self._table or not receipts.is_good(self._pit, receipt):
            raise UnknownServer("what answers there has not the key of our pit server (uplink.pit_key)")
        return receipt


def _place_of(receipt: Receipt) -> tuple[int, int]:
    """How far a receipt goes: after a restore further than any record before it."""
    return parse_epoch(receipt.epoch).restores, receipt.seq


def _stored(stream: Subscription, timeout_s: float) -> Stored | None:
    """The next record; None when none came in time. Raises `NoController`, `NoLine`."""
    line = stream.line(timeout_s)
    return None if line is None else parse(line)
