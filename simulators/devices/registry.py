"""The simulated devices: `SIMULATORS`. Each folder beside this file with an `entry` says which it has; other packages
announce theirs as entry points of the group `tablectl.simulators`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Final

from simulators import devices
from simulators.devices.standalone import SimulatorEntry

#: The group of entry points in which a package announces a simulator: the name is its device's, the value its entry.
GROUP: Final = "tablectl.simulators"


def found(announced: Iterable[EntryPoint]) -> dict[str, SimulatorEntry]:
    """Ours, and those of other packages. Raises `ValueError` for a second one of a name, `TypeError` for no entry."""
    by_name: dict[str, SimulatorEntry] = {}
    for folder in iter_modules(devices.__path__, f"{devices.__name__}."):
        if folder.ispkg:
            by_name.update(import_module(f"{folder.name}.entry").SIMULATORS)
    for point in announced:
        entry: object = point.load()
        if not isinstance(entry, SimulatorEntry):
            raise TypeError(f"{point.value} is not the entry of a simulator")
        if point.name in by_name:
            raise ValueError(f"two simulators are called {point.name}")
        by_name[point.name] = entry
    return by_name


#: By the name that `python -m simulators` takes.
SIMULATORS: Final[Mapping[str, SimulatorEntry]] = MappingProxyType(found(entry_points(group=GROUP)))
