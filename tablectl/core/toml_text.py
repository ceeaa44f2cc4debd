"""The one reader of TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

from tablectl.core.validation import sentence


class NotToml(ValueError):
    """A text that is no TOML: what was found, and what would be right."""

    def __init__(self, found: str, right: str) -> None:
        super().__init__(found)
        self.found = found
        self.right = right


def toml(content: bytes | str, *, number: Callable[[str], Any] = float) -> dict[str, Any]:
    """What stands in a file; `number` makes one of each number with a decimal point. Raises `NotToml`."""
    try:
        text = content if isinstance(content, str) else content.decode("utf-8")
        return tomllib.loads(text, parse_float=number)
    except UnicodeDecodeError:
        raise NotToml(sentence("it is not UTF-8 text"), sentence("text in UTF-8")) from None
    except tomllib.TOMLDecodeError as wrong:
        raise NotToml(str(wrong), sentence("valid TOML at that place")) from None
