"""What the ingest of a pit server counts since its start, for whoever watches it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

#: Up to so many seconds a transaction took: from less than a disk needs to what a table waits for no longer.
BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
#: A batch that is wrong in itself, beside the cases of those that are right.
REFUSED: Final = "refused"


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestCounts:
    """`records`: appended; `batches`: by what became of them; `transactions`: how many took so long, a number for each
    of `BUCKETS_S` and one for those that took longer; `seconds`: how long all of them took. `is_writable`: whether the
    last transaction was kept."""

    records: int = 0
    batches: Mapping[str, int] = field(default_factory=dict)
    transactions: tuple[int, ...] = (0,) * (len(BUCKETS_S) + 1)
    seconds: float = 0.0
    is_writable: bool = True

    def kept(self, cases: Mapping[str, int], records: int, seconds: float) -> IngestCounts:
        """And a transaction that was kept: how many batches of each case it had, and how many new records."""
        place = bisect_left(BUCKETS_S, seconds)
        return IngestCounts(
            records=self.records + records,
            batches={case: self.batches.get(case, 0) + cases.get(case, 0) for case in {*self.batches, *cases}},
            transactions=tuple(count + (number == place) for number, count in enumerate(self.transactions)),
            seconds=self.seconds + seconds,
        )

    def not_kept(self) -> IngestCounts:
        """And one that the store did not take."""
        return replace(self, is_writable=False)
