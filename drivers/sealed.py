"""A value that must not show itself by accident.

What a reader tells us about a card may be secret until the rules turn that card up. Everything that formats,
logs or prints such a value gets a mask; only a call of `open()` gives the value, so every place that looks at an
identity can be found by searching for that word.
"""

from __future__ import annotations

from typing import Generic, NoReturn, TypeVar

T = TypeVar("T")

MASK = "▒▒"


class Sealed(Generic[T]):
    """Holds one value; equal and hashable by it, printable only as a mask."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    def open(self) -> T:
        """The value itself. Whoever calls this is responsible for where it goes."""
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and self._value == other._value

    def __hash__(self) -> int:
        return hash((Sealed, self._value))

    def __repr__(self) -> str:
        return MASK

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return MASK

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sealed value is not serialised; open it where the rules allow it")
