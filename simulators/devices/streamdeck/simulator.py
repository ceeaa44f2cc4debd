"""A Stream Deck of any model: keys that a person presses, pictures that a person sees.

Pictures are put together from their pages and decoded, so that a test sees what a key shows and not what was sent.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Final

from PIL import Image, UnidentifiedImageError

from drivers.streamdeck.messages import (
    Brightness,
    EndOfPages,
    Firmware,
    Page,
    Reset,
    SerialNumber,
    ask_firmware,
    ask_serial_number,
    decode_feature,
    decode_output,
    encode_keys,
    encode_text,
)
from drivers.streamdeck.products import DECK_15, VENDOR_ID, Dialect, Product
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.usb_keys import KeysDevice
from simulators.devices.usb_socket_format import EndpointDescriptor, InterfaceDescriptor

FIRMWARE: Final = "1.01.000"
SERIAL: Final = "AL00H1A00000"
#: What a key shows that nobody gave a picture: a part of the maker's.
MAKERS: Final = (30, 30, 120)
#: A dot this bright in any colour is lit.
_LIT: Final = 96
#: Dots that differ by more are written with something.
_INK: Final = 30


class StreamDeckSimulator(KeysDevice):
    """The deck. Keys are numbered as in `drivers.streamdeck.products.Product`. Any thread may call any method."""

    vendor_id = VENDOR_ID
    interfaces: tuple[InterfaceDescriptor, ...] = (
        InterfaceDescriptor(
            number=0,
            endpoints=(
                EndpointDescriptor(address=0x81, max_packet_bytes=512),
                EndpointDescriptor(address=0x02, max_packet_bytes=1024),
            ),
            driver="usbhid",
        ),
    )

    def __init__(
        self,
        *,
        product: Product = DECK_15,
        serial: str = SERIAL,
        answers: bool = True,
        on_picture: Callable[[int], None] | None = None,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
    ) -> None:
        super().__init__(product, serial=serial, faults=faults, seed=seed)
        self.product = product
        #: Called from the bus's thread when a key has a new picture.
        self.on_picture = on_picture
        #: Whether it answers questions for who it is; some hosts lose them.
        self.answers = answers
        self._pictures: dict[int, Image.Image] = {}
        self._begun = bytearray()
        self._brightness = 100
        self._taken = 0

    # -- what a person does and sees ---------------------------------------------------------------------------------

    def _moved(self) -> None:
        self.report(encode_keys(self.product, frozenset(self._down)))

    def picture(self, key: int) -> Image.Image:
        """What a key shows, as a person sees it."""
        with self._lock:
            found = self._pictures.get(key)
        size = (self.product.pixels, self.product.pixels)
        return Image.new("RGB", size, MAKERS) if found is None else found

    def ground(self, key: int) -> tuple[int, int, int]:
        """The colour of a key's edge, red, green and blue: what it looks like from afar."""
        red, green, blue = self.picture(key).convert("RGB").crop((1, 1, 5, 5)).resize((1, 1)).tobytes()
        return red, green, blue

    def is_lit(self, key: int) -> bool:
        """Whether its ground is bright."""
        return max(self.ground(key)) >= _LIT

    def is_red(self, key: int) -> bool:
        """Whether its ground is red and nothing else."""
        red, green, blue = self.ground(key)
        return red > _LIT > max(green, blue)

    def has_ink(self, key: int) -> bool:
        """Whether anything is written on it."""
        grey = self.picture(key).convert("L").tobytes()
        return max(grey) - min(grey) > _INK

    @property
    def brightness(self) -> int:
        """In percent."""
        return self._brightness

    @property
    def taken(self) -> int:
        """How many pictures it was given, since it was made."""
        return self._taken

    # -- what the host does ------------------------------------------------------------------------------------------

    def plugged_in(self) -> None:
        """The maker's picture. A key that a finger holds is down all the same."""
        with self._lock:
            self._pictures.clear()
            self._begun.clear()
            self._brightness = 100

    def written(self, data: bytes) -> None:
        """A page of a picture."""
        shown: int | None = None
        with self._lock:
            match decode_output(self.product, data):
                case Page(key=key, is_last=is_last, data=part):
                    self._begun += part
                    if is_last:
                        shown = key if self._show(key) else None
                case EndOfPages():
                    self._begun.clear()
                case None:
                    self.refused += 1
        if shown is not None and self.on_picture is not None:
            self.on_picture(shown)

    def _show(self, key: int) -> bool:
        data = bytes(self._begun)
        self._begun.clear()
        try:
            with Image.open(BytesIO(data)) as image:
                image.load()
                picture = image.convert("RGB")
        except (UnidentifiedImageError, OSError):
            self.refused += 1
            return False
        if picture.size != (self.product.pixels, self.product.pixels):
            self.refused += 1
            return False
        if self.product.dialect is Dialect.V2:
            self._pictures[key] = picture.transpose(Image.Transpose.ROTATE_180)
        else:
            upright = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).transpose(Image.Transpose.ROTATE_270)
            self._pictures[key] = upright
        self._taken += 1
        return True

    def feature_written(self, data: bytes) -> bool:
        """Reset or brightness."""
        with self._lock:
            match decode_feature(self.product, data):
                case Reset():
                    self._pictures.clear()
                case Brightness(percent=percent):
                    self._brightness = percent
                case None:
                    self.refused += 1
                    return False
        return True

    def feature_asked(self, report_id: int) -> bytes | None:
        """Who it is."""
        if not self.answers:
            return None
        if report_id == ask_firmware(self.product)[0]:
            return encode_text(self.product, Firmware(FIRMWARE))
        if report_id == ask_serial_number(self.product)[0]:
            return encode_text(self.product, SerialNumber(self.serial))
        return None
