"""Where everything lies on the picture of the felt: pure geometry, in the units of its view box.

The table is seen from the pit, behind the croupier: the straight edge is at the bottom, the players sit around the
arc, seat 1 at the croupier's left hand, where the deal begins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

WIDTH: Final = 1200
HEIGHT: Final = 730
SEAT_CARD_W: Final = 46
SEAT_CARD_H: Final = 65

_CENTRE_X: Final = 600.0
_BASE_Y: Final = 630.0
_RADIUS_X: Final = 480.0
_RADIUS_Y: Final = 492.0
#: How far the outermost seats are from the straight edge, in degrees of the arc.
_MARGIN_DEG: Final = 2.5
#: How much a seat turns with the arc: whole turns could not be read at the ends.
_TURN_SHARE: Final = 0.28
_STEPS: Final = 720


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatPlace:
    """The middle of a seat's zone, and by how many degrees it is turned."""

    seat: int
    x: float
    y: float
    turn_deg: float

    @property
    def transform(self) -> str:
        """As an SVG attribute."""
        return f"translate({self.x:.1f} {self.y:.1f}) rotate({self.turn_deg:.1f})"


def seat_places(seats: int) -> tuple[SeatPlace, ...]:
    """The seats at equal distances along the arc, seat 1 at the left."""
    angles = _equal_steps(seats)
    return tuple(
        SeatPlace(
            seat=number,
            x=_CENTRE_X - _RADIUS_X * math.cos(angle),
            y=_BASE_Y - _RADIUS_Y * math.sin(angle),
            turn_deg=(math.degrees(angle) - 90) * _TURN_SHARE,
        )
        for number, angle in enumerate(angles, start=1)
    )


def _equal_steps(seats: int) -> tuple[float, ...]:
    """Angles from left to right between which the arc is equally long."""
    first, last = math.radians(_MARGIN_DEG), math.radians(180 - _MARGIN_DEG)
    if seats == 1:
        return (math.pi / 2,)
    grid = [first + (last - first) * step / _STEPS for step in range(_STEPS + 1)]
    lengths = [0.0]
    for before, after in pairwise(grid):
        middle = (before + after) / 2
        piece = math.hypot(_RADIUS_X * math.sin(middle), _RADIUS_Y * math.cos(middle)) * (after - before)
        lengths.append(lengths[-1] + piece)
    wanted = [lengths[-1] * number / (seats - 1) for number in range(seats)]
    return tuple(
        next(angle for angle, length in zip(grid, lengths, strict=True) if length >= at - 1e-9) for at in wanted
    )
