"""The simulated devices: each folder beside this file with an `entry` says which it has. A new one is a folder."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Final

from simulators import devices
from simulators.devices.standalone import SimulatorEntry


def _found() -> dict[str, SimulatorEntry]:
    found: dict[str, SimulatorEntry] = {}
    for folder in iter_modules(devices.__path__, f"{devices.__name__}."):
        if folder.ispkg:
            found.update(import_module(f"{folder.name}.entry").SIMULATORS)
    return found


#: By the name that `python -m simulators` takes.
SIMULATORS: Final[Mapping[str, SimulatorEntry]] = MappingProxyType(_found())
