"""How high letters have to be on each screen: the table of CSS pixels that `docs/screens.md` shows.

A capital letter that is `h` high and `d` away is seen at the angle `2 * atan(h / 2d)`. ISO 9241-3 asks for 16 minutes
of arc at least, measured on a capital without accent (in public words: IBM's Healthy Computing, "Character size"); the
FAA's human factors training says the same: "avoid symbols that subtend less than 16 arcminutes".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

#: What a letter has to subtend at the eye, in minutes of arc.
LEAST_ARCMIN: Final = 16.0
#: How high a capital letter is, of the size of its font: `font-size-adjust` in screens.css makes it so in any font.
CAPITAL: Final = 0.729
_MM_AN_INCH: Final = 25.4


class Reading(StrEnum):
    """From where something is read."""

    FAR = "far"  # by the players, across the table
    NEAR = "near"  # by whoever works at the screen


@dataclass(frozen=True, kw_only=True, slots=True)
class Screen:
    """A screen: its size in CSS pixels, its diagonal, and how far away it is read at most, in millimetres. `far_mm` is
    None where nobody but its user reads it."""

    width: int
    height: int
    diagonal_in: float
    near_mm: float
    far_mm: float | None = None

    @property
    def name(self) -> str:
        """As it is called: 1280x800."""
        return f"{self.width}x{self.height}"

    @property
    def pixel_mm(self) -> float:
        """How high a CSS pixel is."""
        return self.diagonal_in * _MM_AN_INCH / math.hypot(self.width, self.height)

    def letter_px(self, reading: Reading) -> float | None:
        """How high a capital letter has to be, in CSS pixels; None where nobody reads from there."""
        away_mm = self.near_mm if reading is Reading.NEAR else self.far_mm
        return None if away_mm is None else letter_mm(away_mm) / self.pixel_mm

    def font_px(self, reading: Reading) -> float | None:
        """The size of a font whose capital letters are as high."""
        letter_px = self.letter_px(reading)
        return None if letter_px is None else letter_px / CAPITAL


def letter_mm(away_mm: float) -> float:
    """How high the smallest letter is that can be read from there."""
    return 2 * away_mm * math.tan(math.radians(LEAST_ARCMIN / 60) / 2)


#: A screen at the table, 10 inches, and the players 1.5 m away from it; the phone that somebody has in his hand.
SCREENS: Final = (
    Screen(width=1024, height=600, diagonal_in=10, near_mm=600, far_mm=1500),
    Screen(width=1280, height=800, diagonal_in=10, near_mm=600, far_mm=1500),
    Screen(width=1920, height=1080, diagonal_in=10, near_mm=600, far_mm=1500),
    Screen(width=390, height=844, diagonal_in=6.1, near_mm=350),
)

#: Where everybody else reads: a tablet in the hand, a display on a desk, the same phone.
DESKS: Final = (
    Screen(width=1024, height=600, diagonal_in=10, near_mm=400),
    Screen(width=1280, height=800, diagonal_in=10, near_mm=400),
    Screen(width=1920, height=1080, diagonal_in=24, near_mm=600),
    SCREENS[3],
)


def table() -> str:
    """The table of `docs/screens.md`."""
    screens = (*SCREENS, *DESKS[:3])
    rows = ["| screen | diagonal | read from | letter | letter | font |", "|---|---|---|---|---|---|"]
    for screen in screens:
        for reading, away_mm in ((Reading.FAR, screen.far_mm), (Reading.NEAR, screen.near_mm)):
            letter_px, font_px = screen.letter_px(reading), screen.font_px(reading)
            if away_mm is None or letter_px is None or font_px is None:
                continue
            rows.append(
                f"| {screen.width}×{screen.height} | {screen.diagonal_in:g}″ | {away_mm / 1000:g} m "
                f"| {letter_mm(away_mm):.2f} mm | {letter_px:.1f} px | {font_px:.1f} px |"
            )
    return "\n".join(rows)
