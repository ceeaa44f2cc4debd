"""The boxes of a player's zone (CST-TAB-1), each with its middle on the picture of a seat, in the units of the felt."""

from __future__ import annotations

from typing import Final

BOXES: Final = {"ante": (-20, 15), "raise": (20, 15)}
