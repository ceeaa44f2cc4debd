"""One target's thread: the message that is first in its queue, sent until it is taken, and then the next.

A target that fails waits longer each time, to a ceiling, and holds up nobody but itself. What was not taken for certain
may have arrived: it does not go again before the target's own time is over, and it goes with the same id.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, Protocol

from tablectl.config.notifications import Target
from tablectl.core.engine.vocabulary import Severity
from tablectl.notifications.apprise_client import Outcome
from tablectl.notifications.outbox import Message, Outbox, State
from tablectl.notifications.wakeup import Wakeup
from tablectl.notifications.wording import last_lines

#: The first pause after a failure and the longest one, in seconds, before a message's own share of a quarter is added
#: or taken away, so that targets that failed together do not come back together.
FIRST_PAUSE_S: Final = 2
LONGEST_PAUSE_S: Final = 300
#: A message that arrives later than this after it was due says how late it is, in seconds.
LATE_S: Final = 120
#: A queue with nothing to do looks again after this, in seconds, whatever rang.
LOOK_S: Final = 30.0
_US: Final = 1_000_000
_SHARES: Final = 0xFFFF


class Log(Protocol):
    """What is said of the work: never an address, never the text of a message."""

    def info(self, event: str, **fields: object) -> None:
        """Something happened, as it should."""

    def warning(self, event: str, **fields: object) -> None:
        """Somebody should look at this."""

    def error(self, event: str, **fields: object) -> None:
        """Somebody has to do something."""


class Post(Protocol):
    """Takes a message to its target."""

    @property
    def pause_s(self) -> float:
        """The least time between two messages, in seconds."""

    def send(self, identity: str, *, title: str, body: str, severity: Severity | None) -> Outcome:
        """Say it, and whether it was taken."""


class Sender:
    """Sends what waits for one target, with an outbox of its own. `is_behind`: whether an escalation may have been
    acknowledged in records that are not read yet."""

    def __init__(
        self,
        target: Target,
        post: Post,
        outbox: Outbox,
        *,
        now_us: Callable[[], int],
        is_behind: Callable[[], bool],
        log: Log,
    ) -> None:
        self._target = target
        self._post = post
        self._outbox = outbox
        self._now_us = now_us
        self._is_behind = is_behind
        self._log = log
        #: before this the service does not want another message, by the clock that nobody sets
        self._free_s = 0.0

    def run(self, wakeup: Wakeup, closing: threading.Event) -> None:
        """Until `closing`; woken when there may be something new."""
        while not closing.is_set():
            count = wakeup.count
            wait_s = self.step()
            if wait_s is None:
                wakeup.wait(count, LOOK_S)
            elif wait_s > 0:
                wakeup.wait(count, min(wait_s, LOOK_S))

    def step(self) -> float | None:
        """Send the first message if it may go. Gives how long until something may, in seconds; None where nothing
        waits, or what waits needs the stream."""
        message = self._outbox.first(self._target.name)
        if message is None:
            return None
        if (pause_s := self._free_s - time.monotonic()) > 0:
            return pause_s
        now_us = self._now_us()
        ready_us = self._ready_us(message, now_us)
        if ready_us > now_us:
            return (ready_us - now_us) / _US
        if message.is_escalation and message.tries == 0 and self._is_behind():
            return None
        return self._send(message, now_us)

    def _send(self, message: Message, now_us: int) -> float:
        self._outbox.begin(message.number, now_us)
        languages = tuple(message.languages.split())
        late_s = (now_us - message.due_us) // _US
        below = last_lines(message.id, late_s if late_s > LATE_S else 0, languages)
        outcome = self._post.send(
            message.id, title=message.title, body=f"{message.body}\n\n{below}", severity=message.severity
        )
        said = {"target": self._target.name, "id": message.id, "subject": message.subject, "tries": message.tries + 1}
        self._free_s = time.monotonic() + self._post.pause_s
        if outcome.is_taken:
            self._outbox.done(message.number, self._now_us())
            self._log.info("sent", **said)
            return 0.0
        pause_s = _pause_s(message.id, message.tries + 1)
        next_us = max(now_us + self._target.timeout_s * _US, self._now_us() + int(pause_s * _US))
        self._outbox.again(message.number, next_us)
        self._log.warning("not taken", **said, why=outcome.why, again_s=(next_us - self._now_us()) // _US)
        return max(0.0, (next_us - self._now_us()) / _US)

    def _ready_us(self, message: Message, now_us: int) -> int:
        """When it may go. One that is marked as leaving although nobody sends it was cut off: it is in doubt."""
        if message.began_us > now_us:
            return now_us  # somebody set the clock back: nobody can tell how long it has waited
        if message.state is State.SENDING:
            return message.began_us + self._target.timeout_s * _US
        return max(message.due_us, message.next_us)


def _pause_s(identity: str, tries: int) -> float:
    """How long to wait after so many failures, in seconds: the same for the same message, so that it can be tested."""
    whole = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (tries - 1))
    return float(whole * (0.75 + 0.5 * int(identity[:4], 16) / _SHARES))
