"""What a run of many tables comes to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import msgspec


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of records but for `batches`; times in milliseconds from when a record was written until it was
    acknowledged. `longest_gap_ms`: in which nothing of any table was. `bytes_each`: on the wire, for a record that was
    acknowledged."""

    tables: int
    seconds: float
    written: int
    acknowledged: int
    sent: int
    batches: int
    rate: float
    sent_ratio: float
    bytes_each: float
    p50_ms: float
    p99_ms: float
    longest_gap_ms: float
    most_waiting: int
    faults: dict[str, int]
    wrong: list[str]


@dataclass(kw_only=True, eq=False)
class Tally:
    """Counted while it runs."""

    written: int = 0
    acknowledged: int = 0
    sent: int = 0
    batches: int = 0
    sent_bytes: int = 0
    #: when something was acknowledged last, and the longest time in which nothing was
    last_s: float | None = None
    longest_gap_s: float = 0.0
    most_waiting: int = 0
    waited_ms: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def acknowledge(self, records: int, at_s: float) -> None:
        """So many records, at this moment (monotonic)."""
        self.acknowledged += records
        if self.last_s is not None:
            self.longest_gap_s = max(self.longest_gap_s, at_s - self.last_s)
        self.last_s = at_s

    def begin_times(self) -> None:
        """What was acknowledged until now is not in the times."""
        self.waited_ms.clear()
        self.longest_gap_s, self.last_s = 0.0, None

    def figures(self, tables: int, seconds: float) -> Figures:
        """So far."""
        waited = sorted(self.waited_ms) or [0.0]
        taken = max(1, self.acknowledged)
        return Figures(
            tables=tables,
            seconds=round(seconds, 2),
            written=self.written,
            acknowledged=self.acknowledged,
            sent=self.sent,
            batches=self.batches,
            rate=round(self.acknowledged / seconds, 1) if seconds else 0.0,
            sent_ratio=round(self.sent / taken, 3),
            bytes_each=round(self.sent_bytes / taken, 1),
            p50_ms=round(waited[len(waited) // 2], 1),
            p99_ms=round(waited[len(waited) * 99 // 100], 1),
            longest_gap_ms=round(1000 * self.longest_gap_s, 1),
            most_waiting=self.most_waiting,
            faults=dict(sorted(self.faults.items())),
            wrong=self.wrong[:20],
        )
