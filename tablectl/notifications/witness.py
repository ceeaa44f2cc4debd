"""The newest record that the table signed leaves the machine: to a file on a share, to mailboxes and programs.

A thread of its own: a share that hangs holds up no message, and no card is dealt later. Each head vouches for every
record before it, so of several that could not leave only the newest one does.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Final, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from tablectl.config.notifications import Target
from tablectl.config.sections import What
from tablectl.config.witness import WitnessSettings
from tablectl.core.os_error_text import happened
from tablectl.core.timestamps import time_text, time_us
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.signed_head import SignedHead
from tablectl.notifications.alerts import HEAD, head_alert
from tablectl.notifications.appending import NotKept, append_line
from tablectl.notifications.outbox import Message, Outbox, identity
from tablectl.notifications.sender import Log
from tablectl.notifications.tpm import Tpm
from tablectl.notifications.tpm_place import TpmPlace
from tablectl.notifications.wakeup import Wakeup
from tablectl.notifications.witness_state import Kept, WitnessState, read_state, write_state
from tablectl.notifications.wording import Scene, worded
from tablectl.statistics.shifts import Shifts

#: How often it looks whether there is something to do, in seconds.
LOOK_S: Final = 1.0
#: What failed is tried again after this, and how it is is written down this often.
AGAIN_US: Final = 60_000_000
_SECOND_US: Final = 1_000_000


class Place(Protocol):
    """Where heads are kept."""

    @property
    def name(self) -> str:
        """What it is called on pages."""

    @property
    def every_s(self) -> int:
        """How far apart it takes heads at least, in seconds; 0 where it takes them as often as they come."""

    def keep(self, head: SignedHead, at_us: int) -> None:
        """Keep it. Raises `NotKept`."""

    def trouble(self) -> str:
        """Why it does not have what it was given, where that is known only later; empty where it has."""


class FilePlace:
    """A file on a share of another machine: a line a head, with the time by the table's clock and the table's name."""

    every_s = 0

    def __init__(self, path: Path, table: str) -> None:
        self._path = path
        self._table = table

    @property
    def name(self) -> str:
        """As the setting."""
        return "file"

    def keep(self, head: SignedHead, at_us: int) -> None:
        """Append its line; it is on the disk of the other machine when this returns. A share that is not there makes no
        file here: the folder has to be there."""
        append_line(self._path, f"{time_text(at_us)} {self._table}: {head.line}")

    def trouble(self) -> str:
        """None: it has what was written."""
        return ""


class OutboxPlace:
    """A target of `[[notify]]` that wants heads: they wait for it in the outbox, the newest one alone."""

    every_s = 0

    def __init__(self, target: Target, outbox: Outbox, *, table: str, timezone: str, wakeup: Wakeup) -> None:
        self._target = target
        self._outbox = outbox
        self._scene = Scene(table=table, timezone=timezone)
        self._wakeup = wakeup

    @property
    def name(self) -> str:
        """The target's."""
        return self._target.name

    def keep(self, head: SignedHead, at_us: int) -> None:
        """It is to be sent."""
        target, alert = self._target, head_alert(head, time_text(at_us))
        text = worded(alert, self._scene, target.languages)
        message = Message(
            id=identity(head.hash, alert.subject, alert.kind, target.name),
            target=target.name,
            journal=0,
            record=head.hash,
            subject=alert.subject,
            severity=alert.severity,
            at_us=at_us,
            due_us=at_us,
            title=text.title,
            body=text.body,
            languages=" ".join(target.languages),
        )
        with self._outbox.together():
            self._outbox.supersede(target.name, HEAD, at_us)
            self._outbox.add(message)
        self._wakeup.wake()

    def trouble(self) -> str:
        """What was not taken yet."""
        queue = next((queue for queue in self._outbox.queues() if queue.target == self._target.name), None)
        return "" if queue is None or not queue.tries else f"not taken yet, tried {queue.tries} times"


