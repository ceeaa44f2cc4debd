"""A wire in memory and in virtual time between a simulated device and a driver: no thread, no clock, no pty."""

from __future__ import annotations

from collections import deque

from drivers.facts import DeviceFact
from drivers.protocol import DeviceProtocol
from simulators.devices.faults import Action, Restart, Send, Unplug, Wait
from simulators.devices.wire import SimulatedDevice


class VirtualWire:
    """The shoe's end and the host's in one; time passes only where an action waits or nothing is left to do."""

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

    def unplug(self) -> None:
        if self.is_plugged and self._device is not None:
            self.is_plugged = False
            self.facts += self._driver.closed(at_us=self._at_us(), reason="unplugged")
            self._driver.take_outgoing()
            self._device.client_went()

    def close(self) -> None:
        self.unplug()

    def carry_all(self) -> None:
        """What is on the wire arrives; no time passes."""
        while self._actions:
            self._perform(self._actions.popleft())
            self._carry_commands()

    def settle(self) -> None:
        """Until neither end has anything left to do."""
        while True:
            self.carry_all()
            self._carry_commands()
            due_s = self._driver.deadline_s()
            if self._actions:
                continue
            if due_s is None:
                return
            self.now_s = max(self.now_s, due_s)
            self.facts += self._driver.tick(now_s=self.now_s, at_us=self._at_us())

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
        while self.is_plugged and (due_s := self._driver.deadline_s()) is not None and due_s <= end_s:
            self.now_s = max(self.now_s, due_s)
            self.facts += self._driver.tick(now_s=self.now_s, at_us=self._at_us())
        self.now_s = end_s

    def _carry_commands(self) -> None:
        for item in self._driver.take_outgoing():
            if self.is_plugged and self._device is not None:
                self._device.received(item)

    def _at_us(self) -> int:
        return int(self.now_s * 1_000_000)
