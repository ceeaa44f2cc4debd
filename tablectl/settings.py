"""The settings of a configuration file, each by its name: to see what in a file is not what a table runs with."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path


class NotRead(Exception):
    """The file cannot be read. The text says why."""


def settings_of(path: Path) -> dict[str, str]:
    """What stands in a file: `table.name`, `device[panel].settings.serial`, each value as JSON. Raises `NotRead`."""
    try:
        return dict(_flat("", tomllib.loads(path.read_text(encoding="utf-8"))))
    except OSError as wrong:
        raise NotRead(f"{path}: {wrong.strerror}") from None
    except ValueError as wrong:  # no UTF-8, or no TOML
        raise NotRead(f"{path}: {wrong}") from None


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _flat(f"{name}.{key}" if name else key, each)
    elif isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value):
        for number, each in enumerate(value, start=1):
            yield from _flat(f"{name}[{each.get('name', number)}]", each)
    else:
        yield name, json.dumps(value, ensure_ascii=False, default=str)
