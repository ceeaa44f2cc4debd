"""A whole journal, all volumes, as fast as two processors go: the chain here, the signatures in another process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TypeAlias

from tablectl.journal.signing import Witness
from tablectl.journal.store import BEGINNING, JournalUnusable, Position, Store
from tablectl.journal.tilt import TiltKind
from tablectl.journal.verify import Row, Verdict, Verification
from tablectl.journal.volumes import VolumeSet, beginning_of, volumes

#: So many records take less time than another process needs to begin.
MANY: Final = 50_000
BATCH: Final = 1000

#: Position, hash, signature.
Signed: TypeAlias = tuple[int, bytes, bytes]


def verify_all(
    volume_set: VolumeSet, *, key: bytes | None = None, many: int = MANY, told: Callable[[int], None] = lambda _: None
) -> Verdict:
    """What `Verification` finds in all records. From `many` on, signatures are checked beside. `told` hears now and
    then up to which record it came."""
    first, last = volume_set.stores[0], volume_set.stores[-1]
    if last.newest - first.follows.seq < many:
        return _in_order(volume_set, Verification(key=key, start=first.follows), told)
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        beside = _Beside(pool)
        verdict = _in_order(volume_set, Verification(key=key, start=first.follows, confirms=beside.confirms), told)
        if beside.are_all_good():
            return verdict
    return _in_order(volume_set, Verification(key=key, start=first.follows), told)  # slowly, to name the first one


def _in_order(volume_set: VolumeSet, verification: Verification, told: Callable[[int], None]) -> Verdict:
    pages = (rows for store in volume_set.stores for rows in store.pages())
    try:
        verification.take(chain.from_iterable(_each(pages, told)))
    except JournalUnusable as wrong:
        if wrong.kind is not TiltKind.DAMAGED:
            raise
        verification.damaged(str(wrong))
    return verification.verdict()


def verify_readable(base: Path, *, key: bytes | None = None) -> tuple[Verdict, Position]:
    """Of a journal with a volume that cannot be opened: what can be read before it, where that begins, and the first
    record that is lost. Raises `JournalUnusable` where its volumes cannot be told."""
    verification, start = Verification(key=key), BEGINNING
    for path in volumes(base):
        try:
            with closing(Store.read(path, follows=beginning_of(path) or BEGINNING)) as store:
                if verification.end == BEGINNING and store.follows != BEGINNING:
                    start = store.follows
                    verification = Verification(key=key, start=start)
                if not verification.take(chain.from_iterable(store.pages())):
                    break
        except JournalUnusable as wrong:
            verification.damaged(str(wrong))
            break
    return verification.verdict(), start


def _each(pages: Iterable[list[Row]], told: Callable[[int], None]) -> Iterator[list[Row]]:
    for rows in pages:
        yield rows
        told(int(rows[-1][0]))


class _Beside:
    """Says yes to every signature and has it checked by the other process."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool
        self._public = b""
        self._batch: list[Signed] = []
        self._checks: list[Future[bool]] = []

    def confirms(self, witness: Witness, seq: int, link: bytes, signature: bytes) -> bool:
        """For now."""
        self._public = witness.public
        self._batch.append((seq, link, signature))
        if len(self._batch) == BATCH:
            self._hand_over()
        return True

    def are_all_good(self) -> bool:
        """Waits for the other process."""
        self._hand_over()
        return all(check.result() for check in self._checks)

    def _hand_over(self) -> None:
        if self._batch:
            self._checks.append(self._pool.submit(_are_good, self._public, self._batch))
            self._batch = []


def _are_good(public: bytes, batch: list[Signed]) -> bool:
    witness = Witness(public)
    return all(witness.confirms(*signed) for signed in batch)
