"""A trace against a driver: what follows from the bytes that came, and whether it says what was said then.

The driver is without I/O and without a clock, so it gets the bytes with the times of the trace and cannot know that
this is not the wire. Three things are not in a trace and are taken from it: a time-out of the driver is let happen when
something was written that it makes the driver say, or when more than `GRACE_S` has passed since it was due (the
controller may have been late by so much); what the table wanted shown is told where it was told then; and a driver that
gives up its wire waits until the trace says that it was closed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Final

import msgspec

from drivers.facts import DeviceFact
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from drivers.transport.base import FeatureAnswer, WireLost
from drivers.transport.tapped import event_of
from tablectl.config.devices import Device
from tablectl.core.engine.outputs import Outputs
from tablectl.core.engine.vocabulary import Key
from tablectl.core.unreadable import UNREADABLE
from tablectl.ops.trace.entry import WRITTEN, Entry, Head, Kind
from tablectl.table.devices.adapters import ADAPTERS, Adapter
from tablectl.table.devices.devices import labels_of

#: How late the controller may have looked at a time-out, in seconds: its longest read without one (`drivers/port.py`).
GRACE_S: Final = 0.25
#: How much later than its time-out something counts as written because of it, in seconds; clocks are read twice.
TOLERANCE_S: Final = 0.02
#: Time-outs in a row at one moment; more is a driver that never waits.
TICKS_MAX: Final = 1000

#: The time-out of a driver that wants to know what time it is.
_AT_ONCE: Final = float("-inf")


class CannotReplay(Exception):
    """No driver can be made for this trace. The text says what is wrong."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """The driver wanted something else written. Kinds and bytes; None where it was nothing."""

    wanted: tuple[Kind, bytes] | None
    written: tuple[Kind, bytes] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One entry, the facts that followed from it and from the time until the next one, and the differences found at it.
    `gave_up`: why the driver wanted its wire closed."""

    entry: Entry
    facts: tuple[DeviceFact, ...]
    differences: tuple[Difference, ...]
    gave_up: str | None = None


def protocol_of(head: Head) -> DeviceProtocol:
    """The driver, as it was configured then. Raises `CannotReplay`."""
    driver = DRIVERS.get(head.driver)
    if driver is None:
        raise CannotReplay(f"no driver {head.driver!r} here; there are {', '.join(DRIVERS)}")
    # Where the device was does not matter here, so a text need not say it.
    places = {"port": "/replayed"} if "port" in driver.place.__dataclass_fields__ else {}
    settings = {**places, **head.settings}
    wrong = [f"{name}: found {found}; would be right: {right}" for name, found, right in driver.mistakes(settings)]
    if wrong:
        raise CannotReplay(f"settings of {head.driver}: {'; '.join(wrong)}")
    return driver.make(head.device, settings, None)[1]


def replay(head: Head, entries: Iterable[Entry]) -> Iterator[Step]:
    """Every entry with what followed from it. Raises `CannotReplay`.

    A trace that begins in the middle is taken up where the device is opened next: until then nothing is compared.
    """
    yield from _Replay(head).steps(entries)


class _Direct:
    """What an adapter needs of a port: the protocol does it at once."""

    def __init__(self, protocol: DeviceProtocol) -> None:
        self._protocol = protocol

    def send(self, action: Callable[[Any], object]) -> bool:
        action(self._protocol)
        return True


