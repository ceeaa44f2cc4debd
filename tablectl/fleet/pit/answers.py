"""What the pit server answers to a table, whatever carries it: a status as of HTTP, and what it says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

from starlette.concurrency import run_in_threadpool

from tablectl.fleet.batches import NUMBER_MOST, BadBatch
from tablectl.fleet.heads import Case
from tablectl.fleet.last_values import BadValues
from tablectl.fleet.pit.service import NotAdmitted, PitService
from tablectl.fleet.pit.store import KnownTable, StoreUnusable
from tablectl.fleet.said import Acknowledged, Answer, HashOf, Heard, NotDone, Reached
from tablectl.fleet.topics import Asked

#: A body of so many bytes is unpacked and checked at once; a longer one by a thread of its own.
SMALL_BYTES: Final = 4_096

#: A status, and what is said.
Said: TypeAlias = tuple[int, Answer]


async def answered(service: PitService, who: Callable[[], KnownTable], what: Asked, body: bytes) -> Said:
    """The answer to a table. `who` says which one asks, and raises `NotAdmitted`."""
    try:
        if service.has_to_look:
            await run_in_threadpool(service.look)
        return await _ANSWERS[what](service, who(), body)
    except NotAdmitted as no:
        return 403, NotDone(why=no.why, error=str(no))
    except BadBatch as bad:
        return 400, NotDone(why=bad.flaw, seq=bad.seq, error=str(bad))
    except BadValues as bad:
        return 400, NotDone(why="values", error=str(bad))
    except StoreUnusable as wrong:
        return 503, NotDone(why="store", error=str(wrong))


async def _records(service: PitService, table: KnownTable, body: bytes) -> Said:
    # A change of threads takes longer than a small batch does.
    is_small = len(body) <= SMALL_BYTES
    answer = service.take(table, body) if is_small else await run_in_threadpool(service.take, table, body)
    taken = await asyncio.wrap_future(answer)
    receipt = service.receipt(table, taken.head)
    if taken.case is Case.FORK:
        return 409, NotDone(why=taken.case, seq=taken.seq, error=taken.why, receipt=receipt)
    return 200, Acknowledged(case=taken.case, receipt=receipt)


async def _head(service: PitService, table: KnownTable, _: bytes) -> Said:
    return 200, Reached(receipt=await run_in_threadpool(lambda: service.receipt(table, service.head(table))))


async def _hash(service: PitService, table: KnownTable, body: bytes) -> Said:
    is_number = body.isdigit() and len(body) <= len(str(NUMBER_MOST))
    found = await run_in_threadpool(service.hash_of, table, min(int(body), NUMBER_MOST)) if is_number else None
    if found is None:
        return 404, NotDone(why="no-record", error="there is no such record")
    return 200, HashOf(hash=found.hex())


async def _now(service: PitService, table: KnownTable, body: bytes) -> Said:
    service.hear(table, body)
    return 200, Heard()


async def _here(service: PitService, table: KnownTable, body: bytes) -> Said:
    service.hear_here(table, body)
    return 200, Heard()


_ANSWERS: Final = {
    Asked.RECORDS: _records,
    Asked.HEAD: _head,
    Asked.HASH: _hash,
    Asked.NOW: _now,
    Asked.HERE: _here,
}
