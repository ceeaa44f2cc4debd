"""How the uplink to the pit server is: read of the file that it writes, for the technician's page and for metrics."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tablectl.core.timestamps import time_us
from tablectl.fleet.uplink.state import Link, StateFile, unit_of
from tablectl.web.screens.files import TableFiles


class UplinkStanding(StrEnum):
    """How it is, as a page tells it."""

    CONNECTING = Link.CONNECTING
    SENDING = Link.SENDING
    AWAY = Link.AWAY
    UNKNOWN_SERVER = Link.UNKNOWN_SERVER
    LOST_RECORDS = Link.LOST_RECORDS
    NOT_ADMITTED = Link.NOT_ADMITTED
    FORK = Link.FORK
    NO_CERTIFICATE = Link.NO_CERTIFICATE
    REFUSED = Link.REFUSED
    NO_TABLE = Link.NO_TABLE
    #: its process is not there: it has not written for a while, or never
    NOT_RUNNING = "not-running"
    #: these screens may not read what it writes
    CLOSED = "closed"


class Mood(StrEnum):
    """Whether somebody has to do something about it."""

    WELL = "well"
    #: it comes right by itself, or may
    WAITS = "waits"
    WRONG = "wrong"


_MOODS: Final = {
    UplinkStanding.SENDING: Mood.WELL,
    UplinkStanding.CONNECTING: Mood.WAITS,
    UplinkStanding.AWAY: Mood.WAITS,
    UplinkStanding.NO_TABLE: Mood.WAITS,
    UplinkStanding.LOST_RECORDS: Mood.WAITS,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class UplinkNow:
    """`behind`: how many records the pit server does not have, `acked` the newest that it has; None where nobody knows.
    `since`, `certificate_until`, `acked_at`: RFC 3339 UTC, the last by the server's clock; each empty where it is not
    known. `unit`: its service; `file`: what it writes."""

    standing: UplinkStanding
    unit: str
    file: str
    why: str = ""
    behind: int | None = None
    acked: int | None = None
    since: str = ""
    certificate_until: str = ""
    acked_at: str = ""
    not_renewed: str = ""

    @property
    def mood(self) -> Mood:
        """Whether somebody has to do something."""
        return _MOODS.get(self.standing, Mood.WRONG)


def uplink_now(files: TableFiles | None, now_us: int) -> UplinkNow | None:
    """None where the table has no uplink, or its files are not known."""
    if files is None or files.uplink is None:
        return None
    unit, file = unit_of(files.config), str(files.uplink)
    try:
        found = StateFile(files.uplink).read()
    except OSError as wrong:
        return UplinkNow(standing=UplinkStanding.CLOSED, unit=unit, file=file, why=str(wrong.strerror or wrong))
    status = found.status
    runs = status is not None and found.runs(now_us)
    why, since, standing = "", found.at, UplinkStanding.NOT_RUNNING
    if status is not None and runs:
        why, since, standing = status.why, status.stopped or status.since, UplinkStanding(status.link)
    return UplinkNow(
        standing=standing,
        unit=unit,
        file=file,
        why=why,
        behind=None if status is None else found.behind,
        acked=None if status is None else found.acked,
        since=since,
        certificate_until=found.certificate_until,
        acked_at="" if found.receipt is None else found.receipt.at,
        not_renewed=found.not_renewed,
    )


def seconds_of(at: str) -> float | None:
    """A time of these as Prometheus has them, since the epoch; None where there is none."""
    try:
        return time_us(at) / 1_000_000
    except ValueError:
        return None
