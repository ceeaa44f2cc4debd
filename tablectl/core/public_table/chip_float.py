"""What should lie in the croupier's tray (the table's float): a fold of public records. Pure.

It is the last count, with the fills and without the credits since, and with what the hands that closed since changed
it by. Where one of these does not say what it changed, nobody can know it until the tray is counted again. Money is in
the smallest unit, always a whole number.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from tablectl.core.engine.decisions import GameWaits, HandClosed, HandOpened
from tablectl.core.engine.facts import GameChosen, Opened, Setup
from tablectl.core.engine.two_persons import are_two
from tablectl.core.engine.vocabulary import Refusal
from tablectl.core.events.notes import FloatCounted, FloatCredited, FloatFilled
from tablectl.core.events.stream import PublicRecord
from tablectl.core.records import kind_of


class TrayAct(StrEnum):
    """What a person enters: what lies in the tray, or chips that were brought or taken away."""

    COUNT = "count"
    FILL = "fill"
    CREDIT = "credit"


#: The notes that say so.
NOTES: Final[Mapping[TrayAct, type[FloatCounted | FloatFilled | FloatCredited]]] = {
    TrayAct.COUNT: FloatCounted,
    TrayAct.FILL: FloatFilled,
    TrayAct.CREDIT: FloatCredited,
}

#: By their kinds, as they stand in the stream.
ACTS: Final[Mapping[str, TrayAct]] = {kind_of(note): act for act, note in NOTES.items()}

#: Why an amount is not taken: it is no whole number of chips; more is taken away than should lie there.
NO_CHIPS: Final = "no-chips"
ABOVE_TRAY: Final = "above-tray"


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryRefusal:
    """Why an entry is not taken: a word for programs, a sentence for people."""

    why: str
    error: str


def entry_refusal(setup: Setup, amount: int, *, by: str, second: str) -> EntryRefusal | None:
    """Why an amount is not taken from these persons, or None. As for limits, two different ones enter it where the
    house knows its people."""
    if (setup.staff or second) and not are_two(by, second):
        error = "two different persons enter it at this table: by and second"
        return EntryRefusal(why=Refusal.SECOND_PERSON, error=error)
    if amount % setup.chip:
        error = f"{amount} is no whole number of chips: the smallest one is worth {setup.chip}"
        return EntryRefusal(why=NO_CHIPS, error=error)
    return None


def entry_note(
    act: TrayAct, *, at_us: int, amount: int, by: str, second: str
) -> FloatCounted | FloatFilled | FloatCredited:
    """The note of an entry; of a count without what was expected."""
    match act:
        case TrayAct.COUNT:
            return FloatCounted(at_us=at_us, amount=amount, expected=None, by=by, second=second)
        case TrayAct.FILL:
            return FloatFilled(at_us=at_us, amount=amount, by=by, second=second)
        case TrayAct.CREDIT:
            return FloatCredited(at_us=at_us, amount=amount, by=by, second=second)


class Unknown(StrEnum):
    """Why nobody can know what should lie there."""

    NO_COUNT = "no-count"
    #: since the last count a hand was over in which no amounts were entered
    NO_AMOUNTS = "no-amounts"
    #: one of a game without a bank, of whose pots the table takes nothing: what its players pay is entered nowhere
    NO_FEE = "no-fee"


@dataclass(frozen=True, kw_only=True, slots=True)
class Tray:
    """Since the last count: `counted` then (at record `seq`), `fills`, `credits`, and the `change` by `hands` that are
    over. `unknown` says why all of it is no number.

    `is_open`: a hand is in play, and what it changes is not in it yet. `tells`: whether that hand will say what it
    changed, where amounts are entered; `next_tells`: the next one.
    """

    counted: int = 0
    seq: int = 0
    fills: int = 0
    credits: int = 0
    change: int = 0
    hands: int = 0
    unknown: Unknown | None = Unknown.NO_COUNT
    is_open: bool = False
    tells: bool = True
    next_tells: bool = True

    @property
    def expected(self) -> int | None:
        """What should lie there; None where that cannot be known."""
        return None if self.unknown is not None else self.counted + self.fills - self.credits + self.change


def fold(tray: Tray, record: PublicRecord, *, circle_games: Set[str]) -> Tray:
    """After one more record. `circle_games`: the ids of the games without a bank, of whose pots a fee may be due."""
    match record.event:
        case FloatCounted(amount=amount):
            tray = replace(tray, counted=amount, seq=record.seq, fills=0, credits=0, change=0, hands=0, unknown=None)
        case FloatFilled(amount=amount):
            tray = replace(tray, fills=tray.fills + amount)
        case FloatCredited(amount=amount):
            tray = replace(tray, credits=tray.credits + amount)
        case (Opened() | GameChosen()) as chosen if not any(
            isinstance(concluded, GameWaits) for concluded in record.decisions
        ):
            tray = replace(tray, next_tells=_tells(chosen.setup, circle_games))
    for decision in record.decisions:
        match decision:
            case HandOpened():
                tray = replace(tray, is_open=True, tells=tray.next_tells)
            case HandClosed(float_change=change):
                tray = _closed(tray, change)
    return tray if record.carry is None else replace(tray, next_tells=_tells(record.carry.setup, circle_games))


def difference(counted: int, expected: int | None) -> int | None:
    """By how much more was there than expected; None where nobody could know what to expect."""
    return None if expected is None else counted - expected


def _closed(tray: Tray, change: int | None) -> Tray:
    tray = replace(tray, is_open=False)
    if change is None:
        return replace(tray, unknown=tray.unknown or Unknown.NO_AMOUNTS)
    if not tray.tells:
        return replace(tray, unknown=tray.unknown or Unknown.NO_FEE)
    return replace(tray, change=tray.change + change, hands=tray.hands + 1)


def _tells(setup: Setup, circle_games: Set[str]) -> bool:
    return setup.rulebook not in circle_games or setup.fee is not None
