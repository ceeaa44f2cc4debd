"""Numbers in a driver's settings that only make sense within limits."""

from __future__ import annotations

from collections.abc import Sequence


class OutOfRange(ValueError):
    """A setting outside its limits: `key`, and in `right` what would be right."""

    def __init__(self, key: str, right: str) -> None:
        super().__init__(f"{key}: {right}")
        self.key = key
        self.right = right


class Mistaken(ValueError):
    """Settings with mistakes in a table of theirs: of each the key, what was found and what would be right."""

    def __init__(self, mistakes: Sequence[tuple[str, str, str]]) -> None:
        super().__init__(", ".join(key for key, _, _ in mistakes))
        self.mistakes = tuple(mistakes)


def must_lie(settings: object, **limits: tuple[int, int]) -> None:
    """Raises `OutOfRange` for the first of the settings named that does not lie within its limits, both included."""
    for key, (least, most) in limits.items():
        if not least <= getattr(settings, key) <= most:
            raise OutOfRange(key, f"a whole number from {least} to {most}")
