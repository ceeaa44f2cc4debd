"""Pictures for keys: drawn with Pillow, turned as the product wants them, packed as it wants them.

The font is Debian's DejaVu Sans Bold (`fonts-dejavu-core`) where it is there, or one that the configuration names, and
otherwise the one that Pillow brings along; all of them have the letters of Spanish and of its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from drivers.panels import KeyFace, KeyLook
from drivers.streamdeck.products import Dialect, Product

DEBIAN_FONT: Final = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
#: The heights of letters that are tried, largest first, as parts of the height of a key.
_HEIGHTS: Final = (0.28, 0.24, 0.2, 0.17, 0.14, 0.12)
#: Part of a key's width and height that a label may fill.
_ROOM: Final = 0.92
#: Height of a line, in heights of its letters.
_LEADING: Final = 1.2
#: Pictures that are kept; more labels than any table has.
PICTURES_MAX: Final = 512
#: Quality of a JPEG; 4 KB a key at most with any label.
_QUALITY: Final = 92

_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True, slots=True)
class _Colours:
    """As Pillow names them."""

    ground: str
    ink: str


_LIVE: Final = _Colours("#0046c8", "white")
_DEAD: Final = _Colours("black", "#464646")
_REFUSED: Final = _Colours("#dc0000", "white")
#: The other half of a flash.
_REFUSED_DARK: Final = _Colours("#320000", "#a0a0a0")


class Painter:
    """Draws a product's keys. `font`: a path; empty: see above."""

    def __init__(self, product: Product, font: str = "") -> None:
        self._product = product
        # Opening a font takes longer than drawing with it.
        self._letters = tuple(_letters(font, max(product.pixels * height, 1.0)) for height in _HEIGHTS)
        self._pictures: dict[tuple[KeyFace, bool], bytes] = {}

    def picture(self, face: KeyFace, *, is_dark_half: bool = False) -> bytes:
        """The bytes that make a key look so, drawn once. `is_dark_half`: of the flash of a refused key."""
        found = self._pictures.get((face, is_dark_half))
        if found is None:
            if len(self._pictures) >= PICTURES_MAX:
                self._pictures.clear()
            found = self._packed(self.draw(face, is_dark_half=is_dark_half))
            self._pictures[face, is_dark_half] = found
        return found

    def draw(self, face: KeyFace, *, is_dark_half: bool = False) -> Image.Image:
        """A key as a person sees it."""
        pixels = self._product.pixels
        colours = _colours(face.look, is_dark_half=is_dark_half)
        image = Image.new("RGB", (pixels, pixels), colours.ground)
        if face.label:
            text, letters = self._fitted(face.label)
            pen = ImageDraw.Draw(image)
            middle = (pixels / 2, pixels / 2)
            pen.multiline_text(middle, text, fill=colours.ink, font=letters, anchor="mm", align="center", spacing=2)
        return image

    def _packed(self, image: Image.Image) -> bytes:
        packed = BytesIO()
        if self._product.dialect is Dialect.V2:
            # Upside down and mirrored: half a turn.
            image.transpose(Image.Transpose.ROTATE_180).save(packed, "JPEG", quality=_QUALITY)
        else:
            turned = image.transpose(Image.Transpose.ROTATE_90).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
            turned.save(packed, "BMP")
        return packed.getvalue()

    def _fitted(self, label: str) -> tuple[str, _Font]:
        """The label in lines and in the largest letters with which it fits; in the smallest where none does."""
        room = self._product.pixels * _ROOM
        breaks = tuple(_broken(label))
        for letters, height in zip(self._letters, _HEIGHTS, strict=True):
            for lines in breaks:
                widest = max(letters.getbbox(line)[2] for line in lines)
                if max(widest, len(lines) * self._product.pixels * height * _LEADING) <= room:
                    return "\n".join(lines), letters
        return "\n".join(breaks[-1]), self._letters[-1]


def _colours(look: KeyLook, *, is_dark_half: bool) -> _Colours:
    match look:
        case KeyLook.LIVE:
            return _LIVE
        case KeyLook.DEAD:
            return _DEAD
        case KeyLook.REFUSED:
            return _REFUSED_DARK if is_dark_half else _REFUSED


def _broken(label: str) -> Iterator[tuple[str, ...]]:
    """The label in one line, in two lines, and each word in its own."""
    words = label.split() or [label]
    yield (" ".join(words),)
    for split in range(1, len(words)):
        yield " ".join(words[:split]), " ".join(words[split:])
    yield tuple(words)


def _letters(font: str, height: float) -> _Font:
    for path in (font, DEBIAN_FONT):
        if not path:
            continue
        try:
            return ImageFont.truetype(path, height)
        except OSError:
            continue  # not there, or no font
    return ImageFont.load_default(height)
