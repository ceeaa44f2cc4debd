"""The settings of the croupier's screen, `/etc/tablectl/kiosk.env`: what they may be.

The compositor's own start looks at them too (`debian/bin/display`), so that no screen stays black for one that cannot
work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

SCALE: Final = "TABLECTL_KIOSK_SCALE"
ROTATION: Final = "TABLECTL_KIOSK_ROTATION"
#: Beside the tables' files.
FILE: Final = "kiosk.env"
LEAST, MOST = 0.5, 4.0
_NUMBER: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,6})?")
_TURNS: Final = ("0", "90", "180", "270")
#: A line of systemd's `EnvironmentFile=`, as whoever installs a table writes one.
_LINE: Final = re.compile(r"\s*([A-Z_]+)=(.*?)\s*")


def scale_of(said: str) -> float | None:
    """How much larger than one pixel to a pixel; None for what is no such number."""
    if _NUMBER.fullmatch(said) is None or not LEAST <= float(said) <= MOST:
        return None
    return float(said)


def mistakes(settings: Mapping[str, str]) -> Iterator[str]:
    """What cannot work, and what would be right. What is not set, or empty, is as it is delivered."""
    scale, rotation = settings.get(SCALE) or "1", settings.get(ROTATION) or "0"
    if scale_of(scale) is None:
        yield f"{SCALE}={scale}; would be right: a number from {LEAST:g} to {MOST:g}, such as 1.25"
    if rotation not in _TURNS:
        yield f"{ROTATION}={rotation}; would be right: {', '.join(_TURNS[:-1])} or {_TURNS[-1]}"


def settings_in(file: Path) -> dict[str, str]:
    """What a file sets. Raises `OSError`, `UnicodeDecodeError`."""
    found = (_LINE.fullmatch(line) for line in file.read_text(encoding="utf-8").splitlines())
    return {match[1]: match[2].strip("\"'") for match in found if match is not None}
