"""Opening sealed cards for an auditor: only with the auditor's key and a reason, only of a hand that is over, and only
after the asking is on record, granted or not.

The auditor signs a request (`tablectl.journal.sealed_card_request`) with a private key of his own; the table knows the
public key (`journal.auditor`) and opens the cards with its own sealing key, which it gives to nobody.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tablectl.config.table_file import Config
from tablectl.core.events.notes import Unsealed
from tablectl.journal.copy import SecondCopy, last_of
from tablectl.journal.journal import Journal
from tablectl.journal.lines import NoLine
from tablectl.journal.places import Places
from tablectl.journal.public_keys import BadKey, load_public
from tablectl.journal.seal import BadSeal
from tablectl.journal.sealed_card_request import FRESH_US, Request, Why
from tablectl.journal.signing import Witness
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.ops.log import LateLog

#: How often the second copy is looked at, and how long in all, in seconds.
LOOK_S: Final = 0.02
WITNESS_S: Final = 3.0


def auditor_of(config: Config) -> bytes | None:
    """The public key of the auditor that the house named; None where it named none. Raises `Tilt`."""
    if config.auditor is None:
        return None
    try:
        return load_public(config.auditor)
    except BadKey as wrong:
        raise Tilt(TiltKind.KEY, str(wrong)) from None


def is_witnessed(copy: Path, seq: int, *, within_s: float) -> bool:
    """Whether the second copy has this record, in time: only then nobody can take the asking back by restoring it."""
    until_s = time.monotonic() + within_s
    while True:
        with suppress(OSError, NoLine):
            last = last_of(copy)
            if last is not None and last.seq >= seq:
                return True
        if time.monotonic() >= until_s:
            return False
        time.sleep(LOOK_S)


class _NoMore:
    """Nothing more will be written: a copy that follows it ends when it has everything."""

    is_closed = True

    def wait_after(self, seq: int, timeout_s: float) -> bool:
        """Nothing is awaited."""
        return False


def catch_up(places: Places) -> None:
    """Bring the second copy of a table that does not run up to its journal; where that fails, the copy shows it."""
    second = SecondCopy(places, _NoMore(), LateLog())
    second.start()
    second.close(WITNESS_S)


class Judge:
    """Decides about requests for one table. `auditor` is the public key; None where the house named none."""

    def __init__(self, table: str, auditor: bytes | None) -> None:
        self._table = table
        self._auditor = Witness(auditor) if auditor is not None else None

    def refusal(self, request: Request, journal: Journal, *, now_us: int, last_closed: int) -> tuple[Why, str] | None:
        """Why it is not granted, or None. The same request is granted once, by whichever process: the journal knows."""
        if self._auditor is None:
            return Why.NO_AUDITOR, "no auditor's key is configured (journal.auditor)"
        if not self._auditor.confirms_text(request.text.encode(), request.signature):
            return Why.OTHER_KEY, "not signed with the auditor's key"
        if request.table != self._table:
            return Why.OTHER_TABLE, f"it is for table {request.table!r}"
        if abs(now_us - request.at_us) > FRESH_US:
            return Why.NOT_NOW, "its time is more than five minutes away from the table's clock"
        if journal.was_granted(request.signature.hex(), since_us=request.at_us - FRESH_US):
            return Why.AGAIN, "it was granted before; sign a new one"
        if request.hand > last_closed:
            return Why.NOT_OVER, "that hand is not over: nobody sees its cards"
        return None


def unseal(journal: Journal, judge: Judge, request: Request, *, now_us: int, last_closed: int) -> dict[str, Any]:
    """The answer to a request, after the record that says it was asked for. Raises `JournalUnusable`."""
    why_not = judge.refusal(request, journal, now_us=now_us, last_closed=last_closed)
    stored = journal.note(
        Unsealed(
            at_us=now_us,
            of_hand=request.hand,
            by=request.by,
            reason=request.reason,
            granted=why_not is None,
            request=request.text,
            signature=request.signature.hex(),
        )
    )
    if why_not is not None:
        why, text = why_not
        return {"ok": False, "seq": stored.seq, "why": why.value, "error": text}
    try:
        cards = list(journal.sealed_cards(request.hand))
    except BadSeal as wrong:
        return {"ok": False, "seq": stored.seq, "error": str(wrong)}
    return {"ok": True, "seq": stored.seq, "hand": request.hand, "cards": cards}
