"""What the uplink remembers and tells: how far its pit server had acknowledged, how far apart their clocks are, and how
it is now. What still has to be sent is in the journal.

`tablectl uplink --status`, the technician's page and the metrics read the same file.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from tablectl.core.timestamps import time_us
from tablectl.core.unreadable import UNREADABLE
from tablectl.journal.receipts import Receipt
from tablectl.journal.whole_file import remove_left_over, write_whole

#: An uplink writes its file every ten seconds at the latest: one that did not for so long does not run.
STALE_S: Final = 30.0
#: The uplink writes it; the group of its folder, in which the screens are, reads it. No secret is in it.
_MODE: Final = 0o640


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
    #: this table's certificate is not good, and the pit server makes no other
    NO_CERTIFICATE = "no-certificate"
    #: the pit server says that what is sent is wrong in itself
    REFUSED = "refused"
    #: the controller of the table does not answer
    NO_TABLE = "no-table"

    @property
    def is_sending(self) -> bool:
        """Whether records go there."""
        return self in (Link.SENDING, Link.LOST_RECORDS)


class UplinkStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How it is, why, and how far records are acknowledged. `ahead_s`: how far the pit server's clock is ahead of this
    one, None before they were compared. `since`: when the link became what it is; `stopped`: since when no records are
    sent, empty while they are (RFC 3339, UTC, by the table's clock). `is_compared`: whether this process has heard from
    the pit server which records it has; before that `acked` is 0."""

    link: Link = Link.CONNECTING
    why: str = ""
    acked: int = 0
    ahead_s: float | None = None
    since: str = ""
    stopped: str = ""
    is_compared: bool = False


class ClockSeen(msgspec.Struct, frozen=True, kw_only=True):
    """How far the pit server's clock is ahead of the table's, in seconds, and when (RFC 3339, UTC, by the server's)."""

    ahead_s: float
    at: str


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """The newest receipt of the pit server, how the clocks were, and why there is no next certificate, in a sentence;
    each where there was one. `newest`: the table's newest record; `certificate_until`, `at`: until when the certificate
    is good, and when this was written (RFC 3339, UTC), empty where the uplink ended in order."""

    receipt: Receipt | None = None
    clock: ClockSeen | None = None
    not_renewed: str = ""
    status: UplinkStatus | None = None
    newest: int = 0
    certificate_until: str = ""
    at: str = ""

    @property
    def acked(self) -> int:
        """The newest record of which this table knows that the pit server has it."""
        if self.status is not None and self.status.is_compared:
            return self.status.acked
        return 0 if self.receipt is None else self.receipt.seq

    @property
    def behind(self) -> int:
        """How many records of the table the pit server does not have yet, as far as is known."""
        return max(0, self.newest - self.acked)

    def runs(self, now_us: int) -> bool:
        """Whether the uplink is there: it wrote this within `STALE_S`, by a clock that somebody may set."""
        try:
            return abs(now_us - time_us(self.at)) <= STALE_S * 1_000_000
        except ValueError:  # it ended in order, or has not been there yet
            return False


def unit_of(config: Path) -> str:
    """The service that runs the uplink of the table with this configuration."""
    return f"tablectl-uplink@{config.stem}"


class StateFile:
    """Written whole or not at all, by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        #: whether what an uplink left that was killed is gone
        self._is_alone = False

    def read(self) -> Remembered:
        """Nothing where there is no file, or nobody can read it: then the pit server says how far it is. Raises
        `OSError`."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Remembered)
        except (FileNotFoundError, *UNREADABLE):
            return Remembered()

    def write(self, remembered: Remembered) -> None:
        """Remember it. The journal of the table is on the same disk, and its next record does not wait for this: what a
        power cut takes of it the pit server says again, and the journal has its receipts. Raises `OSError`."""
        if not self._is_alone:
            remove_left_over(self._path)
            self._is_alone = True
        write_whole(self._path, msgspec.json.encode(remembered), mode=_MODE, is_synced=False)
