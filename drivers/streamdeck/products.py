"""The Stream Decks that this program knows, one entry a product.

Sources: abcminiuser/python-elgato-streamdeck, `ProductIDs.py`, `DeviceManager.py` and `Devices/` (ids, keys, pixels,
how a picture has to be turned); Elgato's "Stream Deck HID" pages for the modules and the Mini (ids, keys, pixels).
Facts only; not verified on hardware. Left out: the first Stream Deck (0060, pages of another length), Neo, Plus,
Studio.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

VENDOR_ID: Final = 0x0FD9


class Dialect(Enum):
    """Which of two families of reports a product speaks."""

    #: The original in its second version and everything since.
    V2 = "v2"
    MINI = "mini"


@dataclass(frozen=True, kw_only=True, slots=True)
class Product:
    """A deck. Its keys are numbered from 0, row by row from the top, each from the left."""

    #: as in the registry of drivers
    id: str
    title: str
    product_ids: tuple[int, ...]
    columns: int
    rows: int
    #: Of a key's picture, which is square; 0: it has none.
    pixels: int
    dialect: Dialect = Dialect.V2

    @property
    def n_keys(self) -> int:
        """How many keys; they are 0 to one less."""
        return self.columns * self.rows


#: The original since its second version, the MK.2 in its forms, the module.
DECK_15: Final = Product(
    id="streamdeck-15",
    title="Stream Deck",
    product_ids=(0x006D, 0x0080, 0x00A5, 0x00B9),
    columns=5,
    rows=3,
    pixels=72,
)
DECK_XL: Final = Product(
    id="streamdeck-xl",
    title="Stream Deck XL",
    product_ids=(0x006C, 0x008F, 0x00BA),
    columns=8,
    rows=4,
    pixels=96,
)
DECK_MINI: Final = Product(
    id="streamdeck-mini",
    title="Stream Deck Mini",
    product_ids=(0x0063, 0x0090, 0x00B3, 0x00B8),
    columns=3,
    rows=2,
    pixels=80,
    dialect=Dialect.MINI,
)
PEDAL: Final = Product(
    id="streamdeck-pedal",
    title="Stream Deck Pedal",
    product_ids=(0x0086,),
    columns=3,
    rows=1,
    pixels=0,
)

#: Every product, by its id in the registry of drivers.
PRODUCTS: Final[Mapping[str, Product]] = MappingProxyType(
    {product.id: product for product in (DECK_15, DECK_XL, DECK_MINI, PEDAL)}
)
