"""What is particular to a record of the journal: commitments of cards, what is signed, which decisions are the same.

A record is one fact with its decisions and the prompt that followed. Its public form is canonical JSON (sorted keys,
no blanks, UTF-8; `tablectl.core.codec`); the chain runs over exactly these bytes. A drawn card stands in it as a
commitment only: `sha256(salt || code)`. The record from which on the rules show the card carries a reveal: code and
salt.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from tablectl.core.codec import NOTES
from tablectl.core.engine import decisions as d
from tablectl.core.engine.seats import SEATED
from tablectl.core.engine.slots import Face, Slot

SALT_BYTES: Final = 16
#: After these, and after the end of a hand, the table signs.
_SIGNED: Final = frozenset(("opened", "game-chosen", *NOTES))


def commitment(code: str, salt: bytes) -> str:
    """What stands in public for a card nobody may know: 64 hexadecimal digits."""
    return hashlib.sha256(salt + code.encode()).hexdigest()


def must_sign(kind: str, *, closes_hand: bool, is_between: bool = False) -> bool:
    """Whether a record is signed: by the kind of its fact, whether a hand ends with it, and whether none is open after
    it (`is_between`, in a journal after its `format` note: version 0.1.0 did not sign those)."""
    return closes_hand or is_between or kind in _SIGNED


def is_note(public: Mapping[str, Any]) -> bool:
    """Whether this is the journal's own life and none of the table's."""
    return public.get("kind") in NOTES


#: Members that records of this format did not have from the beginning. Where one is missing, `bettor` is who sits at
#: the box, an incident is about no `seats` and takes no `two_persons`, and nobody said who the croupier is; what a hand
#: did to the float nobody had worked out.
_SEATED_THEN: Final = frozenset(("bet-taken", "bets-returned", "folded", "refund", "bet-settled"))
_EMPTY_THEN: Final[Mapping[str, Mapping[str, Any]]] = {
    "incident-raised": {"seats": [], "two_persons": []},
    "incident-escalated": {"two_persons": []},
    "hand-opened": {"croupier": ""},
}


def same_decisions(recorded: list[dict[str, Any]], decided: list[dict[str, Any]]) -> bool:
    """Whether a replay concludes what a record says, also one that was written before there was more to say."""
    return recorded == decided or (
        len(recorded) == len(decided) and all(map(_same_decision, map(_completed, recorded), decided))
    )


def _same_decision(recorded: dict[str, Any], decided: dict[str, Any]) -> bool:
    if decided.get("kind") == "hand-closed" and "float_change" not in recorded:
        return recorded == {name: value for name, value in decided.items() if name != "float_change"}
    return recorded == decided


def _completed(recorded: dict[str, Any]) -> dict[str, Any]:
    kind = recorded.get("kind")
    if kind in _SEATED_THEN:
        return {"bettor": SEATED, **recorded}
    return {**_EMPTY_THEN.get(str(kind), {}), **recorded}


def faces_up(decisions: tuple[d.Decision, ...]) -> list[tuple[int, Slot]]:
    """The draws (with their slots) that lie face up from these decisions on."""
    return [
        (each.draw, each.slot)
        for each in decisions
        if isinstance(each, d.CardTurned) or (isinstance(each, d.CardPlaced) and each.slot.face is Face.UP)
    ]
