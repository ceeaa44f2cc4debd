"""A shuffler that speaks the reference line protocol of `messages`: what it did with the deck, and that it is there.

NOT VERIFIED ON HARDWARE: no shuffler speaks this protocol; an adapter has to. Its count is never trusted alone: the
table counts the cards that it deals.

Read-only: nothing is ever sent. A line that did not come is noticed by the numbers and noted (`lines-missing`), for it
may have been anything: then nobody has said that the shuffle is over, and it has to be shuffled again. Who says nothing
for `silent_s` is lost, until it speaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from drivers.facts import DeviceFact, Found, Lost, Rejected, ShufflerNote
from drivers.framing import Garbage, Scanner
from drivers.health import Tally
from drivers.limits import OutOfRange
from drivers.shuffler.messages import KEEP_ALIVE_S, NUMBERS, Kind, Line, encode, shuffler_grammar

IDENTITY: Final = "shuffler, reference line protocol"

#: For the log, once at start.
NOT_VERIFIED: Final = (
    "shuffler: not verified on hardware: the line protocol is ours, no shuffler is known to speak it without an adapter"
)


class Note(StrEnum):
    """Every `kind` of `ShufflerNote` that this driver gives; after it what `cards` is, where it is something."""

    RESTARTED = "restarted"
    STARTED = "started"
    COMPLETE = "complete"  # the cards that it counted
    CARD_MISSING = "card-missing"  # the cards that it counted
    CARD_EXTRA = "card-extra"  # the cards that it counted
    JAM = "jam"
    DOOR_OPEN = "door-open"
    DOOR_CLOSED = "door-closed"
    LINES_MISSING = "lines-missing"


@dataclass(frozen=True, kw_only=True, slots=True)
class ShufflerSettings:
    """Times in seconds; ours. Raises `OutOfRange`."""

    #: Without a good line for so long the shuffler is lost.
    silent_s: float = 3 * KEEP_ALIVE_S
    #: A line whose rest does not come within this time is given up.
    line_s: float = 1.0

    def __post_init__(self) -> None:
        if self.silent_s <= KEEP_ALIVE_S:
            raise OutOfRange("silent_s", f"more than {KEEP_ALIVE_S}: so often it says that it is there")


DEFAULT_SETTINGS: Final = ShufflerSettings()


class Shuffler:
    """A `DeviceProtocol`. `device` is the name in the configuration."""

    def __init__(self, device: str, settings: ShufflerSettings = DEFAULT_SETTINGS) -> None:
        self._device = device
        self._settings = settings
        self.tally = Tally()
        self._scanner: Scanner[Line] = Scanner(shuffler_grammar(), self.tally)
        self._line_due_s: float | None = None
        self._silent_due_s: float | None = None
        #: The last line, from before a loss too; None before the first.
        self._last: Line | None = None
        self._is_there = False
        self._told_lost = False

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`. It is found when it has said something."""
        self._scanner.forget()
        self._line_due_s = None
        self._silent_due_s = now_s + self._settings.silent_s
        return []

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`. `Lost` unless that was told before."""
        facts = self._facts_of(self._scanner.forget(), now_s=0.0, at_us=at_us)
        self._line_due_s = self._silent_due_s = None
        return [*facts, *self._lose(reason, at_us=at_us)]

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        facts = self._facts_of(self._scanner.feed(data), now_s=now_s, at_us=at_us)
        self._line_due_s = now_s + self._settings.line_s if self._scanner.is_waiting else None
        return facts

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        facts: list[DeviceFact] = []
        if self._line_due_s is not None and now_s >= self._line_due_s:
            self._line_due_s = None
            facts += self._facts_of(self._scanner.forget(), now_s=now_s, at_us=at_us)
        if self._silent_due_s is not None and now_s >= self._silent_due_s:
            self._silent_due_s = None
            facts += self._lose(f"nothing heard for {self._settings.silent_s:g} s", at_us=at_us)
        return facts

    def deadline_s(self) -> float | None:
        """See `DeviceProtocol`."""
        return min((due for due in (self._line_due_s, self._silent_due_s) if due is not None), default=None)

    def take_outgoing(self) -> Sequence[bytes]:
        """Nothing, ever."""
        return []

    def _facts_of(self, items: Sequence[Line | Garbage], *, now_s: float, at_us: int) -> list[DeviceFact]:
        facts: list[DeviceFact] = []
        for item in items:
            match item:
                case Garbage():
                    facts.append(self._rejected(item.reason, item.n_bytes, at_us=at_us))
                case Line():
                    self._silent_due_s = now_s + self._settings.silent_s
                    facts += [*self._be_found(at_us=at_us), *self._facts_of_line(item, at_us=at_us)]
        return facts

    def _facts_of_line(self, line: Line, *, at_us: int) -> list[DeviceFact]:
        before, self._last = self._last, line
        if line == before:
            return [self._rejected("line repeated", len(encode(line)), at_us=at_us)]
        if line.kind is Kind.HELLO:
            return [self._note(Note.RESTARTED, at_us=at_us)]
        facts: list[DeviceFact] = []
        if before is not None and line.number != (before.number + 1) % NUMBERS:
            facts.append(self._note(Note.LINES_MISSING, at_us=at_us))
        if line.kind is not Kind.ALIVE:
            facts.append(self._note(Note(line.kind.value), line.cards, at_us=at_us))
        return facts

    def _be_found(self, *, at_us: int) -> list[DeviceFact]:
        if self._is_there:
            return []
        self._is_there, self._told_lost = True, False
        return [Found(device=self._device, at_us=at_us, identity=IDENTITY)]

    def _lose(self, reason: str, *, at_us: int) -> list[DeviceFact]:
        self._is_there = False
        if self._told_lost:
            return []
        self._told_lost = True
        return [Lost(device=self._device, at_us=at_us, reason=reason)]

    def _note(self, kind: Note, cards: int | None = None, *, at_us: int) -> ShufflerNote:
        return ShufflerNote(device=self._device, at_us=at_us, kind=kind, cards=cards)

    def _rejected(self, reason: str, n_bytes: int, *, at_us: int) -> Rejected:
        return Rejected(device=self._device, at_us=at_us, reason=reason, n_bytes=n_bytes)
