"""How a device is, told from what its port and its protocol say. Sans-I/O: no thread, no clock of its own.

| state | it means |
|---|---|
| ready | it has answered what it must, or nothing is expected of it and its wire is open |
| silent | its wire is open, and it has not said or answered what it must within its time |
| lost | there is no wire: unplugged, port error, a thread of the port that ended or does not move |
| refused | it is there and cannot be used: no right, in use by another process, or it answers no to what it must do |
| foreign | something answers that is not the device configured: garbage where frames should be |

What a device must say, and by when, is its protocol's to know, which tells it with the facts that it gives anyway:
`Found` when the device has answered, `Lost` while the wire is open when it does not answer any more. A protocol that
gives `Found` as soon as the wire is open says that silence is normal. One that counts frames and repetitions has an
attribute `tally`; it need not.
"""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, Protocol, runtime_checkable

from drivers.facts import DeviceFact, Found, Lost, Rejected

#: So much garbage without one frame between is no noise: something else is at the other end, or the speed is wrong. Our
#: choice; the longest frames of the devices here have fewer bytes, but for a picture of a key, which nobody sends us.
FOREIGN_BYTES: Final = 64
#: Distinct reasons for rejects that are kept apart; further ones are counted together.
REASONS_MAX: Final = 64
#: What the operating system says where a device is there and may not be opened; EAGAIN is a lock that another holds.
_DENIALS: Final = frozenset({errno.EACCES, errno.EPERM, errno.EBUSY, errno.EAGAIN, errno.ETXTBSY})


class DeviceState(StrEnum):
    """See the table above. Before the first attempt to open has ended a device is lost: nobody has seen it."""

    READY = "ready"
    SILENT = "silent"
    LOST = "lost"
    REFUSED = "refused"
    FOREIGN = "foreign"


class Event(Enum):
    """What may change a state."""

    #: The wire is open.
    OPENED = "opened"
    #: It has answered what it must, or speaks again after it did.
    FOUND = "found"
    #: A frame that is one, from a device that has not answered what it must.
    FRAME = "frame"
    #: `FOREIGN_BYTES` without a frame.
    GARBAGE = "garbage"
    #: It does not answer.
    MUTE = "mute"
    #: The operating system or the device itself says no.
    DENIED = "denied"
    #: It cannot be opened, or its wire broke.
    GONE = "gone"


#: Which state an event leads to; where none stands, the state stays. A wire that is opened again and again behind a
#: device that stays mute, or that babbles, changes nothing: the state says since when it has been so.
TRANSITIONS: Final[Mapping[DeviceState, Mapping[Event, DeviceState]]] = {
    DeviceState.LOST: {
        Event.OPENED: DeviceState.SILENT,
        Event.MUTE: DeviceState.SILENT,
        Event.DENIED: DeviceState.REFUSED,
    },
    DeviceState.SILENT: {
        Event.FOUND: DeviceState.READY,
        Event.GARBAGE: DeviceState.FOREIGN,
        Event.DENIED: DeviceState.REFUSED,
        Event.GONE: DeviceState.LOST,
    },
    DeviceState.READY: {
        Event.MUTE: DeviceState.SILENT,
        Event.GARBAGE: DeviceState.FOREIGN,
        Event.GONE: DeviceState.LOST,
    },
    DeviceState.REFUSED: {
        Event.FOUND: DeviceState.READY,
        Event.OPENED: DeviceState.SILENT,
        Event.GARBAGE: DeviceState.FOREIGN,
        Event.GONE: DeviceState.LOST,
    },
    DeviceState.FOREIGN: {
        Event.FOUND: DeviceState.READY,
        Event.FRAME: DeviceState.SILENT,
        Event.DENIED: DeviceState.REFUSED,
        Event.GONE: DeviceState.LOST,
    },
}


@dataclass(slots=True)
class Tally:
    """What a protocol counts as it goes, since it was made; the port reads it."""

    #: messages that were whole and good
    frames: int = 0
    #: commands that were sent once more
    retries: int = 0
    #: answers that say no to what the device must do
    refusals: int = 0


@runtime_checkable
class Tallied(Protocol):
    """A protocol that counts."""

    @property
    def tally(self) -> Tally:
        """Its counts, the same object for as long as it lives."""


def tally_of(protocol: object) -> Tally | None:
    """The counts of a protocol; None where it does not count."""
    return protocol.tally if isinstance(protocol, Tallied) else None


@dataclass(frozen=True, kw_only=True, slots=True)
class DeviceHealth:
    """A device at one moment. Counts are since its port was made; `since_us` is wall clock, microseconds."""

    device: str
    state: DeviceState
    since_us: int
    is_open: bool
    #: What was opened (path, serial number); of the last wire when there is none now, empty before the first.
    identity: str
    #: Who the device says that it is; empty before it has answered.
    answered: str
    #: Without rejects: they are counted by their reasons.
    facts: int
    #: None where the protocol does not count.
    frames: int | None
    retries: int | None
    #: (reason, how many), most frequent first.
    rejects: tuple[tuple[str, int], ...]
    garbage_bytes: int
    bytes_in: int
    bytes_out: int
    #: When bytes came from it last, wall clock, microseconds; None: never.
    heard_us: int | None
    #: Whether any came since its wire was opened. A device that speaks only when a card comes is ready without.
    is_heard: bool
    reconnects: int
    #: For a technician; None while nothing has gone wrong yet. Kept after the device is back.
    last_error: str | None


