"""Who asks again, and when to stop. Sans-I/O: takes `now_s`, offers `deadline_s()`.

Logic of devices to which a host sends one command at a time and which answer each with an acknowledgement, a refusal or
data. What an answer looks like is the device's `messages.py`; what it means is its `driver.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar

from drivers.health import Tally

T = TypeVar("T")

#: How long an answer may take, in seconds. No source gives one for any device here; 1 s is ours: three repetitions of
#: the longest report at 4800 baud (75 ms) may stand before the answer, and a serial server adds its own delay.
REPLY_S: Final = 1.0
#: A moment that is over by every monotonic clock, in seconds.
AT_ONCE_S: Final = float("-inf")
#: How often a command is sent before it counts as unanswered. Ours.
ATTEMPTS: Final = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkTiming:
    """`reply_s` in seconds for each attempt, `attempts` at least 1."""

    reply_s: float = REPLY_S
    attempts: int = ATTEMPTS


DEFAULT_TIMING: Final = LinkTiming()


@dataclass(frozen=True, slots=True)
class Accepted(Generic[T]):
    """The device acknowledged `command`."""

    command: T


@dataclass(frozen=True, slots=True)
class Refused(Generic[T]):
    """The device refused `command`; `code` is its own number for why."""

    command: T
    code: int


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """The device answered `command` with data."""

    command: T
    data: bytes


@dataclass(frozen=True, slots=True)
class Unanswered(Generic[T]):
    """`command` was sent `attempts` times in vain, or the wire was lost first."""

    command: T
    attempts: int


Outcome: TypeAlias = Accepted[T] | Refused[T] | Answered[T] | Unanswered[T]


@dataclass(frozen=True, slots=True)
class _Request(Generic[T]):
    command: T
    data: bytes


class RequestLink(Generic[T]):
    """A queue of commands, one of them on its way. `T` is whatever the driver knows its commands by.

    `retry_codes` are refusals that another attempt may cure (garbled on the way, device busy). Repetitions are counted
    in `tally`.
    """

    def __init__(
        self,
        *,
        retry_codes: frozenset[int] = frozenset(),
        timing: LinkTiming = DEFAULT_TIMING,
        tally: Tally | None = None,
    ) -> None:
        self._tally = tally if tally is not None else Tally()
        self._retry_codes = retry_codes
        self._timing = timing
        self._queue: deque[_Request[T]] = deque()
        self._attempts = 0
        self._due_s: float | None = None
        self._refused_for: int | None = None
        self._outgoing: list[bytes] = []

    def submit(self, command: T, data: bytes) -> None:
        """Queue a command. The first goes out at once; its time starts with the next `tick`, which is due at once."""
        self._queue.append(_Request(command, data))
        if len(self._queue) == 1:
            self._begin()

    @property
    def is_busy(self) -> bool:
        """A command is on its way."""
        return bool(self._queue)

    def accepted(self) -> Sequence[Outcome[T]]:
        """An acknowledgement came; nothing where nobody waits for one."""
        return [Accepted(self._finish())] if self._queue else []

    def answered(self, data: bytes) -> Sequence[Outcome[T]]:
        """Data came instead of an acknowledgement; nothing where nobody waits for it."""
        return [Answered(self._finish(), data)] if self._queue else []

    def refused(self, code: int) -> Sequence[Outcome[T]]:
        """A refusal came. A curable one is tried again when the time of this attempt is over, never in a tight loop."""
        if not self._queue:
            return []
        if code in self._retry_codes:
            self._refused_for = code
            return []
        return [Refused(self._finish(), code)]

    def tick(self, *, now_s: float) -> Sequence[Outcome[T]]:
        """Start the time of what was sent; send again what is due; give up what was sent often enough."""
        if not self._queue:
            return []
        if self._due_s is None:
            self._due_s = now_s + self._timing.reply_s
            return []
        if now_s < self._due_s:
            return []
        if self._attempts < self._timing.attempts:
            self._send()
            self._tally.retries += 1
            self._due_s = now_s + self._timing.reply_s
            return []
        attempts, code = self._attempts, self._refused_for
        command = self._finish()
        return [Unanswered(command, attempts) if code is None else Refused(command, code)]

    def deadline_s(self) -> float | None:
        """When `tick` is due next (monotonic, seconds; long ago means at once), or None."""
        if not self._queue:
            return None
        return AT_ONCE_S if self._due_s is None else self._due_s

    def take_outgoing(self) -> Sequence[bytes]:
        """What has to be written now; forgotten here."""
        taken, self._outgoing = self._outgoing, []
        return taken

    def drop(self) -> Sequence[Outcome[T]]:
        """The wire is gone: everything queued is unanswered."""
        outcomes: list[Outcome[T]] = []
        while self._queue:
            attempts = self._attempts
            outcomes.append(Unanswered(self._finish(), attempts))
        self._outgoing.clear()
        return outcomes

    def _begin(self) -> None:
        self._attempts = 0
        self._due_s = None
        self._send()

    def _send(self) -> None:
        self._attempts += 1
        self._refused_for = None
        self._outgoing.append(self._queue[0].data)

    def _finish(self) -> T:
        done = self._queue.popleft()
        if self._queue:
            self._begin()
        return done.command
