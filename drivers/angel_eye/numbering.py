"""Which report of the shoe is new, and whether one before it was missed. Reports carry a number and nothing else."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from drivers.angel_eye.messages import Code, Report


class Numbering:
    """Remembers the last reports. It outlives a loss of the port: the shoe may repeat its last report afterwards.

    `alphabet`: the numbers in their order; empty where nobody knows it, and then nothing is ever missed.
    """

    def __init__(self, alphabet: str, remembered: int) -> None:
        self._alphabet = alphabet.encode("ascii")
        self._recent: deque[Report] = deque(maxlen=remembered)
        #: Place of the last number in the alphabet; None where it does not say what comes next.
        self._place: int | None = None
        #: Repetitions since the last report that was new.
        self._n_repeated = 0

    def times_repeated(self, report: Report) -> int:
        """0 for a new report, else how often one was repeated since the last new one, this time included."""
        if not self._is_repetition(report):
            self._n_repeated = 0
            return 0
        self._n_repeated += 1
        return self._n_repeated

    def _is_repetition(self, report: Report) -> bool:
        if _is_start(report):
            # Only the very last report: an older `S` with the same number is another start.
            return bool(self._recent) and self._recent[-1] == report
        return report in self._recent

    def is_other_copy(self, report: Report) -> bool:
        """Whether it has the number of the last report and says something else: one of the two was damaged on the way,
        and its checksum did not show it. A start is none, and what number a retransmission has nobody says."""
        last = self._recent[-1] if self._recent else None
        if last is None or last.seq != report.seq or report in self._recent:
            return False
        return not any(_is_start(message) or message.code == Code.RETRANSMISSION for message in (last, report))

    def replace(self, report: Report) -> None:
        """The last report was damaged; this is what it said."""
        self._recent[-1] = report

    def known(self) -> Sequence[Report]:
        """The reports remembered, oldest first."""
        return tuple(self._recent)

    def take(self, report: Report) -> int:
        """Remember a new report. Returns how many are missing between it and the one before, by their numbers."""
        if _is_start(report):
            # A shoe that starts counts from the beginning again.
            self._recent.clear()
        before, self._place = self._place, self._alphabet.find(report.seq)
        self._recent.append(report)
        if report.code == Code.RETRANSMISSION or self._place < 0:
            # What number a retransmission has nobody says; the next report is not held against it.
            self._place = None
            return 0
        if before is None or _is_start(report):
            return 0
        return (self._place - before - 1) % len(self._alphabet)


def _is_start(report: Report) -> bool:
    """With a payload it is a damaged copy of something else: taken for a start, the next copy would be another card."""
    return report.code == Code.STARTED and not report.payload