class _Replay:
    def __init__(self, head: Head) -> None:
        self._protocol = protocol_of(head)
        self._adapters = _adapters(head, self._protocol)
        #: What the driver wanted written and was not yet, and since when.
        self._wanted: deque[tuple[Kind, bytes]] = deque()
        self._wanted_s: deque[float] = deque()
        self._now_s = 0.0
        self._at_us = 0
        self._is_open = False
        self._is_lost = False
        self._reason: str | None = None
        self._gave_up: str | None = None
        self._facts: list[DeviceFact] = []
        self._differences: list[Difference] = []

    def steps(self, entries: Iterable[Entry]) -> Iterator[Step]:
        before: Entry | None = None
        for entry in entries:
            if before is not None:
                self._let_time_pass(entry)
                yield self._step(before)
            self._happen(entry)
            before = entry
        if before is not None:
            self._compare_rest()
            yield self._step(before)

    def _step(self, entry: Entry) -> Step:
        step = Step(entry=entry, facts=tuple(self._facts), differences=tuple(self._differences), gave_up=self._gave_up)
        self._facts, self._differences, self._gave_up = [], [], None
        return step

    # -- time --------------------------------------------------------------------------------------------------------

    def _let_time_pass(self, entry: Entry) -> None:
        """Until just before this entry: the time-outs that the controller cannot have missed."""
        late_s = {Kind.OUT: None, Kind.SET: None, Kind.ASK: None, Kind.WAIT: 0.0}.get(entry.kind, GRACE_S)
        if late_s is not None:
            self._tick_until(entry.mono_us / 1e6 - late_s)

    def _tick_until(self, until_s: float) -> None:
        for _ in range(TICKS_MAX):
            due_s = self._protocol.deadline_s() if self._is_open and not self._is_lost else None
            if due_s is None or due_s > until_s:
                return
            self._tick(max(due_s, self._now_s))
        raise CannotReplay("the driver never waits")

    def _tick(self, now_s: float) -> None:
        self._now_s = max(self._now_s, now_s)
        try:
            self._facts += self._protocol.tick(now_s=self._now_s, at_us=self._at_us)
        except WireLost as why:
            self._is_lost, self._reason, self._gave_up = True, str(why), str(why)
        self._take_outgoing()

    # -- what happened -----------------------------------------------------------------------------------------------

    def _happen(self, entry: Entry) -> None:
        self._at_us = entry.wall_us
        if entry.kind not in WRITTEN:
            self._now_s = max(self._now_s, entry.mono_us / 1e6)
        match entry.kind:
            case Kind.OPENED:
                self._open()
            case Kind.IN | Kind.ANSWER if self._is_open:
                self._receive(entry)
            case Kind.OUT | Kind.SET | Kind.ASK if self._is_open:
                self._compare(entry)
            case Kind.TOLD:
                self._tell(entry)
            case Kind.LOST:
                self._reason = entry.data.decode("utf-8", "replace")
                self._is_lost = True
                self._forget_wanted()
            case Kind.CLOSED | Kind.UNAVAILABLE:
                self._close(entry)
            case _:
                pass

    def _open(self) -> None:
        self._is_open, self._is_lost, self._reason = True, False, None
        self._forget_wanted()
        self._facts += self._protocol.opened(now_s=self._now_s, at_us=self._at_us)
        self._take_outgoing()

    def _receive(self, entry: Entry) -> None:
        data = FeatureAnswer(entry.data) if entry.kind is Kind.ANSWER else entry.data
        self._facts += self._protocol.receive(data, now_s=self._now_s, at_us=self._at_us)
        due_s = self._protocol.deadline_s()
        if due_s is not None and due_s <= self._now_s:
            self._tick(self._now_s)
        self._take_outgoing()

    def _tell(self, entry: Entry) -> None:
        try:
            wanted = msgspec.json.decode(entry.data, type=Outputs)
        except UNREADABLE as wrong:
            raise CannotReplay(f"what the table wanted shown cannot be read: {wrong}") from None
        for adapter in self._adapters:
            adapter.show(wanted)
        if self._is_open and not self._is_lost and self._protocol.deadline_s() == _AT_ONCE:
            self._tick(self._now_s)  # it waits for nothing but a clock, which `look` and `face` do not have
        self._take_outgoing()

    def _close(self, entry: Entry) -> None:
        """Only a wire that broke is a loss for the driver; the end of the controller is none."""
        was_lost = self._is_lost or entry.kind is Kind.UNAVAILABLE
        reason = self._reason or entry.data.decode("utf-8", "replace")
        if was_lost and (self._is_open or self._reason is None):
            self._facts += self._protocol.closed(at_us=self._at_us, reason=reason)
            self._protocol.take_outgoing()
        self._is_open = False
        self._compare_rest(before_s=self._now_s - GRACE_S)
        if entry.kind is Kind.UNAVAILABLE:
            self._reason = reason

    # -- what was written --------------------------------------------------------------------------------------------

    def _take_outgoing(self) -> None:
        items = self._protocol.take_outgoing()
        if self._is_open and not self._is_lost:
            self._wanted += [(Kind(event_of(item).value), bytes(item)) for item in items]
            self._wanted_s += [self._now_s] * len(items)

    def _forget_wanted(self) -> None:
        """Wanted for a wire that is gone."""
        self._wanted.clear()
        self._wanted_s.clear()

    def _next_wanted(self) -> tuple[Kind, bytes]:
        self._wanted_s.popleft()
        return self._wanted.popleft()

    def _compare(self, entry: Entry) -> None:
        at_s = entry.mono_us / 1e6
        if not self._wanted:
            due_s = self._protocol.deadline_s()
            if due_s is not None and due_s <= at_s + TOLERANCE_S:
                self._tick(max(at_s, due_s))
        self._now_s = max(self._now_s, at_s)
        written = (entry.kind, entry.data)
        if written in self._wanted:
            while (wanted := self._next_wanted()) != written:
                self._differences.append(Difference(wanted=wanted, written=None))
            return
        wanted_instead = self._next_wanted() if self._wanted else None
        self._differences.append(Difference(wanted=wanted_instead, written=written))

    def _compare_rest(self, before_s: float = inf) -> None:
        """Nothing more was written on this wire; what was wanted a moment ago had no time to be."""
        late = [wanted for wanted, at_s in zip(self._wanted, self._wanted_s, strict=True) if at_s < before_s]
        self._differences += [Difference(wanted=wanted, written=None) for wanted in late]
        self._forget_wanted()


def _adapters(head: Head, protocol: DeviceProtocol) -> tuple[Adapter, ...]:
    try:
        keys = {Key(name): number for name, number in head.keys.items()}
    except ValueError as wrong:
        raise CannotReplay(f"keys of {head.device}: {wrong}") from None
    role = DRIVERS[head.driver].role
    device = Device(name=head.device, driver=head.driver, role=role, settings=head.settings, keys=keys)
    labels: Mapping[Key, str] = labels_of((device,), head.language)
    port: Any = _Direct(protocol)
    return tuple(adapter(port, device, labels) for kind, adapter in ADAPTERS if isinstance(protocol, kind))
