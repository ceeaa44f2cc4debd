"""A technician's test of lamps or keys: what is to be seen meanwhile, and what was pressed. Sans-I/O."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from drivers import facts as device
from tablectl.api.commands import DeviceTest
from tablectl.config.devices import Device
from tablectl.core.engine.outputs import Outputs, Signal
from tablectl.core.engine.vocabulary import Key

#: A test that nobody ends, in seconds.
LONGEST_S: Final = 60.0
#: How long one key is lit, and how long the light shows one signal, in seconds: long enough to look there. Ours.
KEY_S: Final = 0.8
SIGNAL_S: Final = 3.0
_SIGNALS: Final = (Signal.PLAY, Signal.QUESTION, Signal.PIT_BOSS, Signal.FAULT)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pressed:
    """One key of a panel that went down. `key` is what it means, None where it means nothing."""

    device: str
    number: int
    key: Key | None
    times: int = 0
    is_down: bool = False


class DeviceTestRun:
    """One test of devices, from when it began. Written by the one writer; any thread may read what `told` says."""

    def __init__(self, what: DeviceTest, by: str, devices: tuple[Device, ...], now_s: float) -> None:
        self.what = what
        self.by = by
        self._began_s = now_s
        self._meanings: Mapping[tuple[str, int], Key] = {
            (settings.name, number): key for settings in devices for key, number in settings.keys.items()
        }
        self._panels = {settings.name for settings in devices if settings.role == "panel"}
        self._keys = tuple(dict.fromkeys(key for _, key in sorted(self._meanings.items())))
        self._pressed: dict[tuple[str, int], Pressed] = {}
        self._steps = tuple(self._shown_in_turn()) if what is DeviceTest.LAMPS else ()

    def _shown_in_turn(self) -> Iterator[tuple[float, Outputs]]:
        for key in self._keys:
            yield KEY_S, Outputs(lit=(key,), signal=Signal.OFF, card_due=False)
        for signal in _SIGNALS:
            yield SIGNAL_S, Outputs(lit=self._keys, signal=signal, card_due=False)

    # -- what is to be seen ------------------------------------------------------------------------------------------

    def wanted(self, now_s: float) -> Outputs | None:
        """What keys and lights show now; None when the test is over."""
        passed_s = now_s - self._began_s
        if passed_s >= LONGEST_S:
            return None
        if self.what is DeviceTest.PANEL:
            pressed = {press.key for press in self._pressed.values()}
            lit = tuple(key for key in self._keys if key not in pressed)
            return Outputs(lit=lit, signal=Signal.IDLE, card_due=False)
        for for_s, shown in self._steps:
            if passed_s < for_s:
                return shown
            passed_s -= for_s
        return None

    def wait_s(self, now_s: float) -> float:
        """How long until something else is to be seen, in seconds."""
        passed_s = now_s - self._began_s
        ends_s = 0.0
        for for_s, _ in self._steps:
            ends_s += for_s
            if passed_s < ends_s:
                return min(ends_s, LONGEST_S) - passed_s
        return max(0.0, LONGEST_S - passed_s)

    # -- what is pressed ---------------------------------------------------------------------------------------------

    def hears(self, fact: device.DeviceFact) -> bool:
        """Whether a key was pressed that is being tested, and so not played."""
        match fact:
            case device.KeyDown(device=name, key=number) if self._is_tested(name):
                before = self._at(name, number)
                self._pressed = {
                    **self._pressed,
                    (name, number): replace(before, times=before.times + 1, is_down=True),
                }
                return True
            case device.KeyUp(device=name, key=number) if self._is_tested(name):
                self._pressed = {**self._pressed, (name, number): replace(self._at(name, number), is_down=False)}
                return True
        return False

    def _is_tested(self, name: str) -> bool:
        return self.what is DeviceTest.PANEL and name in self._panels

    def _at(self, name: str, number: int) -> Pressed:
        known = self._pressed.get((name, number))
        return known or Pressed(device=name, number=number, key=self._meanings.get((name, number)))

    def told(self, now_s: float) -> dict[str, Any]:
        """The test as it stands, for who follows it."""
        shown = self.wanted(now_s)
        return {
            "what": self.what.value,
            "by": self.by,
            "left_s": round(max(0.0, LONGEST_S - (now_s - self._began_s))),
            "signal": shown.signal.value if shown is not None else Signal.OFF.value,
            "lit": [key.value for key in shown.lit] if shown is not None else [],
            "pressed": [
                {
                    "device": pressed.device,
                    "number": pressed.number,
                    "key": None if pressed.key is None else pressed.key.value,
                    "times": pressed.times,
                    "down": pressed.is_down,
                }
                for pressed in self._pressed.values()
            ],
        }


def keys_of(devices: tuple[Device, ...]) -> list[dict[str, Any]]:
    """The keys that the panels of a table have, and what they mean."""
    return [
        {"device": settings.name, "number": number, "key": key.value}
        for settings in devices
        for key, number in sorted(settings.keys.items(), key=lambda item: item[1])
    ]
