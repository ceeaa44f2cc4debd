"""The boxes of a player's zone, from the croupier outwards (THB-TAB-2), each with its middle on the picture of a seat,
in the units of the felt."""

from __future__ import annotations

from typing import Final

#: THB-TAB-2: the boxes and where they are.
BOXES: Final = {"ante": (-20, 15), "bonus": (20, 15), "flop": (-40, 52), "turn": (0, 52), "river": (40, 52)}
