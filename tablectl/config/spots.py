"""Where antennas are: which spot of the table each one looks at."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.slots import BOARD, BURN, DISCARD, HOUSE, SEATS
from tablectl.core.records import record

#: What remains of the deck: seen to be counted, never as a card that was dealt.
STUB: Final = "stub"
#: The mouth of a shoe: a card that leaves it was drawn.
MOUTH: Final = "shoe"
_POSITIONS: Final = 5


@record
class Spot:
    """A place that an antenna looks at; `position` where it looks at one place of its spot only, from 1."""

    name: str
    position: int | None = None

    @property
    def is_on_the_felt(self) -> bool:
        """Whether a card that comes there was dealt, or put away."""
        return self.name not in (STUB, MOUTH)


def spots(seats: int) -> dict[str, Spot]:
    """Every spot that an antenna can look at on a table with so many seats, by its word: `seat-3`, `seat-3.2`."""
    felt = [group[0].spot for group in (*SEATS[:seats], HOUSE, BOARD)]
    whole = [*felt, BURN[0].spot, DISCARD[0].spot, STUB]
    return {name: Spot(name=name) for name in whole} | {
        f"{name}.{position}": Spot(name=name, position=position)
        for name in felt
        for position in range(1, _POSITIONS + 1)
    }


def dealt_to(rulebook: Rulebook, seats: int) -> tuple[str, ...]:
    """The spots to which this game deals cards at a table with so many seats."""
    order = tuple(range(1, seats + 1))
    plans = (phase.plan(order) for phase in rulebook.phases.values() if phase.plan is not None)
    return tuple(dict.fromkeys(slot.spot for plan in plans for slot in plan))
