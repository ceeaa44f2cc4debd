"""The fold: one public record after another becomes the table as everybody may know it. Pure: no clock, no I/O, no
sealed card.

`fold(view, record)` gives the table after `record`. A stream may begin at any hand's opening. Kinds of events and
decisions that this version does not know are passed over: a newer controller may say more than a reader shows. What
they do stands in `folding/`, by idea.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import Again, HandClosed, Withdrawn
from tablectl.core.engine.facts import GameChosen, Opened, Setup
from tablectl.core.engine.prompt import Prompt
from tablectl.core.events.corrections import withdrawn
from tablectl.core.events.notes import HeadMissing, RollbackAccepted
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.aloud import calls
from tablectl.core.public_table.folding import (
    attempts,
    banked,
    cards,
    circle,
    corrected,
    devices,
    draw,
    hand,
    house,
    incidents,
    people,
    shelves,
    software,
)
from tablectl.core.public_table.folding.incidents import ENTERED_AT_TABLE
from tablectl.core.public_table.folding.step import Step, Steps, nothing
from tablectl.core.public_table.incident import RefusalView
from tablectl.core.public_table.pot_game import FeeView
from tablectl.core.public_table.table import PublicTable
from tablectl.core.settlement.pot_rules import Rake


def fold(view: PublicTable, record: PublicRecord) -> PublicTable:
    """The table after one more public record."""
    if withdrawn(record) is not None:
        return corrected.apply_correction(view, record, fold)
    return corrected.remember(_after(view, record), view, record)


def _after(view: PublicTable, record: PublicRecord) -> PublicTable:
    view = replace(view, seq=record.seq, at=record.at, refusal=_still(view.refusal, record))
    view = _step(_FACTS, record.event)(cards.came(view, record), record.event, record)
    for decision in record.decisions:
        view = _step(_DECISIONS, decision)(view, decision, record)
    view = cards.named(replace(view, aloud=calls(record.decisions) or view.aloud), record)
    for reveal in record.reveals:
        view = cards.know(view, reveal.draw, reveal.card.code)
    view = banked.jacks(view)
    if record.carry is not None:
        view = replace(_carried(view, record.carry, record.at), missing=record.missing)
    if record.keys is not None:
        view = replace(view, demo_key=record.keys.demo)
    if record.prompt is None:
        return view  # what the croupier was told before still holds
    return _asking(cards.went_back(view, record.prompt.back), record.prompt, record)


def fold_uncollected(view: PublicTable, record: PublicRecord) -> PublicTable:
    """The same of a hand that is shown as it lay before its cards were collected: the decision that closes it, and what
    goes over to the next one, change nothing."""
    kept = tuple(decision for decision in record.decisions if not isinstance(decision, HandClosed))
    if len(kept) < len(record.decisions):
        record = replace(record, carry=None, decisions=kept)
    return fold(view, record)


def _step(steps: Steps, event: object) -> Step:
    return steps.get(type(event), nothing)


def _carried(view: PublicTable, carry: Carry, at: str) -> PublicTable:
    view = replace(_under(view, carry.setup), carried=tuple(sorted(carry.previous)))
    view = devices.carried(view, carry, at)
    return shelves.carried(people.carried(circle.carried(view, carry), carry), carry)


def _asking(view: PublicTable, prompt: Prompt, record: PublicRecord) -> PublicTable:
    """With this prompt, which began when it became another one; a start begins it anew."""
    if prompt == view.prompt and not isinstance(record.event, Opened):
        return view
    return replace(view, prompt=prompt, prompt_since=record.seq)


def _under(view: PublicTable, setup: Setup) -> PublicTable:
    """What the house chose, as far as everybody may know it."""
    return replace(
        view,
        tracking=setup.tracking,
        profile=setup.profile,
        equipment=setup.equipment,
        chip=setup.chip,
        fee=_fee(setup.fee),
        limits=house.spans(setup.limits),
    )


def _fee(fee: Rake | None) -> FeeView | None:
    return None if fee is None else FeeView(rate=fee.rate, taken_from=fee.taken_from, cap=fee.cap)


def _opened(view: PublicTable, fact: Opened | GameChosen, _record: PublicRecord) -> PublicTable:
    if isinstance(fact, Opened):
        view = replace(view, foreign_usb=frozenset(), approval_until="")  # what is so is told again
    return _under(view, fact.setup)


def _head_missing(view: PublicTable, note: HeadMissing, _record: PublicRecord) -> PublicTable:
    return replace(view, missing=note.head)


def _rollback_accepted(view: PublicTable, _note: RollbackAccepted, _record: PublicRecord) -> PublicTable:
    return replace(view, missing=None)


def _still(refusal: RefusalView | None, record: PublicRecord) -> RefusalView | None:
    """A refusal stays on the screen until the next entry of the table's people is taken, or the controller starts."""
    is_over = type(record.event) in ENTERED_AT_TABLE or isinstance(record.event, Opened)
    return None if is_over else refusal


_FACTS: Final[Steps] = {
    Opened: _opened,
    GameChosen: _opened,
    HeadMissing: _head_missing,
    RollbackAccepted: _rollback_accepted,
    **devices.FACTS,
    **attempts.FACTS,
    **software.FACTS,
}
_DECISIONS: Final[Steps] = {
    **hand.DECISIONS,
    **banked.DECISIONS,
    **circle.DECISIONS,
    **draw.DECISIONS,
    **cards.DECISIONS,
    **incidents.DECISIONS,
    **people.DECISIONS,
    **house.DECISIONS,
    **shelves.DECISIONS,
    **devices.DECISIONS,
    # A correction is taken apart before its decisions are folded.
    Withdrawn: nothing,
    Again: nothing,
}
#: The decisions that have a place in it; a test holds them against those there are.
DECISIONS_SHOWN: Final[frozenset[type[Any]]] = frozenset(_DECISIONS)
