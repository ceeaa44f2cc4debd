"""A table to be told of: the real engine and the real control socket, which says how far its journal is."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tablectl.config.notifications import NotificationSettings, Target
from tablectl.core.disk_room import Space
from tablectl.table.disk_space import told
from tests.screens.controller import START_US, Bench, Controller

#: Raises one incident of a void hand, and leaves the table ready for the next hand: the records that it makes.
INCIDENT: Final = """
press new-hand
bet 1 ante 1000 bonus 500
press no-more-bets
draw 5s
draw 7d
press bank-exposed
"""
OVER: Final = "press confirm\npress confirm"
LATER_US: Final = START_US + 3_600_000_000


class Table(Controller):
    """Serves a bench."""

    _disks: tuple[Space, ...] = ()

    @property
    def disks(self) -> tuple[Space, ...]:
        """The room on them, as the controller says it."""
        return self._disks

    @disks.setter
    def disks(self, disks: tuple[Space, ...]) -> None:
        self._disks = disks
        self.report = {**self.report, "disks": told(disks)}

    def _keep(self) -> None:
        self.report = {"ok": True, "records": len(self._bench.records), "disks": told(self._disks)}
        super()._keep()


def incident(table: Controller | Bench, number: int) -> None:
    """A hand with one incident, acknowledged, and its end."""
    table.lines(INCIDENT)
    table.lines(f"press confirm\nacknowledge {number} by pit-boss\npress confirm")


def settings(folder: Path, *targets: Target) -> NotificationSettings:
    return NotificationSettings(path=folder / "notifications.db", targets=targets)
