"""Follows the controller's public stream, and puts into the outbox what its targets are to be told.

A record is read, what it says is put there together with the position after it, and only then is anybody told. Where
the controller does not answer, the follower looks for the mark of a tilt, and after a while tells that it is gone.

The room on the disks stands in no record. The controller is asked for it, again and again.

Where the record at the position is another one than before, this is another journal: one that was restored from its
second copy, or made anew, or put back to an older state together with its copy: that is told. It is read from its
beginning, and what happened up to the last thing known is not told again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from tablectl.api.client import AnotherJournal, MissingRecord, NoController, Subscription, ask, ask_about
from tablectl.config.notifications import Target
from tablectl.config.sections import What
from tablectl.core.disk_room import Space, Urgency
from tablectl.core.events.codec import UnreadableRecord
from tablectl.core.events.stream import decode_record
from tablectl.core.timestamps import time_text, time_us
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.tilt import find
from tablectl.notifications.alerts import (
    CONTROLLER,
    Alert,
    alerts_of,
    disk,
    ended,
    gone,
    rolled_back,
    rulebook,
    tilted,
    told_to,
)
from tablectl.notifications.outbox import Message, Outbox, Place, identity
from tablectl.notifications.sender import Log
from tablectl.notifications.wakeup import Wakeup
from tablectl.notifications.wording import Scene, worded
from tablectl.table.disk_space import heard

#: Records of one commit at most, while there are many to read.
BATCH: Final = 200
LOOK_S: Final = 0.5
PAUSE_S: Final = 1.0
#: How long a stored record may take to come, in seconds; a slow one is asked for again.
STORED_S: Final = 10.0
_US: Final = 1_000_000
#: How often the controller is asked how much room its disks have.
DISKS_EVERY_US: Final = 60 * _US
#: A public record as the controller's socket gives it.
_Line: TypeAlias = Mapping[str, Any]
#: A tilt's record may wait for a slow disk after its mark was made.
SAME_TILT_US: Final = 60 * _US
#: After these nobody is missed: the controller ended in order, or its tilt was told.
_ENDED: Final = ("stopped", "tilted")


class Unreadable(Exception):
    """What the controller sends is no public stream, or does not join on to what was there before."""


class Follower:
    """Follows one controller, with an outbox of its own."""

    def __init__(
        self,
        socket: Path,
        marks: Iterable[Path],
        outbox: Outbox,
        targets: tuple[Target, ...],
        *,
        table: str,
        public_url: str = "",
        gone_s: int,
        now_us: Callable[[], int],
        wakeup: Wakeup,
        log: Log,
        heads: KnownHeads | None = None,
    ) -> None:
        """`heads`: what the table signed, in a file of this process."""
        self._socket = socket
        self._marks = tuple(marks)
        self._outbox = outbox
        self._heads = KnownHeads(None) if heads is None else heads
        self._targets = targets
        self._table = table
        self._public_url = public_url
        self._gone_us = gone_s * _US
        self._now_us = now_us
        self._wakeup = wakeup
        self._log = log
        found = outbox.place()
        self._is_known = found is not None
        self._place = found if found is not None else Place(seq=0)
        self._batch: list[_Line] = []
        #: everything that was there at the last look is read, or nobody is there to read from
        self._is_settled = False
        self._missed_us: int | None = None
        self._asked_us = 0

    def is_behind(self) -> bool:
        """Whether records that are there already have not been read yet. Any thread may ask."""
        return not self._is_settled

    def run(self, closing: threading.Event) -> None:
        """Connect, follow, and connect again, until `closing`."""
        while not closing.is_set():
            self.follow(closing.is_set)
            closing.wait(PAUSE_S)

    def catch_up(self) -> None:
        """Read what there is, and no more."""
        self.follow(lambda: self._is_settled)

    def follow(self, is_over: Callable[[], bool]) -> None:
        """One connection: until it breaks, or `is_over` where nothing more is there at once."""
        try:
            self._read(is_over)
        except (NoController, Unreadable, ValueError) as lost:
            self._keep()  # the last words of a controller that ends come just before it hangs up
            self._is_settled = True
            self._missed(lost)

    # --- the stream -------------------------------------------------------------------------------------------------

    def _read(self, is_over: Callable[[], bool]) -> None:
        self._is_settled = False
        told = self._ask_devices()
        newest = told.get("records")
        if type(newest) is not int:
            raise Unreadable("it does not say how far its journal is")
        if not self._is_known:
            self._begin(Place(seq=newest))
        self._tell_missing()
        if newest < self._place.seq:
            self._begin_anew(f"it has {newest} records, and {self._place.seq} were read")
        with self._opened() as reader:
            self._found_again()
            self._take_disks(told)
            silent_s = 0.0
            while silent_s < STORED_S:
                if not self._is_settled and self._read_up_to >= newest:
                    self._settle()
                record = reader.next(0.0) if self._is_settled else None
                if record is None:
                    if self._is_settled:
                        self._keep()
                    if is_over():
                        return
                    self._ask_for_disks()
                    record = reader.next(LOOK_S)
                if record is not None:
                    self._take(record)
                silent_s = silent_s + LOOK_S if record is None and not self._is_settled else 0.0
        raise NoController("it does not send what it has")

    def _opened(self) -> Subscription:
        """After the last record that was read, in the journal in which that one was."""
        place = self._place
        try:
            records = Subscription(
                self._socket, after=place.seq, is_last=self._is_last, heads=self._heads, timeout_s=STORED_S
            )
        except MissingRecord:
            raise  # the journal has it: it is asked for again
        except AnotherJournal as other:
            self._begin_anew(str(other))
            raise
        if place.seq and not place.hash:
            self._begin(replace(place, hash=str(records.again.get("hash", "")), at=str(records.again["at"])))
        self._place = replace(self._place, timezone=str(records.table.get("timezone") or ""))
        self._table = str(records.table.get("name") or self._table)
        return records

    def _is_last(self, record: _Line) -> bool:
        """Whether it is the last record that was read; any one where nothing is known of it but its number."""
        return self._place.hash in ("", record.get("hash"))

    @property
    def _read_up_to(self) -> int:
        return int(self._batch[-1]["seq"]) if self._batch else self._place.seq

    def _settle(self) -> None:
        """What was there when the connection was made is read, and kept."""
        self._keep()
        self._is_settled = True
        self._wakeup.wake()

    def _begin(self, place: Place) -> None:
        with self._outbox.together():
            self._outbox.keep(place)
        self._place, self._is_known = place, True

    def _begin_anew(self, why: str) -> None:
        """Another journal. What bears a time that has not come yet was written with a clock that was wrong."""
        self._log.warning("another journal", why=why, what="it is read from its beginning")
        floor = min(self._place.at, time_text(self._now_us()))
        before = self._place
        place = Place(seq=0, journal=before.journal + 1, floor=floor, timezone=before.timezone, tilt=before.tilt)
        if self._heads.missing:
            self._begin(place)  # which is told already
        else:
            instead = f"instead of {before.journal} {before.hash}"
            self._tell_by_itself(place, instead, rolled_back(time_text(self._now_us())))

    def _tell_missing(self) -> None:
        """Where the journal does not have what the table signed; each such head once, however often it is found."""
        ask_about(self._socket, self._heads)
        self._keep_heads()
        for lost in self._heads.missing:
            with self._outbox.together():
                self._tell(self._place, "", (rolled_back(lost.at, lost.head.hash),))
        self._wakeup.wake()

    def _keep_heads(self) -> None:
        try:
            self._heads.keep()
        except OSError as wrong:
            self._log.warning("heads not kept", reason=str(wrong))

    def _take(self, record: _Line) -> None:
        try:
            _ = str(record["hash"]), time_us(str(record["at"]))
        except (KeyError, TypeError, ValueError):
            raise Unreadable(f"no record: {str(record.get('error', ''))[:200]}") from None
        self._batch.append(record)
        if len(self._batch) >= BATCH:
            self._keep()

    def _keep(self) -> None:
        """What was read, with what it says, in one commit."""
        if not self._batch:
            return
        place = self._place
        with self._outbox.together():
            for record in self._batch:
                place = self._step(place, record)
            self._outbox.keep(place)
        self._place = place
        self._batch.clear()
        self._keep_heads()
        self._wakeup.wake()

    def _step(self, place: Place, record: _Line) -> Place:
        """The place after a record; what it says is in the outbox."""
        at = str(record["at"])
        place = replace(place, seq=int(record["seq"]), hash=str(record["hash"]), at=at)
        if place.floor:
            self._outbox.adopt(place.hash, place.journal)
        place = replace(place, floor=place.floor if at <= place.floor else "")
        try:
            made = decode_record(record)
        except UnreadableRecord:
            self._log.warning("a record that cannot be read", seq=place.seq, what="nothing is told of it")
            return place
        found, over = tuple(alerts_of(made)), tuple(ended(made))
        place = replace(place, kind=made.kind, rulebook=rulebook(made) or place.rulebook)
        tilts = [alert for alert in found if alert.what is What.TILT and not _is_told(place.tilt, alert)]
        for tilt in tilts:
            place = replace(place, tilt=_named(tilt))
        found = tuple(alert for alert in found if alert.what is not What.TILT or alert in tilts)
        if not place.floor:
            self._tell(place, place.hash, found)
        for subject in over:
            self._outbox.spare(place.journal, subject, time_us(at))
        return replace(place, tilt="") if place.kind == "cleared" else place

    def _tell(self, place: Place, record: str, found: tuple[Alert, ...]) -> None:
        for target in self._targets:
            for alert in told_to(target, found):
                self._outbox.add(self._message(place, record, alert, target))

    def _message(self, place: Place, record: str, alert: Alert, target: Target) -> Message:
        scene = Scene(table=self._table, rulebook=place.rulebook, timezone=place.timezone, public_url=self._public_url)
        text = worded(alert, scene, target.languages)
        # The table's clock is this machine's; should it have been set back since, nobody waits for the old time.
        at_us = min(time_us(alert.at), self._now_us())
        return Message(
            id=identity(alert.known_by or record, alert.subject, alert.kind, target.name),
            target=target.name,
            journal=place.journal,
            record=record,
            subject=alert.subject,
            severity=alert.severity,
            at_us=at_us,
            due_us=at_us + target.after_s * _US,
            title=text.title,
            body=text.body,
            languages=" ".join(target.languages),
        )

    # --- what stands in no record -----------------------------------------------------------------------------------

    def _ask_for_disks(self) -> None:
        """Where it is time. A controller that does not answer is noticed by the stream."""
        if abs(self._now_us() - self._asked_us) < DISKS_EVERY_US:
            return
        try:
            told = self._ask_devices()
        except (NoController, ValueError):
            return
        self._take_disks(told)
        with suppress(NoController):
            self._tell_missing()

    def _ask_devices(self) -> Mapping[str, Any]:
        """What the controller says of its devices and disks. The time is that of the question: what changes while the
        answer is under way is asked for again after the usual time."""
        self._asked_us = self._now_us()
        return ask(self._socket, {"ask": "devices"})

    def _take_disks(self, told: Mapping[str, Any]) -> None:
        """Tell of each disk that became more or less urgent since it was told; of one that has room again, nothing.
        Where the controller does not know, nothing changed."""
        try:
            found = heard(told.get("disks", ()))
        except ValueError:
            return
        before = self._outbox.urgencies()
        changed = [space for space in found if space.urgency != before.get(space.holds, Urgency.NONE)]
        if not changed:
            return
        with self._outbox.together():
            for space in changed:
                self._tell_disk(space)
        self._wakeup.wake()

    def _tell_disk(self, space: Space) -> None:
        at_us = self._now_us()
        made = disk(space, time_text(at_us))
        self._outbox.spare(self._place.journal, made.subject, at_us)
        self._outbox.keep_urgency(space.holds, space.urgency)
        if space.urgency is not Urgency.NONE:
            self._tell(self._place, f"{made.kind} {at_us}", (made,))

    # --- without a controller ---------------------------------------------------------------------------------------

    def _found_again(self) -> None:
        if self._missed_us is not None:
            self._log.info("following", after=self._place.seq)
        self._missed_us = None
        place = self._place
        with self._outbox.together():
            self._outbox.spare(place.journal, CONTROLLER, self._now_us())

    def _missed(self, lost: Exception) -> None:
        """Why nobody answers, as far as that can be seen from here."""
        now_us = self._now_us()
        if self._missed_us is None:
            self._missed_us = now_us
            self._log.warning("no controller", reason=str(lost))
        place = self._place
        mark = find(self._marks)
        if mark is not None:
            found = tilted(mark.kind, _time_or(mark.at, now_us))
            if not _is_told(place.tilt, found):
                self._tell_by_itself(replace(place, tilt=_named(found)), f"mark {mark.at}", found)
        elif place.kind not in _ENDED and now_us - self._missed_us >= self._gone_us:
            self._tell_by_itself(place, f"behind {place.hash}", gone(time_text(self._missed_us)))
        self._wakeup.wake()

    def _tell_by_itself(self, place: Place, record: str, alert: Alert) -> None:
        """What stands in no record; sent once, however often it is found."""
        with self._outbox.together():
            self._tell(place, record, (alert,))
            if self._is_known:
                self._outbox.keep(place)
        self._place = place


def _time_or(at: str, now_us: int) -> str:
    """A time that a mark bears, or now where nobody could write it down."""
    try:
        return time_text(time_us(at))
    except ValueError:
        return time_text(now_us)


def _named(alert: Alert) -> str:
    """A tilt, as it is remembered."""
    return f"{alert.said} {alert.at}"


def _is_told(told: str, alert: Alert) -> bool:
    """Whether a tilt that was told is this one: its record and its mark bear times of their own, close together."""
    kind, _, at = told.partition(" ")
    return kind == alert.said and abs(time_us(at) - time_us(alert.at)) <= SAME_TILT_US
