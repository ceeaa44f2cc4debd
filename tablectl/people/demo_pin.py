"""What the sign-on page of a demonstration shows besides: the PIN of its people, and where one deals oneself.

Only a demonstration writes them, and screens show them only where the table's keys are a demonstration's: a real table
has none of it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tablectl.people.rules import PIN_DIGITS

#: The page on which one deals is one of this machine.
_HERE: Final = re.compile(r"http://127\.0\.0\.1:[0-9]{1,5}/training")


def _path(people: Path) -> Path:
    return people.with_name(f"{people.name}.demo-pin")


def keep(people: Path, pin: str) -> None:
    """Beside the accounts, for whoever may read these."""
    path = _path(people)
    path.touch(mode=0o600)
    path.write_text(pin, encoding="ascii")


def kept(people: Path) -> str:
    """The PIN; empty where there is none."""
    pin = _said(_path(people))
    return pin if len(pin) == PIN_DIGITS and pin.isdecimal() else ""


def keep_dealing(people: Path, address: str) -> None:
    """Where a visitor deals himself, beside the accounts."""
    _dealing_path(people).write_text(address, encoding="ascii")


def kept_dealing(people: Path) -> str:
    """That address; empty where there is none."""
    address = _said(_dealing_path(people))
    return address if _HERE.fullmatch(address) else ""


def _dealing_path(people: Path) -> Path:
    return people.with_name(f"{people.name}.demo-dealing")


def _said(path: Path) -> str:
    """What a file says; empty where there is none."""
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""
