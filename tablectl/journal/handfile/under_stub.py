"""What a hand file of five-card draw says of cards that were put under the stub (FCD-IRR-9): which draws can lie there,
and which card that came later was one of them. A card that stands for it has to be the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_COUNTED: Final = re.compile(r"observed=seat-([0-9]+)=[0-9]+")


class UnderStub:
    """Takes a file's lines in their order. `of`: the draws that lie at a seat by the lines so far."""

    def __init__(self, of: Callable[[int], list[int]]) -> None:
        self._of = of
        #: draws that antennas missed, and did not see again
        self._lifted: set[int] = set()
        #: the seat whose cards were counted last, and whether one of them is on its way
        self._counted, self._is_moving = 0, False
        self._under: list[int] = []
        #: by the draw of a card that came from under the stub: the draws that it can have been before
        self.before: dict[int, list[int]] = {}

    def lies(self, draw: int, *, is_seen: bool) -> None:
        """An antenna sees a card that came before, or misses it."""
        if is_seen:
            self._lifted.discard(draw)
        else:
            self._lifted.add(draw)

    def confirmed(self) -> None:
        """The croupier says that it was done: of the player's cards, one that antennas do not see, where they see the
        others."""
        if self._is_moving:
            cards = self._of(self._counted)
            self._under += [draw for draw in cards if draw in self._lifted] or cards
        self._is_moving = False

    def decided(self, words: list[str], last: int) -> None:
        """A decision; `last`: the draw of the newest card."""
        match words:
            case ["incident", _, "expected=last-of-the-stub", *_]:
                self.before[last] = list(self._under)
            case ["incident", _, _, observed, *_] if (found := _COUNTED.fullmatch(observed)) is not None:
                self._counted = int(found[1])
            case ["asked", "moved", "stub"]:
                self._is_moving = True
