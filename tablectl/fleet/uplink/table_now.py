"""The table beside which this uplink runs, as it is now: its public stream, folded by the one projection.

It begins with the last hands, as the screens do, and never waits for what happened before: an uplink whose records are
a day behind says what the table does now.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from tablectl.api.client import BrokenStream, NoController, Subscription, ask
from tablectl.core.disk_room import Space
from tablectl.core.events.codec import UnreadableRecord
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.device import DeviceState
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.folding.hand import HANDS_KEPT
from tablectl.core.public_table.table import PublicTable
from tablectl.core.public_table.table_state import state_of
from tablectl.fleet.epochs import RESTORED_KIND, Epoch
from tablectl.fleet.last_values import WELL, DeviceNow, LastValues, last_values_of
from tablectl.journal.tilt import find

#: A controller that runs answers at once; who waits longer says nothing of the table meanwhile.
ANSWER_S: Final = 2.0
#: How often a controller that does not answer is asked again.
AGAIN_S: Final = 1.0
#: How often the controller is asked how its devices and disks are: most of that stands in no record.
DEVICES_S: Final = 15.0


class _Devices(msgspec.Struct):
    """What the controller says of them, as far as it is passed on, and how many records it has."""

    records: int = 0
    devices: tuple[DeviceNow, ...] = ()
    disks: tuple[Space, ...] = ()


class TableNow:
    """Follows one controller. Used by one thread."""

    def __init__(self, socket: Path, marks: Iterable[Path]) -> None:
        """`marks`: where a tilt leaves its mark, as far as this user can see it."""
        self._socket = socket
        self._marks = tuple(marks)
        self._stream: Subscription | None = None
        self._tried_s = float("-inf")
        self._asked_s = float("-inf")
        self._last: Mapping[str, Any] | None = None
        self._waits_since = ""
        self._game = ""
        self._view = PublicTable()
        self._health = _Devices()
        #: the hash of record 1, and the records that say that the journal was restored, as far as they were seen
        self._origin = ""
        self._restores: list[int] = []

    def close(self) -> None:
        """Hang up."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def wait(self, most_s: float) -> bool:
        """Take what comes within this time, and what there is by then; whether anything can be different now."""
        was_there = self._stream is not None
        try:
            stream = self._opened()
            if stream is not None:
                return self._took(stream, most_s) or not was_there
            time.sleep(min(most_s, AGAIN_S))
        except (BrokenStream, UnreadableRecord):
            self._forget()
        except NoController:
            self.close()
            if was_there:
                self._come_again()
        return was_there

    def values(self, at_us: int, known: Epoch, up_to: int) -> LastValues:
        """What it is doing. `known`: its epoch at the record `up_to`, as the records that were sent say it."""
        mark = find(self._marks)
        return last_values_of(
            self._view,
            state=state_of(self._view, is_connected=self._stream is not None, is_tilted=mark is not None),
            epoch=self._epoch(known, up_to),
            at_us=at_us,
            waits_since=self._waits_since,
            devices=self._health.devices,
            disks=self._health.disks,
            game=self._game,
        )

    # --- the stream -------------------------------------------------------------------------------------------------

    def _opened(self) -> Subscription | None:
        """The stream, begun anew where it was lost; None while it is too early to try again. Raises `NoController`."""
        if self._stream is not None:
            return self._stream
        if time.monotonic() - self._tried_s < AGAIN_S:
            return None
        self._tried_s = time.monotonic()
        last = self._last
        known = 0 if last is None else int(last["seq"])
        with Subscription(self._socket, after=0, timeout_s=ANSWER_S) as beginning:
            first = beginning.next(ANSWER_S)
        origin = "" if first is None else str(first["hash"])
        if origin != self._origin:
            self._forget()
            self._origin, known = origin, 0
        self._stream = Subscription(
            self._socket,
            after=known,
            hands=HANDS_KEPT,
            is_last=None if last is None else lambda again: again == last,
            timeout_s=ANSWER_S,
        )
        self._game = str(self._stream.table.get("rulebook") or "")
        self._asked_s = float("-inf")
        self._look_at_devices()
        while self._view.seq < self._health.records:
            record = self._stream.next(ANSWER_S)
            if record is None:
                raise NoController("it does not send what it has")
            self._take(record)
        return self._stream

    def _come_again(self) -> None:
        """A controller hangs up when what it says of itself changes (docs/api.md): then it answers at once."""
        with suppress(NoController, UnreadableRecord):
            self._opened()

    def _took(self, stream: Subscription, most_s: float) -> bool:
        """Take what comes within this time, and all that is there then; whether that changed anything."""
        record = stream.next(most_s)
        has_come = record is not None
        while record is not None:
            self._take(record)
            record = stream.next(0.0)
        return self._look_at_devices() or has_come

    def _forget(self) -> None:
        """It is another journal, or none that can be read: begin with its last hands."""
        self.close()
        self._last, self._view, self._origin, self._waits_since = None, PublicTable(), "", ""
        self._restores.clear()

    def _take(self, line: Mapping[str, Any]) -> None:
        record = decode_record(line)
        before, self._view = self._view, fold(self._view, record)
        self._last = line
        if self._view.prompt_since == record.seq:
            self._waits_since = record.at
        if record.kind == RESTORED_KIND:
            self._restores.append(record.seq)
        if self._view.devices != before.devices:
            self._asked_s = float("-inf")

    def _epoch(self, known: Epoch, up_to: int) -> Epoch:
        """That of the newest record: the one that is known, and the restores that were seen since."""
        if known.origin != self._origin:
            known, up_to = Epoch(origin=self._origin), 0
        if self._view.seq < up_to:
            up_to = 0  # it was put back, and its note of that is before the record that is known
        newer = sum(seq > up_to for seq in self._restores)
        return msgspec.structs.replace(known, restores=known.restores + newer)

    # --- devices ----------------------------------------------------------------------------------------------------

    def _look_at_devices(self) -> bool:
        """Ask how they are, now and then; whether they are otherwise than before. What does not answer is asked again
        later: the stream says by itself that the controller is gone."""
        if time.monotonic() - self._asked_s < DEVICES_S:
            return False
        self._asked_s = time.monotonic()
        before = self._health
        try:
            said = ask(self._socket, {"ask": "devices"}, timeout_s=ANSWER_S)
            self._health = msgspec.convert(said, _Devices)
        except (NoController, msgspec.ValidationError):
            self._health = _Devices(devices=self._heard_of())
        return self._health != before

    def _heard_of(self) -> tuple[DeviceNow, ...]:
        """The devices of which the stream told."""
        return tuple(
            DeviceNow(role=device.role, name=name, state=WELL if device.state is DeviceState.BACK else device.state)
            for name, device in self._view.devices.items()
        )