class HealthRecord:
    """What is known of a device. One thread writes it, any may read `now`."""

    def __init__(self, device: str, tally: Tally | None, *, now_us: Callable[[], int]) -> None:
        self._device = device
        self._tally = tally
        self._now_us = now_us
        self._state = DeviceState.LOST
        self._since_us = now_us()
        self._is_open = False
        #: It has answered since the wire was opened.
        self._is_found = False
        self._opened_before = False
        self._identity = self._answered = ""
        self._frames_seen = 0
        self._refusals_seen = 0
        self._strange_bytes = 0
        self._facts = 0
        self._rejects: Counter[str] = Counter()
        self._garbage_bytes = 0
        self._reconnects = 0
        self._last_error: str | None = None
        self._bytes_in = 0
        self._heard_us: int | None = None
        self._is_heard = False
        #: counted by the port's writer
        self.bytes_out = 0

    def opened(self, identity: str) -> None:
        """The wire is open (again)."""
        self._identity = identity
        self._reconnects += self._opened_before
        self._is_open = self._opened_before = True
        self._is_found = self._is_heard = False
        self._strange_bytes = 0
        self._enter(Event.OPENED)

    def heard(self, n_bytes: int, at_us: int) -> None:
        """So many bytes came."""
        self._bytes_in += n_bytes
        self._heard_us = at_us
        self._is_heard = True

    def failed(self, reason: str, event: Event) -> None:
        """There is no wire (any more)."""
        self._is_open = False
        self._last_error = reason
        self._enter(event)

    def closed(self) -> None:
        """There is no wire any more, and nobody wants one."""
        self._is_open = False
        self._enter(Event.GONE)

    def told(self, fact: DeviceFact) -> bool:
        """A fact of its protocol; whether it is the first reject for its reason."""
        if isinstance(fact, Rejected):
            return self._rejected(fact)
        self._facts += 1
        match fact:
            case Found():
                self._answered = fact.identity
                self._is_found = True
                self._lives()
            case Lost() if self._is_open:
                self._is_found = False
                self._last_error = fact.reason
                self._enter(Event.MUTE)
            case Lost():
                pass  # `failed` knows
            case _ if self._tally is None:
                self._lives()
        return False

    def look(self) -> None:
        """Its protocol was fed: see what it counted."""
        tally = self._tally
        if tally is None:
            return
        if tally.frames != self._frames_seen:
            self._frames_seen = tally.frames
            self._lives()
        if tally.refusals != self._refusals_seen:
            self._refusals_seen = tally.refusals
            self._enter(Event.DENIED)

    def now(self) -> DeviceHealth:
        """A snapshot; cheap, any thread."""
        tally = self._tally
        return DeviceHealth(
            device=self._device,
            state=self._state,
            since_us=self._since_us,
            is_open=self._is_open,
            identity=self._identity,
            answered=self._answered,
            facts=self._facts,
            frames=None if tally is None else tally.frames,
            retries=None if tally is None else tally.retries,
            rejects=tuple(self._rejects.copy().most_common()),
            garbage_bytes=self._garbage_bytes,
            bytes_in=self._bytes_in,
            bytes_out=self.bytes_out,
            heard_us=self._heard_us,
            is_heard=self._is_heard,
            reconnects=self._reconnects,
            last_error=self._last_error,
        )

    def _lives(self) -> None:
        if self._state is DeviceState.READY and not self._strange_bytes:
            return  # as nearly always, and many times a second
        self._strange_bytes = 0
        self._enter(Event.FOUND if self._is_found else Event.FRAME)

    def _rejected(self, reject: Rejected) -> bool:
        known = reject.reason in self._rejects or len(self._rejects) < REASONS_MAX
        reason = reject.reason if known else "other"
        self._garbage_bytes += reject.n_bytes
        self._rejects[reason] += 1
        self._strange_bytes += reject.n_bytes
        if self._strange_bytes >= FOREIGN_BYTES:
            self._last_error = reject.reason
            self._enter(Event.GARBAGE)
        return self._rejects[reason] == 1

    def _enter(self, event: Event) -> None:
        state = TRANSITIONS[self._state].get(event, self._state)
        if state is not self._state:
            self._state = state
            self._since_us = self._now_us()


def event_of(error: BaseException) -> Event:
    """What it means that a wire cannot be opened, or broke: the operating system's number is in what caused it."""
    numbers = {cause.errno for cause in _causes(error) if isinstance(cause, OSError)}
    return Event.DENIED if numbers & _DENIALS else Event.GONE


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
