"""The boxes of a player's zone, from the croupier outwards (TPC-TAB-1), each with its middle on the picture of a seat,
in the units of the felt, and what has to be read in the centre of the table (TPC-TAB-2)."""

from __future__ import annotations

from typing import Final

#: TPC-TAB-1: the boxes and where they are.
BOXES: Final = {"ante": (-20, 15), "second": (20, 15), "txb": (0, 52)}
#: TPC-TAB-2: it has to be read in the centre of the table.
SENTENCE: Final = "qualifies"
