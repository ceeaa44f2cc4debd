"""One simulated table while it runs: it writes records, sends them as an uplink does, and has its faults."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec

from simulators.fleet.client import Answer, Connection, HungUp
from simulators.fleet.faults import Fault, FaultPlan
from simulators.fleet.figures import Tally
from simulators.fleet.tables import Batch, Lost, Place, SimulatedTable
from tablectl.core.timestamps import time_text
from tablectl.fleet import batches
from tablectl.journal.clock import now_us
from tablectl.journal.store import Position

RECORDS: Final = "/v1/records"
HEAD: Final = "/v1/head"
OK: Final = 200
#: As the uplink does it.
FLUSH_S: Final = 0.1
#: After the pit server hung up, or was away.
PAUSE_S: Final = 1.0
#: How late an answer is taken, and how long a process that died is away.
LATE_S: Final = 3.0
AWAY_S: Final = 2.0
_1970: Final = "1970-01-01T00:00:00.000000Z"


class Sender:
    """`rate` records a second, from `run` until `stop`; then it sends what is left."""

    def __init__(
        self,
        table: SimulatedTable,
        connect: Callable[[], Connection],
        *,
        rate: float,
        plan: FaultPlan,
        tally: Tally,
        seed: int,
        number: int,
    ) -> None:
        """`number`: of the table, from 0."""
        self.table = table
        self.connect = connect
        self._client = connect()
        self._rate = rate
        self._plan = plan
        self._tally = tally
        self._dice = random.Random(seed)
        self._faults = plan.each(number)
        #: when each record that waits was written
        self._since_s: deque[tuple[int, float]] = deque()
        self._prepared: deque[Batch] = deque()
        self._backups: deque[Place] = deque(maxlen=8)
        self._is_over = False
        #: told when a record was written
        self.on_written: Callable[[float], None] = lambda _at_s: None
        self._next_s = 0.0
        self._fault_s = float("inf")

    def prepare(self, count: int) -> None:
        """So many records wait when it begins, packed already: whoever measures the server does not measure this."""
        at = time_text(now_us())
        while count > 0:
            self.table.add(min(count, batches.RECORDS_MOST), at)
            count -= batches.RECORDS_MOST
            while (batch := self.table.batch()) is not None:
                self._tally.written += batch.records
                self._prepared.append(batch)
                self.table.acknowledged(batch.last)

    async def run_backlog(self) -> None:
        """Send what was prepared, one batch after the other. Raises `Lost` where the server says another record."""
        while self._prepared:
            batch = self._prepared[0]
            began_s = time.monotonic()
            try:
                answer = await self._post(batch)
            except HungUp:
                await asyncio.sleep(PAUSE_S * (0.5 + self._dice.random()))
                continue
            if answer.status >= 500:
                continue
            if answer.status != OK or _position(answer) != batch.last:
                raise Lost(f"{self.table.name}: {answer.status} {answer.said}")
            self._tally.waited_ms.append(1000 * (time.monotonic() - began_s))
            self._tally.acknowledge(batch.records, time.monotonic())
            self._prepared.popleft()

    def stop(self) -> None:
        """Write no more."""
        self._is_over = True

    async def run(self) -> None:
        """Until everything is acknowledged after `stop`."""
        self._next_s = time.monotonic() + self._dice.random() / self._rate
        self._fault_s = time.monotonic() + self._plan.next_s(self._dice)
        is_known = False
        while not (self._is_over and is_known and not self.table.waiting):
            try:
                if not is_known:
                    await self._ask_head()
                    is_known = True
                await self._go_on()
            except HungUp:
                is_known = False
                await asyncio.sleep(PAUSE_S * (0.5 + self._dice.random()))
            except Lost as wrong:
                self._tally.wrong.append(str(wrong))
                break
        self._client.hang_up()

    async def _go_on(self) -> None:
        self._write_what_is_due()
        if time.monotonic() >= self._fault_s and not self._is_over:
            self._fault_s = time.monotonic() + self._plan.next_s(self._dice)
            await self._fails(next(self._faults))
        elif self.table.waiting:
            await self._send_one()
        else:
            await asyncio.sleep(max(0.0, min(self._next_s, self._fault_s) - time.monotonic()))

    def _write_what_is_due(self) -> None:
        now_s = time.monotonic()
        while self._next_s <= now_s and not self._is_over:
            self._write(1, since_s=self._next_s)
            self._next_s += 1 / self._rate

    def _write(self, count: int, *, at: str = "", since_s: float = 0.0) -> None:
        self.table.add(count, at or time_text(now_us()))
        self._wrote(count, since_s)

    def _wrote(self, count: int, since_s: float = 0.0) -> None:
        self._tally.written += count
        self._tally.most_waiting = max(self._tally.most_waiting, len(self.table.waiting))
        written_s = since_s or time.monotonic()
        self._since_s.append((self.table.place.newest.seq, written_s))
        self.on_written(written_s)

    # --- what is sent -----------------------------------------------------------------------------------------------

    async def _ask_head(self) -> None:
        answer = await self._client.get(HEAD)
        if answer.status != OK:
            raise HungUp(str(answer.said))
        head = _position(answer)
        if self.table.waiting and answer.said["receipt"]["epoch"] != str(self.table.waiting[0].epoch):
            return  # it knows nothing of the restore yet
        if self.table.waiting and head.seq < self.table.waiting[0].stored.seq - 1:
            raise Lost(f"{self.table.name}: the pit server has {head.seq}, and acknowledged more")
        self._acknowledged(head)

    async def _send_one(self) -> None:
        batch = self.table.batch()
        if batch is not None:
            await self._sent(batch)

    async def _sent(self, batch: Batch) -> None:
        """A batch that follows what is acknowledged. Raises `HungUp`, `Lost`."""
        answer = await self._post(batch)
        if answer.status != OK:
            if answer.status >= 500:
                raise HungUp(str(answer.said))
            raise Lost(f"{self.table.name}: {answer.status} {answer.said}")
        self._acknowledged(_position(answer))
        # Only now may the state of the table be in a backup: what is restored is known to the pit server.
        if self._dice.random() < 0.05:
            self._backups.append(self.table.place)

    async def _post(self, batch: Batch) -> Answer:
        self._tally.batches += 1
        self._tally.sent += batch.records
        self._tally.sent_bytes += len(batch.body)
        return await self._client.post(RECORDS, batch.body)

    def _acknowledged(self, position: Position) -> None:
        before = len(self.table.waiting)
        self.table.acknowledged(position)
        if before > len(self.table.waiting):
            self._tally.acknowledge(before - len(self.table.waiting), time.monotonic())
        while self._since_s and self._since_s[0][0] <= position.seq:
            since_s = self._since_s.popleft()[1]
            self._tally.waited_ms.append(1000 * (time.monotonic() - since_s))

    # --- what goes wrong --------------------------------------------------------------------------------------------

    async def _fails(self, fault: Fault) -> None:
        self._tally.faults[fault] += 1
        await _FAULTS[fault](self)

    async def kill(self) -> None:
        """The process dies while a batch is on its way: what the journal has stays."""
        batch = self._some()
        self._tally.sent += batch.records
        await self._client.break_off(RECORDS, batch.body + b" " * 64)
        self._client = self.connect()
        await asyncio.sleep(AWAY_S * self._dice.random())
        await self._ask_head()

    async def cut(self) -> None:
        """The line breaks off, in the middle or before the answer."""
        batch = self._some()
        if self._dice.random() < 0.5:
            self._tally.sent += batch.records
            await self._client.break_off(RECORDS, batch.body)
        else:
            lost = asyncio.ensure_future(self._post(batch))
            await asyncio.sleep(0.02 * self._dice.random())
            lost.cancel()
            await asyncio.wait([lost])
            self._client.hang_up()
        await self._ask_head()

    async def delay(self) -> None:
        """It takes long until the answer is there."""
        self._some()
        await asyncio.sleep(LATE_S * self._dice.random())
        await self._send_one()

    async def duplicate(self) -> None:
        """The same batch comes twice."""
        batch = self._some()
        await self._sent(batch)
        again = await self._post(batch)
        self._expects(again, OK, case="duplicate")

    async def reorder(self) -> None:
        """The second batch comes first."""
        self._some(4)
        first, second = self.table.batch(2), self.table.batch(2, after=2)
        if first is None or second is None or second.last.seq != first.last.seq + second.records:
            return  # a restore is between them
        gap = await self._post(second)
        self._expects(gap, OK, case="gap")
        await self._sent(first)
        await self._send_one()

    async def fork(self) -> None:
        """Another past under the table's own key, for records that the pit server has."""
        self._write(1)
        await self._send_all()
        if not self._backups or self._backups[0] == self.table.place:
            return
        other = self._copy(self._backups[0])
        other.add_note(time_text(now_us()), "pressed", "another past")
        await self._refused(other, 409, "fork")

    async def clone(self) -> None:
        """A second machine goes on from the same record, with the table's key and certificate."""
        await self._send_all()
        other = self._copy(self.table.place)
        self._write(1)
        await self._send_all()
        other.add_note(time_text(now_us()), "pressed", "the clone")
        await self._refused(other, 409, "fork")

    async def restore(self) -> None:
        """The journal is put back from a backup; the note says so, and it goes on in another epoch."""
        await self._send_all()
        if not self._backups:
            return
        epoch = self.table.place.epoch
        place = self._backups[0]
        self._backups.clear()
        self.table.back_to(msgspec.structs.replace(place, epoch=epoch))
        self.table.add_restored(time_text(now_us()))
        self._wrote(1)
        await self._send_all()

    async def clock(self) -> None:
        """The clock says 1970 for a while."""
        self._write(3, at=_1970)
        await self._send_all()

    async def flip(self) -> None:
        """A bit of a record is another one; nothing of the batch is taken."""
        self._some()
        batch = self.table.batch()
        if batch is not None:
            plain = batches.unpacked(batch.body)
            record = plain.records[0]
            public = bytearray(record.public)
            public[self._dice.randrange(len(public))] ^= 1 << self._dice.randrange(8)
            changed = msgspec.structs.replace(record, public=bytes(public))
            await self._wrong(batches.compressed(_with_first(plain, changed)), {"record", "chain", "signature"})

    async def number(self) -> None:
        """A record says that it is another one."""
        self._some()
        batch = self.table.batch()
        if batch is not None:
            plain = batches.unpacked(batch.body)
            record = plain.records[0]
            public = record.public.replace(b'"seq":', b'"seq":9')
            await self._wrong(
                batches.compressed(_with_first(plain, msgspec.structs.replace(record, public=public))), {"record"}
            )

    async def strange(self) -> None:
        """A record that is too long to be sent, one with a NUL in its text, and one of a kind that nobody knows."""
        at = time_text(now_us())
        self.table.add_note(at, "device-said", "y" * 1_000_000)
        self.table.add_note(at, "device-said", "a\0b")
        self.table.add_note(at, "of-a-later-version")
        self._wrote(3)
        await self._send_all()

    # --- how they are made ------------------------------------------------------------------------------------------

    def _some(self, least: int = 1) -> Batch:
        """What waits; where nothing does, a record more."""
        missing = least - len(self.table.waiting)
        if missing > 0:
            self._write(missing)
        batch = self.table.batch()
        assert batch is not None, "something waits"
        return batch

    async def _send_all(self) -> None:
        while self.table.waiting:
            await self._send_one()

    def _copy(self, place: Place) -> SimulatedTable:
        return SimulatedTable(name=self.table.name, signer=self.table.signer, lap=self.table.lap, place=place)

    async def _refused(self, other: SimulatedTable, status: int, why: str) -> None:
        batch = other.batch()
        assert batch is not None, "it has a record"
        await self._wrong(batch.body, {why}, status)

    async def _wrong(self, body: bytes, whys: set[str], status: int = 400) -> None:
        answer = await self._client.post(RECORDS, body)
        if answer.status >= 500:
            raise HungUp(str(answer.said))
        if answer.status != status or answer.said.get("why") not in whys:
            self._tally.wrong.append(f"{self.table.name}: {answer.status} {answer.said} instead of {status} {whys}")

    def _expects(self, answer: Answer, status: int, *, case: str) -> None:
        if answer.status >= 500:
            raise HungUp(str(answer.said))
        if answer.status != status or answer.said.get("case") != case:
            self._tally.wrong.append(f"{self.table.name}: {answer.status} {answer.said} instead of {case}")


_FAULTS: Final = {
    Fault.KILL: Sender.kill,
    Fault.CUT: Sender.cut,
    Fault.DELAY: Sender.delay,
    Fault.DUPLICATE: Sender.duplicate,
    Fault.REORDER: Sender.reorder,
    Fault.FORK: Sender.fork,
    Fault.CLONE: Sender.clone,
    Fault.RESTORE: Sender.restore,
    Fault.CLOCK: Sender.clock,
    Fault.FLIP: Sender.flip,
    Fault.NUMBER: Sender.number,
    Fault.STRANGE: Sender.strange,
}


def _with_first(batch: batches.Batch, record: batches.SentRecord) -> batches.Batch:
    return msgspec.structs.replace(batch, records=(record, *batch.records[1:]))


def _position(answer: Answer) -> Position:
    receipt = answer.said["receipt"]
    return Position(receipt["seq"], bytes.fromhex(receipt["hash"]))
