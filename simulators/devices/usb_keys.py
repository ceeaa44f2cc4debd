"""What simulated USB panels have in common: keys that a person presses."""

from __future__ import annotations

import threading
from typing import Protocol

from simulators.devices.faults import FaultPlan
from simulators.devices.usb_bus import VirtualDevice


class KeysProduct(Protocol):
    """What a model of a panel is, as far as its keys go."""

    @property
    def product_ids(self) -> tuple[int, ...]:
        """The first one is that of the simulated one."""

    @property
    def title(self) -> str:
        """For people."""

    @property
    def n_keys(self) -> int:
        """Numbered from 0."""


class KeysDevice(VirtualDevice):
    """A panel. Any thread may press. A model says which keys are down, with the lock held until it is said."""

    def __init__(self, product: KeysProduct, *, serial: str, faults: FaultPlan, seed: int) -> None:
        super().__init__(serial=serial, faults=faults, seed=seed)
        self.product_id = product.product_ids[0]
        self.title = product.title
        self._n_keys = product.n_keys
        self._lock = threading.Lock()
        self._down: set[int] = set()

    def press(self, key: int) -> None:
        """A key goes down. Raises ValueError for a key that is none."""
        self._move(key, down=True)

    def release(self, key: int) -> None:
        """It comes up. Raises ValueError for a key that is none."""
        self._move(key, down=False)

    def tap(self, key: int) -> None:
        """Down and up. Raises ValueError for a key that is none."""
        self.press(key)
        self.release(key)

    def _move(self, key: int, *, down: bool) -> None:
        if not 0 <= key < self._n_keys:
            raise ValueError(f"{self.title} has no key {key}")
        with self._lock:
            if down:
                self._down.add(key)
            else:
                self._down.discard(key)
            self._moved()

    def _moved(self) -> None:
        """Say which keys are down; the caller holds the lock."""
