"""Until when a real table may open hands with software that nobody approved. Sans-I/O: the clock is given.

A table that was there before this was asked goes on for `GRACE_US`, counted from its first start that asked. The time
stands in the journal, so a start does not begin it anew; it moves with the clock where somebody sets that. Once
somebody approved, there is no such time any more: who takes the approval away stops the table.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

from tablectl.config.table_file import Config
from tablectl.core.events.notes import SoftwareApproval
from tablectl.core.records import kind_in_public
from tablectl.core.timestamps import time_text, time_us
from tablectl.journal.journal import Journal
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.journal.volumes import VolumeSet
from tablectl.ops.software.required import how, is_real

#: How long a table goes on that dealt before this was asked: a month to have the software looked at and approved.
GRACE_US: Final = 30 * 24 * 3600 * 1_000_000
_KIND: Final = kind_in_public(SoftwareApproval)


class ApprovalWatch:
    """Of one controller. `is_approved`: its software is what a manifest says; `last`: what the journal says of this."""

    def __init__(self, *, is_approved: bool, last: SoftwareApproval | None, now_us: int) -> None:
        self._is_approved = is_approved
        self._until_us = _until_us(last, now_us)
        #: after which hand it was put on record
        self._told: int | None = None

    @property
    def until(self) -> str:
        """Until when hands may be opened, RFC 3339 UTC; empty where that has no end."""
        return "" if self._is_approved else time_text(self._until_us)

    def clock_set(self, by_us: int) -> None:
        """The table's clock was set by so much: what is left stays what it was, and is to be put on record anew."""
        self._until_us += by_us
        if not self._is_approved:
            self._told = None

    def due(self, hand: int, now_us: int) -> SoftwareApproval | None:
        """What is to be put on record now, after this hand: at a start, and where nobody approved after each hand, so
        that whoever reads the last hands alone knows it."""
        if self._told == hand or (self._told is not None and self._is_approved):
            return None
        self._told = hand
        return SoftwareApproval(at_us=now_us, approved=self._is_approved, until=self.until)

    def is_over(self, now_us: int) -> bool:
        """Whether no hand may be opened any more."""
        return not self._is_approved and now_us >= self._until_us


def approval_of(config: Config, journal: Journal, now_us: int) -> ApprovalWatch | None:
    """That of a table where real cards are dealt; None of another one. Raises `JournalUnusable`."""
    if not is_real(config) or journal.keys.is_demo:
        return None
    is_approved = config.manifest is not None
    last = None if is_approved else last_approval(config.journal)
    return ApprovalWatch(is_approved=is_approved, last=last, now_us=now_us)


def check_in_time(approval: ApprovalWatch | None, config: Config, now_us: int) -> None:
    """Raises `Tilt` where no hand may be opened any more."""
    if approval is not None and approval.is_over(now_us):
        what = f"nobody approved this software, and its time was over at {approval.until}"
        raise Tilt(TiltKind.SOFTWARE, f"{config.file}: {what}; would be right: {how(config)}")


def _until_us(last: SoftwareApproval | None, now_us: int) -> int:
    if last is None:
        return now_us + GRACE_US
    return now_us if last.approved else time_us(last.until)


def last_approval(journal: Path) -> SoftwareApproval | None:
    """What the journal says of it last. Raises `JournalUnusable`."""
    with closing(VolumeSet(journal)) as volume_set:
        stored = volume_set.newest_with(_KIND)
    event = None if stored is None else stored.decoded().event
    return event if isinstance(event, SoftwareApproval) else None
