"""A reader's driver and its simulator at the two ends of a wire in memory, in virtual time."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from drivers.facts import DeviceFact, Found, Lost, ReaderNote, Rejected, TagIn, TagOut
from drivers.protocol import DeviceProtocol
from drivers.transport.base import WireLost
from simulators.devices.faults import NO_FAULTS, Action, FaultPlan, Restart, Send, Unplug, Wait
from simulators.devices.field import Field
from simulators.devices.reader import ReaderProtocol, ReaderSimulator
from simulators.devices.wire import SimulatedDevice

#: How long the port waits before it opens a lost wire again, in seconds.
REOPEN_S = 0.1


class VirtualWire:
    """Both ends in one. Time passes where an action waits, and where nobody has anything to do."""

    def __init__(self, driver: DeviceProtocol) -> None:
        self._driver = driver
        self._device: SimulatedDevice | None = None
        self._actions: deque[Action] = deque()
        self.now_s = 0.0
        self.is_plugged = False
        self.facts: list[DeviceFact] = []

    def start(self, device: SimulatedDevice) -> None:
        self._device = device
        self.replug()

    def perform(self, action: Action) -> None:
        self._actions.append(action)

    def replug(self) -> None:
        if not self.is_plugged and self._device is not None:
            self.is_plugged = True
            self.facts += self._driver.opened(now_s=self.now_s, at_us=self._at_us())
            self._device.client_came()

    def unplug(self, reason: str = "unplugged") -> None:
        if self.is_plugged and self._device is not None:
            self.is_plugged = False
            self.facts += self._driver.closed(at_us=self._at_us(), reason=reason)
            self._driver.take_outgoing()
            self._device.client_went()

    def close(self) -> None:
        self.unplug()

    def run(self, for_s: float) -> None:
        """Let so much time pass."""
        end_s = self.now_s + for_s
        while True:
            self._carry_commands()
            if self._actions:
                self._perform(self._actions.popleft())
            elif not self._tick(end_s):
                self.now_s = max(self.now_s, end_s)
                return

    def _tick(self, end_s: float) -> bool:
        due_s = self._driver.deadline_s() if self.is_plugged else None
        if due_s is None or due_s > end_s:
            return False
        self.now_s = max(self.now_s, due_s)
        try:
            self.facts += self._driver.tick(now_s=self.now_s, at_us=self._at_us())
        except WireLost as why:
            self.unplug(str(why))
            self.now_s += REOPEN_S
            self.replug()
        return True

    def _perform(self, action: Action) -> None:
        match action:
            case Send() if self.is_plugged:
                self.facts += self._driver.receive(action.data, now_s=self.now_s, at_us=self._at_us())
            case Wait():
                self._pass(action.for_s)
            case Unplug():
                self.unplug()
                self._actions.clear()
                self._pass(action.for_s)
                self.replug()
            case Restart() if self._device is not None:
                self._device.restarted()

    def _pass(self, for_s: float) -> None:
        end_s = self.now_s + for_s
        while self._tick(end_s):
            pass
        self.now_s = max(self.now_s, end_s)

    def _carry_commands(self) -> None:
        for item in self._driver.take_outgoing():
            if self.is_plugged and self._device is not None:
                self._device.received(item)

    def _at_us(self) -> int:
        return int(self.now_s * 1_000_000)


class ReaderBench:
    """A driver, a simulated reader, and what came of it."""

    def __init__(
        self,
        driver: DeviceProtocol,
        protocol: ReaderProtocol,
        fields: Sequence[Field],
        *,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
    ) -> None:
        self.fields = fields
        self.wire = VirtualWire(driver)
        self.reader = ReaderSimulator(self.wire, protocol, faults=faults, seed=seed)
        self.reader.start()

    def run(self, for_s: float = 3.0) -> list[tuple[str, str, int]]:
        """Let time pass; the tags that came and went meanwhile: "in" or "out", tag, antenna."""
        before = len(self.wire.facts)
        self.wire.run(for_s)
        return moves(self.wire.facts[before:])

    def notes(self) -> list[tuple[str, int | None, int | None]]:
        return [(fact.kind, fact.antenna, fact.code) for fact in self.wire.facts if isinstance(fact, ReaderNote)]

    def count(self, kind: type[Found] | type[Lost] | type[Rejected]) -> int:
        return sum(isinstance(fact, kind) for fact in self.wire.facts)


def moves(facts: Sequence[DeviceFact]) -> list[tuple[str, str, int]]:
    return [
        ("in" if isinstance(fact, TagIn) else "out", fact.tag.open(), fact.antenna)
        for fact in facts
        if isinstance(fact, TagIn | TagOut)
    ]
