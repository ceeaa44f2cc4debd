"""Facts of a device as lines of text, cards and tags masked unless somebody has the right to see them."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from typing import Final

from drivers.facts import DeviceFact
from drivers.sealed import Sealed

#: Every fact has them, and a trace says them once.
_SAID_ELSEWHERE: Final = ("device", "at_us")
_PLAIN: Final = re.compile(r"[^\s\"=]+")


def fact_line(fact: DeviceFact, *, unsealed: bool) -> str:
    """`card-out card=8s`, `key-down key=4`: what kind of fact, and its fields. A field that is None says `none`."""
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(fact).__name__).lower()
    names = [field.name for field in fields(fact) if field.name not in _SAID_ELSEWHERE]
    return " ".join([kind, *(f"{name}={_word(getattr(fact, name), unsealed=unsealed)}" for name in names)])


def _word(value: object, *, unsealed: bool) -> str:
    if isinstance(value, Sealed):
        value = value.open() if unsealed else str(value)
    text = "none" if value is None else str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
