"""One entry that people can make."""

from __future__ import annotations

from tablectl.core.engine.vocabulary import Chooser
from tablectl.core.records import record


@record
class CardOffered:
    """A card that an entry can be about: its number in the order of drawing, and its place, where it has one."""

    draw: int
    place: str | None


@record
class Move:
    """One entry. `needs`: what is still to be filled in, in the order of the grammar. `least` and `most`: bounds of the
    number that the entry needs or may have, both allowed; amounts are of the smallest unit of money, None is no
    bound. `cards`: which it can be about (`draw=7`); the first one is meant where none is named."""

    entry: str
    by: Chooser = Chooser.CROUPIER
    needs: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    cards: tuple[CardOffered, ...] = ()
