"""The X-keys panels that this program knows, one entry a product. A further one is one entry and its golden bytes.

Sources: SuperFlyTV/xkeys, `packages/core/src/products.ts` (layout, time stamp, second bank) and its recorded panels
(`packages/node/src/__tests__/recordings`: report lengths, which bits mean a key); for the XK-24 besides P.I.
Engineering's data report (`HID-Reports` in piengineering/X-keys_Linux: ids, report lengths, which ids give input at
all). Facts only; not verified on hardware.

A key's bit is its place in the bytes from byte 2 of a report: eight times the byte, plus the bit in it. Where keys are
a plain matrix there is one byte a column and one bit a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

VENDOR_ID: Final = 0x05F3

#: Bits of one byte, and LED numbers of a column: they start at multiples of this, however many rows there are
#: (xkeys.ts, `setBacklight`).
LEDS_PER_COLUMN: Final = 8


class Lamps(Enum):
    """What is under the keys."""

    NONE = "none"
    BLUE = "blue"
    BLUE_AND_RED = "blue-and-red"


@dataclass(frozen=True, kw_only=True, slots=True)
class Product:
    """A panel. Its keys are numbered from 0 in the order of `key_bits`: column by column from the left, each from the
    top, leaving out places without a key."""

    #: as in the registry of drivers
    id: str
    title: str
    #: Only those with a consumer page for input and output (data report, "General Information").
    product_ids: tuple[int, ...]
    #: Bit of each key, in the order of their numbers.
    key_bits: tuple[int, ...]
    #: Of an input report without report id: bytes of keys from byte 2, and a time stamp at this byte.
    key_bytes: int
    timestamp_at: int
    #: Length of every input report, without report id.
    input_bytes: int
    lamps: Lamps = Lamps.NONE
    #: Number of the LED of the first kind under each key.
    leds: tuple[int, ...] = ()
    #: Number of the first red LED; the blue ones start at 0.
    red_bank_at: int = 0
    #: Bits among those of the keys that mean something else, or that nobody has explained.
    other_bits: frozenset[int] = frozenset()
    #: The bit that says whether anything is plugged in.
    plug_bit: int | None = None
    #: Its keys are contacts of a plug, some of which the plug itself may hold closed.
    has_plugs: bool = False

    @property
    def n_keys(self) -> int:
        """How many keys; they are 0 to one less."""
        return len(self.key_bits)

    @property
    def known_bits(self) -> frozenset[int]:
        """Bits that may be set."""
        plug = frozenset() if self.plug_bit is None else frozenset({self.plug_bit})
        return frozenset(self.key_bits) | self.other_bits | plug

    def blue_led(self, key: int) -> int:
        """The number of the blue LED under a key. Raises ValueError where there is none."""
        if self.lamps is Lamps.NONE:
            raise ValueError(f"{self.title} has no lamps")
        return self.leds[key]

    def red_led(self, key: int) -> int:
        """The number of the red LED under a key. Raises ValueError where there is none."""
        if self.lamps is not Lamps.BLUE_AND_RED:
            raise ValueError(f"{self.title} has no red lamps")
        return self.red_bank_at + self.leds[key]


def _matrix(columns: int, rows: int, holes: frozenset[tuple[int, int]] = frozenset()) -> tuple[int, ...]:
    """The bits of a matrix; `holes` are column and row, from 0, of places without a key."""
    return tuple(
        column * LEDS_PER_COLUMN + row for column in range(columns) for row in range(rows) if (column, row) not in holes
    )


#: 0x0405 is the factory's; 0x0404 and 0x04E1 take output only and are for macros stored in the panel.
XK24: Final = Product(
    id="xkeys-xk24",
    title="XK-24",
    product_ids=(0x0405, 0x0403),
    key_bits=_matrix(4, 6),
    key_bytes=4,
    timestamp_at=6,
    input_bytes=32,
    lamps=Lamps.BLUE_AND_RED,
    leds=_matrix(4, 6),
    red_bank_at=32,
)

#: One row of sixteen: the bytes count every fourth key, the bits of a byte the fours (`btnLocation`, and recorded).
XK16: Final = Product(
    id="xkeys-xk16",
    title="XK-16 stick",
    product_ids=(1049, 1051, 1213, 1216),
    key_bits=tuple(key % 4 * 8 + key // 4 for key in range(16)),
    key_bytes=4,
    timestamp_at=6,
    input_bytes=32,
    lamps=Lamps.BLUE,
    # xkeys.ts: two numbers are left out after the sixth LED and after the twelfth.
    leds=tuple(key + key // 6 * 2 for key in range(16)),
)

#: Between its blocks of keys: the third row, and the third and the eighth column from there on (recorded).
_XK60_HOLES: Final = frozenset(
    (column, row) for column in range(10) for row in range(8) if row == 2 or (row > 2 and column in (2, 7))
)
XK60: Final = Product(
    id="xkeys-xk60",
    title="XK-60",
    product_ids=(1121, 1123, 1231, 1234),
    key_bits=_matrix(10, 8, _XK60_HOLES),
    key_bytes=10,
    timestamp_at=12,
    input_bytes=32,
    lamps=Lamps.BLUE_AND_RED,
    leds=_matrix(10, 8, _XK60_HOLES),
    red_bank_at=80,
)

XK80: Final = Product(
    id="xkeys-xk80",
    title="XK-80",
    product_ids=(1089, 1091, 1217, 1220),
    key_bits=_matrix(10, 8),
    key_bytes=10,
    timestamp_at=12,
    input_bytes=32,
    lamps=Lamps.BLUE_AND_RED,
    leds=_matrix(10, 8),
    red_bank_at=80,
)

#: Left, middle, right; bit 0 is none of them.
XK3_PEDAL: Final = Product(
    id="xkeys-xk3-pedal",
    title="XK-3 foot pedal",
    product_ids=(1080, 1082),
    key_bits=(1, 2, 3),
    key_bytes=1,
    timestamp_at=18,
    input_bytes=32,
)

#: Six sockets with two contacts each, the tip (row 1 of `btnLocation`, which a mono plug uses) before the ring.
XK12_SWITCHES: Final = Product(
    id="xkeys-xk12-si",
    title="XK-12 switch interface",
    product_ids=(1192, 1195),
    key_bits=(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10),
    key_bytes=2,
    timestamp_at=31,
    input_bytes=36,
    has_plugs=True,
)

#: One socket. Bit 3 has no meaning that anybody wrote down; it was recorded set whenever a plug was in.
XK3_SWITCHES: Final = Product(
    id="xkeys-xk3-si",
    title="XK-3 switch interface",
    product_ids=(1221, 1224),
    key_bits=(0, 1, 4),
    key_bytes=1,
    timestamp_at=31,
    input_bytes=36,
    other_bits=frozenset({3}),
    plug_bit=2,
    has_plugs=True,
)

#: Keys only. Recorded with bits above the rows that come and go with the wheel.
XK12_JOG: Final = Product(
    id="xkeys-xk12-jog",
    title="XK-12 jog and shuttle",
    product_ids=(1062, 1064),
    key_bits=_matrix(4, 3),
    key_bytes=4,
    timestamp_at=8,
    input_bytes=32,
    lamps=Lamps.BLUE_AND_RED,
    leds=_matrix(4, 3),
    red_bank_at=32,
    other_bits=frozenset(byte * 8 + bit for byte in range(4) for bit in range(3, 8)),
)

#: Keys only; the stick is not read.
XK12_JOYSTICK: Final = Product(
    id="xkeys-xk12-joystick",
    title="XK-12 joystick",
    product_ids=(1065, 1067),
    key_bits=_matrix(4, 3),
    key_bytes=4,
    timestamp_at=12,
    input_bytes=32,
    lamps=Lamps.BLUE_AND_RED,
    leds=_matrix(4, 3),
    red_bank_at=32,
)

#: Every product, by its id in the registry of drivers.
PRODUCTS: Final[Mapping[str, Product]] = MappingProxyType(
    {
        product.id: product
        for product in (
            XK24,
            XK16,
            XK60,
            XK80,
            XK3_PEDAL,
            XK12_SWITCHES,
            XK3_SWITCHES,
            XK12_JOG,
            XK12_JOYSTICK,
        )
    }
)
