"""What is particular to a record of the journal: commitments of cards, and what is signed.

A record is one fact with its decisions and the prompt that followed. Its public form is canonical JSON (sorted keys,
no blanks, UTF-8; `tablectl.core.events.codec`); the chain runs over exactly these bytes. A drawn card stands in it as a
commitment only: `sha256(salt || code)`. The record from which on the rules show the card carries a reveal: code and
salt.
"""

from __future__ import annotations

import hashlib
from typing import Final

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.slots import Face, Slot
from tablectl.core.events.codec import NOTES
from tablectl.core.records import kind_of

SALT_BYTES: Final = 16
#: After these, and after the end of a hand, the table signs.
_SIGNED: Final = frozenset((kind_of(f.Opened), kind_of(f.GameChosen), *NOTES))


def commitment(code: str, salt: bytes) -> str:
    """What stands in public for a card nobody may know: 64 hexadecimal digits."""
    return hashlib.sha256(salt + code.encode()).hexdigest()


def must_sign(kind: str, *, closes_hand: bool, is_between: bool = False) -> bool:
    """Whether a record is signed: by the kind of its fact, whether a hand ends with it, and whether none is open after
    it (`is_between`, in a journal after its `format` note: version 0.1.0 did not sign those)."""
    return closes_hand or is_between or kind in _SIGNED


def faces_up(decisions: tuple[d.Decision, ...]) -> list[tuple[int, Slot]]:
    """The draws (with their slots) that lie face up from these decisions on."""
    return [
        (decision.draw, decision.slot)
        for decision in decisions
        if isinstance(decision, d.CardTurned) or (isinstance(decision, d.CardPlaced) and decision.slot.face is Face.UP)
    ]
