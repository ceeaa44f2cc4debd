"""The word by which the pit enters a count of the croupier's tray, a fill or a credit: at any time, also in a hand.

No dealing rule depends on it, so it is a note of the journal. Who may say so is decided as for limits: two different
names where the house knows its people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tablectl.api.behind import Behind, NotAsked
from tablectl.api.entry import Counting
from tablectl.api.lines import said
from tablectl.config.limits import AMOUNT_MOST
from tablectl.core.engine.two_persons import are_two
from tablectl.core.engine.words import Refusal
from tablectl.core.notes import FloatCounted, FloatCredited, FloatFilled
from tablectl.journal.store import JournalUnusable
from tablectl.people.roles import NAME
from tablectl.table.chip_float import NO_CHIPS, TrayAct

_SHAPE: Final = (
    f'{{"float": one of {", ".join(TrayAct)}, "amount": a whole number in the smallest unit, to {AMOUNT_MOST}, '
    '"by": a name, "second": another one}; nobody fills or credits 0'
)


def enter_float(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """One entry, on record when this is answered, a count with what was expected; or why it is not taken."""
    act, amount, by, second = _read(asked)
    setup = behind.setup
    if (setup.staff or second) and not are_two(by, second):
        error = "two different persons enter it at this table: by and second"
        yield said({"ok": False, "why": Refusal.SECOND_PERSON.value, "error": error})
        return
    if amount % setup.chip:
        error = f"{amount} is no whole number of chips: the smallest one is worth {setup.chip}"
        yield said({"ok": False, "why": NO_CHIPS, "error": error})
        return
    if act is not TrayAct.FILL:
        try:
            behind.trays.now()  # what takes long is read here, and not by the one writer
        except JournalUnusable as wrong:
            yield said({"ok": False, "error": str(wrong)})
            return
    counting = Counting(_note(act, behind.now_us(), amount, by, second))
    behind.enter(counting)
    yield said(counting.wait(behind.answer_s))


def _read(asked: Mapping[str, Any]) -> tuple[TrayAct, int, str, str]:
    """Raises `NotAsked`."""
    match asked:
        case {"float": str(act), "amount": int(amount), "by": str(by)} if act in list(TrayAct):
            second = asked.get("second", "")
        case _:
            raise NotAsked(_SHAPE)
    least = 0 if act == TrayAct.COUNT else 1
    if isinstance(amount, bool) or not least <= amount <= AMOUNT_MOST:
        raise NotAsked(_SHAPE)
    if not NAME.fullmatch(by) or not isinstance(second, str) or (second and not NAME.fullmatch(second)):
        raise NotAsked(_SHAPE)
    return TrayAct(act), amount, by, second


def _note(act: TrayAct, at_us: int, amount: int, by: str, second: str) -> FloatCounted | FloatFilled | FloatCredited:
    match act:
        case TrayAct.COUNT:
            return FloatCounted(at_us=at_us, amount=amount, expected=None, by=by, second=second)
        case TrayAct.FILL:
            return FloatFilled(at_us=at_us, amount=amount, by=by, second=second)
        case TrayAct.CREDIT:
            return FloatCredited(at_us=at_us, amount=amount, by=by, second=second)
