"""Which names and secrets an account may have. Pure.

Length is what counts, and that a secret is not what somebody tries first (NIST SP 800-63B-4, section 3.1.1.2: a least
length, no rules on kinds of characters, no expiry). A PIN is short: it is good for a croupier at the table's own
screen alone (`people.py`), and with a lock-out (`lockout.py`).
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from itertools import pairwise
from typing import Final

from tablectl.core.roles import SYSTEM

PASSWORD_LEAST: Final = 12
#: More than anybody types; hashing has no limit of its own.
PASSWORD_MOST: Final = 128
PIN_DIGITS: Final = 6
#: Fewer different characters than these are a pattern, whatever the length.
_DIFFERENT_LEAST: Final = 5
#: What the name or its parts leave of a password has to be at least this long.
_BESIDE_NAME_LEAST: Final = 8
_PIN_DIFFERENT_LEAST: Final = 3
_NAME: Final = re.compile(r"[a-z][a-z0-9.-]{0,31}")
#: Stand in records for what is nobody's account.
CONSOLE: Final = "console"
UNKNOWN: Final = "unknown"
RESERVED: Final = frozenset({CONSOLE, UNKNOWN, SYSTEM})


class Weakness(StrEnum):
    """Why a secret is not taken; each has a sentence on the screens."""

    TOO_SHORT = "too-short"
    TOO_LONG = "too-long"
    IS_NAME = "is-name"
    TOO_PLAIN = "too-plain"
    NOT_TEXT = "not-text"
    PIN_FORM = "pin-form"
    PIN_GUESSABLE = "pin-guessable"
    SAME_AS_BEFORE = "same-as-before"


class WeakSecret(ValueError):
    """A secret that is not taken. Never carries the secret itself."""

    def __init__(self, why: Weakness) -> None:
        super().__init__(why.value)
        self.why = why


def is_name(text: str) -> bool:
    """Whether somebody may be called so in records: one word, no plus, no space."""
    return _NAME.fullmatch(text) is not None and text not in RESERVED


def normal(secret: str) -> str:
    """The same secret from any keyboard: composed characters (RFC 8265, section 4.2.2). Raises `WeakSecret`."""
    try:
        secret.encode()
    except UnicodeEncodeError:
        raise WeakSecret(Weakness.NOT_TEXT) from None
    return unicodedata.normalize("NFC", secret)


def check_password(password: str, *, name: str, display: str) -> None:
    """Raises `WeakSecret`."""
    text = normal(password)
    if len(text) < PASSWORD_LEAST:
        raise WeakSecret(Weakness.TOO_SHORT)
    if len(text) > PASSWORD_MOST:
        raise WeakSecret(Weakness.TOO_LONG)
    rest = text.casefold()
    for word in sorted({name, *display.casefold().split()}, key=len, reverse=True):
        rest = rest.replace(word, "")
    if rest != text.casefold() and len(rest) < _BESIDE_NAME_LEAST:
        raise WeakSecret(Weakness.IS_NAME)
    if len(set(text)) < _DIFFERENT_LEAST:
        raise WeakSecret(Weakness.TOO_PLAIN)


def check_pin(pin: str) -> None:
    """Six digits, not what somebody tries first: no runs, no repeated part, no mirror. Raises `WeakSecret`."""
    if len(pin) != PIN_DIGITS or not pin.isascii() or not pin.isdigit():
        raise WeakSecret(Weakness.PIN_FORM)
    digits = [int(text) for text in pin]
    steps = {(after - before) % 10 for before, after in pairwise(digits)}
    repeats = any(pin == pin[:length] * (PIN_DIGITS // length) for length in (1, 2, 3))
    pairs = all(digits[at] == digits[at + 1] for at in range(0, PIN_DIGITS, 2))
    if len(steps) == 1 or repeats or pairs or pin == pin[::-1] or len(set(pin)) < _PIN_DIFFERENT_LEAST:
        raise WeakSecret(Weakness.PIN_GUESSABLE)
