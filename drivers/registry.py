"""The models this program drives: `DRIVERS`. Folders name their own, other packages announce theirs.

A folder says in `MODELS` where the entry of each of its models stands; another package says it with an entry point of
the group `tablectl.drivers`. Only the entries that somebody asks for are imported: a table starts without the drivers
of the devices that it does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules, resolve_name
from typing import Final

import drivers
from drivers.entry import Driver

#: The group of entry points in which a package announces a model: the name is its id, the value its `Driver`.
GROUP: Final = "tablectl.drivers"


class Registry(Mapping[str, Driver]):
    """Entries by the id of their model, from places `module:attribute`."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, driver: str) -> Driver:
        """The entry, imported now if nobody did before. Raises `KeyError`, and `TypeError` for a wrong place."""
        entry: object = resolve_name(self._places[driver])
        if not isinstance(entry, Driver) or entry.id != driver:
            raise TypeError(f"{self._places[driver]} is not the entry of {driver!r}")
        return entry

    def __contains__(self, driver: object) -> bool:
        """Without importing anything."""
        return driver in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def of_role(self, role: str) -> tuple[Driver, ...]:
        """All models of a role, in the order in which they are offered when a table is set up."""
        models = [entry for entry in self.values() if entry.role == role]
        return tuple(sorted(models, key=lambda entry: entry.setup_place))


def places(announced: Mapping[str, str]) -> dict[str, str]:
    """Where the entry of each model stands. Raises `ValueError` where another package announces a model of ours."""
    found: dict[str, str] = {}
    for folder in iter_modules(drivers.__path__, f"{drivers.__name__}."):
        if folder.ispkg:
            models: Mapping[str, str] = getattr(import_module(folder.name), "MODELS", {})
            found.update({model: f"{folder.name}.{place}" for model, place in models.items()})
    if twice := sorted(found.keys() & announced.keys()):
        raise ValueError(f"two drivers are called {twice[0]}: each id names one model in every configuration")
    return found | dict(announced)


DRIVERS: Final = Registry(places({point.name: point.value for point in entry_points(group=GROUP)}))
