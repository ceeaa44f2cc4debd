"""What any shoe that can hold its cards back can be told, whichever model it is."""

from __future__ import annotations

from abc import ABC, abstractmethod

from drivers.protocol import DeviceProtocol


class CardLock(DeviceProtocol, ABC):
    """A shoe that locks. Where its setting `may_lock` does not grant it, neither method is called."""

    @abstractmethod
    def be_locked(self) -> None:
        """Hold every card back, from now on."""

    @abstractmethod
    def be_unlocked(self) -> None:
        """Let cards out, from now on."""