class Witness:
    """Gives the newest head to each place: every so often, at the end of a shift, and when somebody accepted that a
    head is missing, so that what comes after it is known elsewhere."""

    def __init__(
        self, settings: WitnessSettings, places: Sequence[Place], heads: KnownHeads, now_us: Callable[[], int], log: Log
    ) -> None:
        self._settings = settings
        self._places = tuple(places)
        self._heads = heads
        self._now_us = now_us
        self._log = log
        self._shifts = Shifts(begins=settings.begins, zone=_zone(settings.timezone))
        self._state = _begun(settings.state)
        self._written_us = 0

    def run(self, closing: threading.Event) -> None:
        """Until `closing`."""
        while not closing.is_set():
            self.step()
            closing.wait(LOOK_S)

    def step(self) -> None:
        """Give each place what is due, and write down how it is."""
        now_us, head = self._now_us(), self._heads.head
        before = self._state
        is_new = self._heads.accepted != before.accepted
        places = {place.name: self._given(place, head, now_us, is_new=is_new) for place in self._places}
        self._state = msgspec.structs.replace(before, places=places, accepted=self._heads.accepted)
        if self._state != before or abs(now_us - self._written_us) >= AGAIN_US:
            self._write(now_us)

    def _given(self, place: Place, head: SignedHead | None, now_us: int, *, is_new: bool) -> Kept:
        kept = self._state.places.get(place.name, Kept())
        if head is not None and self._is_due(place, kept, head, now_us, is_new=is_new):
            return self._keep(place, kept, head, now_us)
        why = place.trouble()
        if why and why != kept.why:
            if not kept.why:
                self._log.warning("head not witnessed", place=place.name, reason=why)
            return msgspec.structs.replace(kept, why=why, since=kept.since or time_text(now_us))
        return kept if why or kept.tried != kept.at else msgspec.structs.replace(kept, why="", since="")

    def _keep(self, place: Place, kept: Kept, head: SignedHead, now_us: int) -> Kept:
        at = time_text(now_us)
        try:
            place.keep(head, now_us)
        except NotKept as wrong:
            if str(wrong) != kept.why:
                self._log.warning("head not witnessed", place=place.name, reason=str(wrong))
            return msgspec.structs.replace(kept, why=str(wrong), since=kept.since or at, tried=at)
        if kept.why:
            self._log.info("head witnessed again", place=place.name, seq=head.seq)
        return Kept(seq=head.seq, hash=head.hash, at=at, tried=at)

    def _is_due(self, place: Place, kept: Kept, head: SignedHead, now_us: int, *, is_new: bool) -> bool:
        if kept.hash == head.hash:
            return False
        if kept.tried != kept.at:
            return abs(now_us - _us(kept.tried)) >= AGAIN_US
        at_us = _us(kept.at)
        every_us = max(self._settings.every_s, place.every_s) * _SECOND_US
        return is_new or abs(now_us - at_us) >= every_us or self._shift(now_us) != self._shift(at_us)

    def _shift(self, at_us: int) -> tuple[date, int]:
        return self._shifts.day_of(at_us), self._shifts.shift_of(at_us)

    def _write(self, now_us: int) -> None:
        self._state = msgspec.structs.replace(self._state, at=time_text(now_us))
        self._written_us = now_us
        try:
            write_state(self._settings.state, self._state)
        except OSError as wrong:
            self._log.warning("witness state not written", reason=happened(wrong))


def places_of(settings: WitnessSettings, table: str, heads: KnownHeads) -> list[Place]:
    """Those that are no targets of `[[notify]]`. The TPM is the first: a share may hang, and a TPM may not."""
    made: list[Place] = []
    if settings.tpm is not None:
        made.append(TpmPlace(Tpm(settings.tpm), settings.tpm.path, table, heads))
    if settings.file is not None:
        made.append(FilePlace(settings.file, table))
    if settings.timestamps is not None:
        # Loaded where somebody asks for time stamps.
        made.append(
            importlib.import_module("tablectl.notifications.timestamps").TimestampPlace(settings.timestamps, table)
        )
    return made


def wanting(targets: Sequence[Target]) -> tuple[Target, ...]:
    """The targets that want heads."""
    return tuple(target for target in targets if What.HEAD in target.what)


def _us(at: str) -> int:
    return time_us(at) if at else 0


def _begun(path: Path) -> WitnessState:
    try:
        return read_state(path)
    except OSError:
        return WitnessState()


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")
