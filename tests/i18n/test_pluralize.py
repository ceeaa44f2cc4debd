"""One hand, two hands: what a command counts is said as somebody would say it."""

from __future__ import annotations

import pytest

from tablectl.i18n.pluralize import pluralize


@pytest.mark.parametrize(
    ("number", "one", "said"),
    [
        (0, "hand", "0 hands"),
        (1, "hand", "1 hand"),
        (2, "closed hand", "2 closed hands"),
        (1, "entry", "1 entry"),
        (3, "entry", "3 entries"),
    ],
)
def test_things_are_counted_in_the_singular_and_the_plural(number: int, one: str, said: str) -> None:
    assert pluralize(number, one) == said
