"""Numbers of things in an English sentence: one hand, two hands."""

from __future__ import annotations


def pluralize(number: int, one: str) -> str:
    """`1 hand`, `2 hands`; `one`: the thing's name in the singular, which takes an s, or ies for ry."""
    if number == 1:
        return f"1 {one}"
    return f"{number} {one[:-1]}ies" if one.endswith("ry") else f"{number} {one}s"
