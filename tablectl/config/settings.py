"""The settings of a configuration file, each by its name: to see what in a file is not what a table runs with.

A secret has a name here and never a value: whoever has the address of a `[[notify]]` can write in the table's name.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tablectl.config.schema import keys
from tablectl.config.sections import NotifySection
from tablectl.core.toml_text import NotToml, toml

#: What stands for the value of a secret, in every language.
HIDDEN: Final = "•••"
#: An address; nothing else in a file has to be one.
_ADDRESS: Final = "://"
#: Where addresses are those of a device's wire, which opens nothing to anybody.
_WIRES: Final = re.compile(r"device\[[^]]*\]\.settings\.")
_NOTIFY: Final = re.compile(r"notify(\[[^]]*\])?(\.|$)")
#: What is no secret of a target. What is not known here may be its address under a wrong name.
_TOLD_OF_NOTIFY: Final = frozenset(keys(NotifySection)) - {"url"}
#: Where a secret stands that does not stand in the file.
_ELSEWHERE: Final = ("env:", "credential:")


class NotRead(Exception):
    """The file cannot be read. The text says why."""


def settings_of(path: Path) -> dict[str, str]:
    """What stands in a file: `table.name`, `device[panel].settings.serial`, each value as JSON; `HIDDEN` for a secret.
    Raises `NotRead`."""
    return {name: HIDDEN if _is_secret(name, value) else _text(value) for name, value in _flat("", _read(path))}


def secrets_of(path: Path, key: bytes) -> dict[str, bytes]:
    """A digest of each secret by its name, with a key that nobody else has, to tell whether it changed. Raises
    `NotRead`."""
    return {
        name: hashlib.blake2b(_text(value).encode(), key=key).digest()
        for name, value in _flat("", _read(path))
        if _is_secret(name, value)
    }


def _read(path: Path) -> dict[str, Any]:
    try:
        return toml(path.read_bytes())
    except OSError as wrong:
        raise NotRead(f"{path}: {wrong.strerror}") from None
    except NotToml as wrong:
        raise NotRead(f"{path}: {wrong}") from None


def _is_secret(name: str, value: object) -> bool:
    if isinstance(value, str) and value.startswith(_ELSEWHERE):
        return False
    if _NOTIFY.match(name) and name.rpartition(".")[2] not in _TOLD_OF_NOTIFY:
        return True
    return _ADDRESS in _text(value) and not _WIRES.match(name)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _flat(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _flat(f"{name}.{key}" if name else key, part)
    elif isinstance(value, list) and value and all(isinstance(part, Mapping) for part in value):
        for number, part in enumerate(value, start=1):
            called = part.get("name", number)
            yield from _flat(f"{name}[{number if _ADDRESS in str(called) else called}]", part)
    else:
        yield name, value
