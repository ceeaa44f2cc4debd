"""Sends the public records of a table to its pit server, in their order, each until it is acknowledged.

Nothing waits here but the batch on its way: the journal is the outbox. Where pit server and journal do not go on from
the same record, they are compared: a journal that was restored goes on in a new epoch, from the last record that both
have; a pit server that has less than it acknowledged lost records, which is said, and gets them again.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import msgspec

from tablectl.api.client import NoController, Subscription, ask
from tablectl.core.engine.facts import SignedOff, SignedOn
from tablectl.core.records import kind_of
from tablectl.core.timestamps import time_text
from tablectl.fleet import batches
from tablectl.fleet.batches import BadBatch
from tablectl.fleet.certificates import NoIdentity
from tablectl.fleet.enrolment import Refusal
from tablectl.fleet.epochs import RESTORED_KIND, Epoch
from tablectl.fleet.epochs import parse as parse_epoch
from tablectl.fleet.uplink.identity import Identity
from tablectl.fleet.uplink.state import Link, StateFile, UplinkStatus
from tablectl.fleet.uplink.transport import PitAway, PitRefuses, Transport, UnknownServer
from tablectl.journal import receipts
from tablectl.journal.clock import now_us
from tablectl.journal.lines import NoLine, parse
from tablectl.journal.receipts import Receipt
from tablectl.journal.signing import Witness
from tablectl.journal.store import BEGINNING, Position, Stored
from tablectl.ops.log import LateLog

#: So long after its first record a batch goes, whatever is in it.
FLUSH_S: Final = 0.1
#: A journal that lacks records of the pit server says so long after its start that it was restored, or it was not.
RESTORE_NOTE_S: Final = 5.0
#: How often it looks whether it has to end, while no record comes.
_LOOK_S: Final = 0.25
#: How often it writes how it is, besides each time that something else is said of it and that records are acknowledged.
REMEMBER_S: Final = 10.0
#: Between two times that it writes: so much of what was acknowledged last is not known to whoever starts after a kill.
WRITE_GAP_S: Final = 1.0
#: How often the table puts a receipt on record; besides, where another croupier signs on or off.
ON_RECORD_S: Final = 3600.0
_SHIFT_ENDS: Final = frozenset({kind_of(SignedOn), kind_of(SignedOff)})
#: A record that is stored comes at once; where none comes, the table has none.
_STORED_S: Final = 2.0
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0
#: Where the pit server says that this is a fork, or that the table is not admitted, a person has to look.
REFUSED_PAUSE_S: Final = 60.0

_LOG: Final = LateLog()


_OF_WORDS: Final = {
    "fork": Link.FORK,
    "not-admitted": Link.NOT_ADMITTED,
    "unknown-server": Link.UNKNOWN_SERVER,
    "wrong-dates": Link.NO_CERTIFICATE,
    Refusal.OTHER_KEY: Link.NO_CERTIFICATE,
    Refusal.NO_AUTHORITY: Link.NO_CERTIFICATE,
    Refusal.WRONG_CLOCK: Link.NO_CERTIFICATE,
}
#: What only a person puts right.
_FOR_A_PERSON: Final = frozenset({Link.FORK, Link.NOT_ADMITTED, Link.REFUSED, Link.UNKNOWN_SERVER, Link.NO_CERTIFICATE})


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
        identity: Identity,
        connect: Callable[[ssl.SSLContext], Transport],
        pit: Witness,
        state: StateFile,
        now_us: Callable[[], int] = now_us,
    ) -> None:
        """`pit`: knows the key of the pit server. Raises `OSError` where the state file cannot be read."""
        self._socket = socket
        self._identity = identity
        self._connect = connect
        self._pit = pit
        self._state = state
        self._now_us = now_us
        self._ending = threading.Event()
        self._on_record_s = float("-inf")
        self._is_to_look = threading.Event()
        self._not_renewed = ""
        self._receipt: Receipt | None = None
        #: what the state file has; changed and written under its lock, by two threads
        self._kept = state.read()
        self._keeping = threading.Lock()
        self._has_news = threading.Event()
        #: whether the newest record of the table has to be asked for before it is told again
        self._is_to_ask = True
        self._table_newest = self._kept.newest
        self.status = UplinkStatus(since=time_text(now_us()), stopped=time_text(now_us()))

    def stop(self) -> None:
        """End, within the time that the pit server takes for an answer."""
        self._ending.set()

    def known(self) -> tuple[Epoch, int]:
        """The epoch of the newest record that the pit server said it has, and the number of that record. Any thread may
        ask."""
        receipt = self._receipt or self._kept.receipt
        return (Epoch(), 0) if receipt is None else (parse_epoch(receipt.epoch), receipt.seq)

    def look(self) -> None:
        """Ask the pit server something though no record waits: another lane was refused there. Of any thread."""
        self._is_to_look.set()

    def run(self) -> None:
        """Send for ever, through everything that can go wrong."""
        telling = threading.Thread(target=self._tell, name="status")
        telling.start()
        try:
            self._run()
        finally:
            self._ending.set()
            self._has_news.set()
            telling.join()

    def _run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._ending.is_set():
            acked = self.status.acked
            link, why = self._went_wrong()
            if self._ending.is_set():
                return
            self._note(link, why)
            if link in _FOR_A_PERSON:
                pause_s = REFUSED_PAUSE_S
            elif self.status.acked != acked:
                pause_s = FIRST_PAUSE_S
            self._ending.wait(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _went_wrong(self) -> tuple[Link, str]:
        """Send until something goes wrong: what, and why."""
        try:
            self._connected()
        except PitAway as why:
            return Link.AWAY, str(why)
        except PitRefuses as no:
            return _OF_WORDS.get(no.why, Link.REFUSED), str(no)
        except UnknownServer as no:
            return Link.UNKNOWN_SERVER, str(no)
        except NoIdentity as why:
            return Link.NO_CERTIFICATE, str(why)
        except (NoController, NoLine) as why:
            return Link.NO_TABLE, str(why)
        except BadBatch as no:
            return Link.REFUSED, f"this version cannot send it: {no}"
        except OSError as why:
            return Link.AWAY, str(why)
        return self.status.link, self.status.why

    def _note(self, link: Link, why: str = "") -> None:
        if (link, why) != (self.status.link, self.status.why):
            if link in (Link.SENDING, Link.CONNECTING):
                _LOG.info("records are sent", after=self.status.acked)
            else:
                _LOG.warning("records are not sent", why=link, reason=why, acknowledged=self.status.acked)
            now = time_text(self._now_us())
            since = self.status.since if link is self.status.link else now
            stopped = "" if link.is_sending else self.status.stopped or now
            self.status = msgspec.structs.replace(self.status, link=link, why=why, since=since, stopped=stopped)
            self._is_to_ask = True
            self._has_news.set()

    # --- who we are -------------------------------------------------------------------------------------------------

    def _connected(self) -> None:
        """Send; where a certificate or a clock is in the way, put that right, so that the next attempt goes through."""
        try:
            if self._identity.is_due():
                self._renew()
            with closing(self._connect(self._identity.context())) as transport:
                self._send_all(transport)
        except PitAway:
            if self._identity.clock is None:  # a broker does not say that it is our certificate which has expired
                with suppress(PitAway):
                    self._identity.compare_clocks()
            raise
        except PitRefuses as no:
            if no.why == "server-dates":
                self._identity.believe_without_dates()
            elif no.why == "wrong-dates":
                self._identity.compare_clocks()
                self._identity.renew()
            else:
                raise
        finally:
            self.status = msgspec.structs.replace(self.status, ahead_s=self._identity.ahead_s)

    def _renew(self) -> None:
        """There is a month and more left: where it cannot be, records go on."""
        try:
            self._identity.renew()
            why = ""
        except (PitAway, OSError):
            return
        except (PitRefuses, UnknownServer, NoIdentity) as no:
            why = str(no)
            _LOG.warning("certificate not renewed", reason=why, until=self._identity.until)
        self._not_renewed = why

    # --- where both go on -------------------------------------------------------------------------------------------

    def _send_all(self, transport: Transport) -> None:
        head = self._good(transport.head())
        remembered, epoch = self._remembered(), parse_epoch(head.epoch)
        self._write(receipt=remembered, not_renewed=self._not_renewed)
        if remembered is not None and _place_of(remembered) > _place_of(head):
            self._note(
                Link.LOST_RECORDS, f"it acknowledged record {remembered.seq} and has {head.seq}; they are sent again"
            )
        before = self._last_common(transport, head)
        self.status = msgspec.structs.replace(self.status, acked=before.seq, is_compared=True)
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
        self._table_newest = int(said["records"])
        return self._table_newest

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
        while not self._ending.is_set() and not self._identity.is_due():
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
            if self._is_to_look.is_set():
                self._is_to_look.clear()
                self._good(transport.head())

    def _sent(self, transport: Transport, epoch: Epoch, before: Position, batch: _Collected) -> Position:
        """Send a batch; the last record that both have. Raises `PitAway` where it was not all taken."""
        last = Position(batch.records[-1].seq, batch.records[-1].hash)
        receipt = self._good(transport.send(batches.packed(epoch, before.hash, batch.records)))
        if receipt.seq < last.seq:
            raise PitAway(f"it has records up to {receipt.seq} only; they are sent again from there")
        if receipt.seq == last.seq and receipt.hash != last.hash.hex():
            raise UnknownServer(f"it acknowledges another record {last.seq} than was sent")
        self.status = msgspec.structs.replace(self.status, acked=last.seq)
        self._table_newest = max(self._table_newest, last.seq)
        self._keep(receipt)
        self._put_on_record(receipt, batch)
        return last

    def _put_on_record(self, receipt: Receipt, batch: _Collected) -> None:
        """Hourly, and where a croupier's shift ends: the table cannot write its past anew after it."""
        is_due = time.monotonic() >= self._on_record_s + ON_RECORD_S
        if not is_due and not any(batches.kind_in(stored.public) in _SHIFT_ENDS for stored in batch.records):
            return
        said = ask(self._socket, {"receipt": msgspec.to_builtins(receipt)})
        if said["ok"]:
            self._on_record_s = time.monotonic()
        else:
            _LOG.info("receipt not on record", record=receipt.seq, why=said.get("why", ""), reason=said["error"])

    def _remembered(self) -> Receipt | None:
        """The farthest that the pit server ever acknowledged: of this process' file and of the journal, whichever goes
        farther."""
        on_record = msgspec.convert(ask(self._socket, {"ask": "receipt"})["receipt"], Receipt | None)
        found = [receipt for receipt in (self._kept.receipt, on_record) if receipt is not None]
        return max(found, key=_place_of, default=None)

    def _keep(self, receipt: Receipt) -> None:
        """It is written a moment later, whatever becomes of this process then: who starts after it has to know what was
        acknowledged, to name a pit server that lost it. Records do not wait for the disk."""
        with self._keeping:
            self._kept = msgspec.structs.replace(self._kept, receipt=receipt)
        self._has_news.set()

    # --- what is told of it -----------------------------------------------------------------------------------------

    def _tell(self) -> None:
        """Write how it is when that changed or records were acknowledged, and every `REMEMBER_S`: who reads it sees
        that this process is there, whatever it waits for."""
        asked_s = float("-inf")
        while not self._ending.is_set():
            self._has_news.wait(REMEMBER_S)
            self._has_news.clear()
            if self._is_to_ask or time.monotonic() >= asked_s + REMEMBER_S:
                self._is_to_ask, asked_s = False, time.monotonic()
                with suppress(NoController, KeyError, ValueError):  # what it had stands
                    self._newest()
            self._write_down()
            self._ending.wait(WRITE_GAP_S)
        self._write_down(is_over=True)

    def _write_down(self, *, is_over: bool = False) -> None:
        try:
            self._write(at="" if is_over else time_text(self._now_us()))
        except OSError as wrong:
            _LOG.warning("status not written", reason=str(wrong))

    def _write(self, **changed: object) -> None:
        """The state file anew. Raises `OSError`."""
        with self._keeping:
            self._kept = msgspec.structs.replace(
                self._kept,
                clock=self._identity.clock,
                certificate_until=self._identity.until,
                status=self.status,
                newest=self._table_newest,
                **changed,
            )
            self._state.write(self._kept)

    def _good(self, receipt: Receipt) -> Receipt:
        """A receipt of our pit server for this table. Raises `UnknownServer`."""
        if receipt.table != self._identity.name or not receipts.is_good(self._pit, receipt):
            raise UnknownServer("what answers there has not the key of our pit server (uplink.pit_key)")
        self._receipt = receipt
        self._identity.heard(receipt.at)
        self.status = msgspec.structs.replace(self.status, ahead_s=self._identity.ahead_s)
        return receipt


def _place_of(receipt: Receipt) -> tuple[int, int]:
    """How far a receipt goes: after a restore further than any record before it."""
    return parse_epoch(receipt.epoch).restores, receipt.seq


def _stored(stream: Subscription, timeout_s: float) -> Stored | None:
    """The next record; None when none came in time. Raises `NoController`, `NoLine`."""
    line = stream.line(timeout_s)
    return None if line is None else parse(line)
