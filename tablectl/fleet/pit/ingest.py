"""The one place where batches become durable: judged, appended and acknowledged, many in one transaction.

What takes processor time and needs no database (unpacking, hashes, signatures) is done before, by whoever took the
batch; here each batch waits for a transaction, and is answered when that has ended. Only a commit acknowledges.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Final, TypeAlias, TypeVar

import msgspec

from tablectl.fleet.batches import CheckedBatch
from tablectl.fleet.heads import Case, Head, judged
from tablectl.fleet.pit.ingest_counts import REFUSED, IngestCounts
from tablectl.fleet.pit.store import KnownTable, PitStore, Quarantined, StoreUnusable, TableValues, Writing
from tablectl.ops.log import LateLog

#: Batches of one transaction at most: an answer waits for all that are in it.
TOGETHER: Final = 64
#: So many are worth a transaction: then nobody waits for others.
ENOUGH: Final = 12
#: So long others are waited for: at 700 records a second a transaction for each one would cost most of a core.
TOGETHER_S: Final = 0.04
#: When it is looked whether there are enough. Whoever waits at the queue is woken by each batch, and to look each 5 ms
#: takes as much of a processor as it saves.
_LOOK_S: Final = 0.02

T = TypeVar("T")

_LOG: Final = LateLog()


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a batch: the head that is durable now, or the fork that it is. `new`: how many records."""

    case: Case
    head: Head
    new: int = 0
    why: str = ""
    seq: int = 0


class Arrived(msgspec.Struct, frozen=True, kw_only=True):
    """A batch of a table that is right in itself, its bytes, and when it came (RFC 3339, UTC)."""

    table: KnownTable
    batch: CheckedBatch
    body: bytes
    at: str


class Ingest:
    """Keeps batches. One thread collects those that wait, another one alone uses the store for writing."""

    def __init__(self, store: PitStore) -> None:
        self._store = store
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="ingest", daemon=True)
        self._writer = ThreadPoolExecutor(1, "store")
        #: since the start; a new one after each transaction, which any thread may read
        self.counts = IngestCounts()

    def start(self) -> None:
        """Begin to take batches."""
        self._thread.start()

    def stop(self) -> None:
        """Keep what came, and take nothing more."""
        self._waiting.put(None)
        self._thread.join()
        self._writer.shutdown()

    def take(self, arrived: Arrived) -> Future[Taken]:
        """Resolved when the batch is durable, or is known to be a fork. Raises `StoreUnusable` in the future."""
        answer: Future[Taken] = Future()
        self._waiting.put((arrived, answer))
        return answer

    def quarantine(self, found: Quarantined) -> Future[Taken]:
        """Kept as evidence, in the order in which it came."""
        answer: Future[Taken] = Future()
        self._waiting.put((found, answer))
        return answer

    def keep_values(self, found: tuple[TableValues, ...]) -> Future[Taken]:
        """What tables said of themselves last, in the place of what they said before."""
        answer: Future[Taken] = Future()
        self._waiting.put((found, answer))
        return answer

    def between(self, call: Callable[[], T]) -> T:
        """What a call returns that uses the store too: it runs between two transactions, and who takes records waits
        for it. Not after `stop`. Raises what it raises."""
        return self._writer.submit(call).result()

    def _run(self) -> None:
        is_over = False
        while not is_over:
            together = [self._waiting.get()]
            self._await_others()
            while len(together) < TOGETHER and not self._waiting.empty():
                together.append(self._waiting.get())
            is_over = None in together
            self._keep([one for one in together if one is not None])

    def _await_others(self) -> None:
        end_s = time.monotonic() + TOGETHER_S
        while 1 + self._waiting.qsize() < ENOUGH and (left_s := end_s - time.monotonic()) > 0:
            time.sleep(min(left_s, _LOOK_S))

    def _keep(self, together: list[_Waiting]) -> None:
        if not together:
            return
        attempt = self._writer.submit(self._in_one_transaction, together)
        wrong = attempt.exception()
        if wrong is not None:
            # Whatever it is, who waits is told, and the next batches are taken.
            is_known = isinstance(wrong, StoreUnusable)
            if is_known:
                self.counts = self.counts.not_kept()
            if not is_known and len(together) > 1:  # it is one of them: no other table waits for it
                for one in together:
                    self._keep([one])
                return
            _LOG.error(
                "records are not kept", reason=str(wrong), batches=len(together), trace=None if is_known else wrong
            )
            told = wrong if is_known else StoreUnusable(f"the pit server broke on it: {type(wrong).__name__}: {wrong}")
            for _, answer in together:
                answer.set_exception(told)
            return
        taken, seconds = attempt.result()
        self._count(together, taken, seconds)
        for (_, answer), found in zip(together, taken, strict=True):
            answer.set_result(found)

    def _in_one_transaction(self, together: list[_Waiting]) -> tuple[list[Taken], float]:
        """What became of each, and how long it took until that was durable, in seconds."""
        began_s = time.monotonic()
        with self._store.writing() as writing:
            writing.hold([came.table for came, _ in together if isinstance(came, Arrived)])
            taken = [_taken(writing, came) for came, _ in together]
        return taken, time.monotonic() - began_s

    def _count(self, together: list[_Waiting], taken: list[Taken], seconds: float) -> None:
        cases: Counter[str] = Counter()
        for (came, _), found in zip(together, taken, strict=True):
            if isinstance(came, Arrived):
                cases[found.case] += 1
            elif isinstance(came, Quarantined):
                cases[REFUSED] += 1
        self.counts = self.counts.kept(cases, sum(found.new for found in taken), seconds)


#: What has to become durable, and who waits for it.
_Came: TypeAlias = Arrived | Quarantined | tuple[TableValues, ...]
_Waiting: TypeAlias = tuple[_Came, Future[Taken]]


def _taken(writing: Writing, arrived: _Came) -> Taken:
    if isinstance(arrived, tuple):
        writing.keep_values(arrived)
        return Taken(case=Case.APPENDED, head=Head())
    if isinstance(arrived, Quarantined):
        writing.quarantine(arrived)
        return Taken(case=Case.FORK, head=Head(), why=arrived.why, seq=arrived.seq)
    table, batch = arrived.table, arrived.batch
    head = writing.head(table)
    judgement = judged(head, batch, partial(writing.hash_of, table))
    if judgement.case is Case.FORK:
        writing.quarantine(
            Quarantined(
                at=arrived.at,
                table=table.name,
                seq=judgement.seq,
                flaw=judgement.case,
                why=judgement.why,
                body=arrived.body,
            )
        )
        return Taken(case=judgement.case, head=head, why=judgement.why, seq=judgement.seq)
    if judgement.case is Case.APPENDED:
        head = writing.append(table, batch, judgement.new_from, arrived.body, arrived.at)
        return Taken(case=judgement.case, head=head, new=batch.last.seq - judgement.new_from + 1)
    return Taken(case=judgement.case, head=head)
