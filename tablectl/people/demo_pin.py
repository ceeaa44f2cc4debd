"""The PIN of a demonstration's people, beside the file with their accounts, so that its sign-on page can show it.

Only a demonstration writes one, and screens show it only where the table's keys are a demonstration's: a real table has
neither.
"""

from __future__ import annotations

from pathlib import Path

from tablectl.people.rules import PIN_DIGITS


def _path(people: Path) -> Path:
    return people.with_name(f"{people.name}.demo-pin")


def keep(people: Path, pin: str) -> None:
    """Beside the accounts, for whoever may read these."""
    path = _path(people)
    path.touch(mode=0o600)
    path.write_text(pin, encoding="ascii")


def kept(people: Path) -> str:
    """The PIN; empty where there is none."""
    try:
        pin = _path(people).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""
    return pin if len(pin) == PIN_DIGITS and pin.isdecimal() else ""
