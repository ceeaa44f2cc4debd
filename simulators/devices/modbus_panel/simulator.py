"""A module with buttons at its inputs and lamps at its coils, at the device's end of a Modbus-RTU line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from drivers.framing import Garbage, Scanner
from drivers.modbus_panel.messages import (
    ILLEGAL_ADDRESS,
    Answer,
    Bits,
    ReadBits,
    Refusal,
    Request,
    WriteLamps,
    Written,
    encode_answer,
    request_grammar,
)
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.wire import DeviceEnd
from simulators.devices.wired import WiredDevice

UNIT: Final = 1
INPUTS: Final = 16
COILS: Final = 16


class ModbusPanelSimulator(WiredDevice):
    """The module. Keys are inputs from address 0, lamps coils from address 0. Any thread may call any method."""

    has_power_by_wire = True

    def __init__(
        self,
        end: DeviceEnd,
        *,
        unit: int = UNIT,
        inputs: int = INPUTS,
        coils: int = COILS,
        on_lamps: Callable[[frozenset[int]], None] | None = None,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
    ) -> None:
        super().__init__(end, faults=faults, seed=seed)
        self._unit = unit
        self._inputs = [False] * inputs
        self._coils = [False] * coils
        #: Called from the wire's thread when the lamps that are lit change.
        self.on_lamps = on_lamps
        self._scanner: Scanner[Request | Refusal] = Scanner(request_grammar(unit))
        self._is_silent = False
        self._garbage_bytes = 0

    # -- what a person does and sees ---------------------------------------------------------------------------------

    def press(self, key: int) -> None:
        """A button goes down. Raises ValueError for one that is none."""
        self._move(key, down=True)

    def release(self, key: int) -> None:
        """It comes up. Raises ValueError for one that is none."""
        self._move(key, down=False)

    def _move(self, key: int, *, down: bool) -> None:
        if not 0 <= key < len(self._inputs):
            raise ValueError(f"the module has no input {key}")
        with self._lock:
            self._inputs[key] = down

    @property
    def lamps(self) -> frozenset[int]:
        """Those that are lit."""
        with self._lock:
            return frozenset(number for number, lit in enumerate(self._coils) if lit)

    @property
    def garbage_bytes(self) -> int:
        """How much came that was no request to this module."""
        return self._garbage_bytes

    def be_silent(self, *, silent: bool) -> None:
        """Answer nothing, or again: the line is cut, or the module is off."""
        self._is_silent = silent

    # -- the wire ----------------------------------------------------------------------------------------------------

    def restarted(self) -> None:
        """Power was gone: the lamps are dark."""
        with self._lock:
            super().restarted()
            self._coils = [False] * len(self._coils)
            self._scanner = Scanner(request_grammar(self._unit))

    def received(self, data: bytes) -> None:
        """A part of a request."""
        for found in self._scanner.feed(data):
            if isinstance(found, Garbage):
                self._garbage_bytes += found.n_bytes
            elif not self._is_silent and not self._injector.is_stuck and not isinstance(found, Refusal):
                self._reply(found)

    def _reply(self, request: Request) -> None:
        before = self.lamps
        with self._lock:
            self._put(encode_answer(self._unit, request, self._answer(request)))
        if self.on_lamps is not None and self.lamps != before:
            self.on_lamps(self.lamps)

    def _answer(self, request: Request) -> Answer:
        match request:
            case ReadBits(first=first, count=count):
                table = self._inputs
                return Bits(tuple(table[first : first + count])) if first + count <= len(table) else _OUTSIDE
            case WriteLamps(first=first, lit=lit):
                if first + len(lit) > len(self._coils):
                    return _OUTSIDE
                self._coils[first : first + len(lit)] = lit
                return Written()


_OUTSIDE: Final = Refusal(ILLEGAL_ADDRESS)
