"""What one antenna can see: the tags of the cards that lie at its spot, and which of them were told to be quiet."""

from __future__ import annotations

from collections.abc import Sequence

from simulators.devices.world import World


class Field:
    """The field of one antenna over one spot of a `World`.

    A tag that was told to be quiet stays so until the field goes off or its card is lifted. `deaf` are tags that do not
    answer at all (bent, at the edge, hidden in a stack), for as long as they are in it.
    """

    def __init__(self, world: World, spot: str) -> None:
        self._world = world
        self._spot = spot
        self._quiet: set[tuple[int, int]] = set()
        self.deaf: set[str] = set()
        self._answered: set[str] = set()

    def awake(self) -> Sequence[str]:
        """Tags that answer, in the order in which their cards came. A copied tag answers as one."""
        stays = self._world.stays(self._spot)
        self._quiet &= {(card.number, stay) for card, stay in stays}
        heard = (card.tag for card, stay in stays if (card.number, stay) not in self._quiet)
        found = [tag for tag in dict.fromkeys(heard) if tag and tag not in self.deaf]
        self._answered = (self._answered & {card.tag for card, _ in stays}) | set(found)
        return found

    def has_answered(self, tag: str) -> bool:
        """Whether the tag was read since it came, as far as it has not been missed since."""
        return tag in self._answered

    def is_there(self, tag: str) -> bool:
        """A card with this tag lies there and answers, quiet or not."""
        return tag not in self.deaf and any(card.tag == tag for card in self._world.at(self._spot))

    def hush(self, tag: str) -> None:
        """The tag is told to be quiet."""
        stays = self._world.stays(self._spot)
        self._quiet |= {(card.number, stay) for card, stay in stays if card.tag == tag}

    def off(self) -> None:
        """The field is off for a moment: every tag forgets."""
        self._quiet.clear()
