"""`tablectl journal export --phh`: finished hands of a circle game as hand histories (docs/phh.md)."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from tablectl.journal.evidence.hand import Hand, NoEvidence
from tablectl.journal.evidence.history import history
from tablectl.phh.hand import Hand as History
from tablectl.phh.writing import hand_text, hands_text


def one_hand(hand: Hand) -> bytes:
    """A `.phh` file. Raises `NoEvidence` where the format cannot tell the hand."""
    return hand_text(history(hand)).encode()


def all_hands(hands: Iterable[Hand]) -> bytes:
    """A `.phhs` file; what the format cannot tell is said on standard error, and left out. Raises `NoEvidence` where
    that is every hand."""
    written: list[History] = []
    for hand in hands:
        try:
            written.append(history(hand))
        except NoEvidence as wrong:
            sys.stderr.write(f"left out: {wrong}\n")
    if not written:
        raise NoEvidence("none of the hands can be told as a hand history; nothing was written")
    return hands_text(written).encode()
