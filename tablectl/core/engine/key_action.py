"""What a key means now: what it does, and whether it is lit. Each family makes one table of these, so lamp, screen and
rule cannot differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from tablectl.core.engine.vocabulary import Key


class KeyAction(Struct, frozen=True):
    """What pressing a key does. One that is not lit is in a table where its action is judged, so that it is refused
    with the clause that forbids it; a key without an action here has no meaning now."""

    does: Callable[[], object]
    is_lit: bool = True


KeyTable: TypeAlias = Mapping[Key, KeyAction]
