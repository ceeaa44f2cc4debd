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
#: Quality of a JPEG; 4 KB a key at most with any label.
_QUALITY: Final = 92

_Rgb = tuple[int, int, int]
_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True, slots=True)
class _Colours:
    ground: _Rgb
    ink: _Rgb


_LIVE: Final = _Colours((0, 70, 200), (255, 255, 255))
_DEAD: Final = _Colours((0, 0, 0), (70, 70, 70))
_REFUSED: Final = _Colours((220, 0, 0), (255, 255, 255))
#: The other half of a flash.
_REFUSED_DARK: Final = _Colours((50, 0, 0), (160, 160, 160))


def picture(product: Product, face: KeyFace, *, is_dark_half: bool = False, font: str = "") -> bytes:
    """The bytes that make a key look so. `is_dark_half`: of the flash of a refused key. `font`: a path."""
    image = draw(product.pixels, face, is_dark_half=is_dark_half, font=font)
    packed = BytesIO()
    if product.dialect is Dialect.V2:
        # Upside down and mirrored: half a turn.
        image.transpose(Image.Transpose.ROTATE_180).save(packed, "JPEG", quality=_QUALITY)
    else:
        turned = image.transpose(Image.Transpose.ROTATE_90).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        turned.save(packed, "BMP")
    return packed.getvalue()


def draw(pixels: int, face: KeyFace, *, is_dark_half: bool = False, font: str = "") -> Image.Image:
    """A key as a person sees it."""
    colours = _colours(face.look, is_dark_half=is_dark_half)
    image = Image.new("RGB", (pixels, pixels), colours.ground)
    if face.label:
        pen = ImageDraw.Draw(image)
        text, letters = _fitted(pen, face.label, pixels, font)
        middle = (pixels / 2, pixels / 2)
        pen.multiline_text(middle, text, fill=colours.ink, font=letters, anchor="mm", align="center", spacing=2)
    return image


def _colours(look: KeyLook, *, is_dark_half: bool) -> _Colours:
    match look:
        case KeyLook.LIVE:
            return _LIVE
        case KeyLook.DEAD:
            return _DEAD
        case KeyLook.REFUSED:
            return _REFUSED_DARK if is_dark_half else _REFUSED


def _fitted(pen: ImageDraw.ImageDraw, label: str, pixels: int, font: str) -> tuple[str, _Font]:
    """The label in lines and in the largest letters with which it fits; in the smallest where none does."""
    lines, letters = label, _letters(font, pixels * _HEIGHTS[-1])
    for height in _HEIGHTS:
        letters = _letters(font, pixels * height)
        for lines in _broken(label):
            left, top, right, bottom = pen.multiline_textbbox((0, 0), lines, font=letters, spacing=2)
            if max(right - left, bottom - top) <= pixels * _ROOM:
                return lines, letters
    return lines, letters


def _broken(label: str) -> Iterator[str]:
    """The label in one line, in two lines, and each word in its own."""
    words = label.split()
    yield " ".join(words)
    for split in range(1, len(words)):
        yield f"{' '.join(words[:split])}\n{' '.join(words[split:])}"
    yield "\n".join(words)


def _letters(font: str, height: float) -> _Font:
    for path in (font, DEBIAN_FONT):
        if not path:
            continue
        try:
            return ImageFont.truetype(path, height)
        except OSError:
            continue  # not there, or no font
    return ImageFont.load_default(height)
