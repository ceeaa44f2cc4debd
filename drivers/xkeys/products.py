"""The X-keys panels that this program knows, one entry a product. A further one is one entry and its golden bytes.

Sources: SuperFlyTV/xkeys, `packages/core/src/products.ts` (layout, time stamp, second bank) and P.I. Engineering's data
report of each product (`HID-Reports` in piengineering/X-keys_Linux: ids, report lengths, which ids give input at all).
Facts only; not verified on hardware.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

VENDOR_ID: Final = 0x05F3

#: LED numbers of a column start at multiples of this, however many rows there are (xkeys.ts, `setBacklight`).
LEDS_PER_COLUMN: Final = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Product:
    """A panel whose keys are a plain matrix.

    Keys are numbered from 0, column by column from the left, each from the top: `column * rows + row`.
    """

    title: str
    #: Only those with a consumer page for input and output (data report, "General Information").
    product_ids: tuple[int, ...]
    columns: int
    rows: int
    #: Of an input report without report id: one byte a column from byte 2, then a time stamp at this byte.
    timestamp_at: int
    #: Length of every input report, without report id.
    input_bytes: int
    #: Number of the first red LED; the blue ones start at 0.
    red_bank_at: int

    @property
    def n_keys(self) -> int:
        """How many keys; they are 0 to one less."""
        return self.columns * self.rows

    def blue_led(self, key: int) -> int:
        """The number of the blue LED under a key."""
        column, row = divmod(key, self.rows)
        return column * LEDS_PER_COLUMN + row

    def red_led(self, key: int) -> int:
        """The number of the red LED under a key."""
        return self.red_bank_at + self.blue_led(key)


#: 0x0405 is the factory's; 0x0404 and 0x04E1 take output only and are for macros stored in the panel.
XK24: Final = Product(
    title="XK-24",
    product_ids=(0x0405, 0x0403),
    columns=4,
    rows=6,
    timestamp_at=6,
    input_bytes=32,
    red_bank_at=32,
)
