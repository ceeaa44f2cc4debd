"""What should lie in the croupier's tray (the table's float): a fold of public records. Pure.

It is the last count, with the fills and without the credits since, and with what the hands that closed since changed
it by. Where one of these does not say what it changed, nobody can know it until the tray is counted again. Money is in
the smallest unit, always a whole number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, get_args

from msgspec import UNSET

from tablectl.core.engine.decisions import GameWaits, HandClosed, HandOpened
from tablectl.core.engine.facts import GameChosen, Opened, Setup
from tablectl.core.engine.two_persons import are_two
from tablectl.core.engine.vocabulary import Refusal
from tablectl.core.events.notes import ChipCount, CountOccasion, FloatCounted, FloatCredited, FloatFilled, FloatNote
from tablectl.core.events.stream import PublicRecord
from tablectl.core.records import kind_of


class TrayAct(StrEnum):
    """What a person enters, each a form of the house: what lies in the tray when play begins (*anticipo*), in between
    (*arqueo*) and when it ends (*cierre*); chips that were brought (*reposición*) or taken away (*retirada*)."""

    OPENING = "opening"
    FILL = "fill"
    CREDIT = "credit"
    COUNT = "count"
    CLOSING = "closing"


#: Those that say what lies in the tray; the others, what came or went.
COUNTS: Final = frozenset({TrayAct.OPENING, TrayAct.COUNT, TrayAct.CLOSING})
#: The kinds of the notes that say so, as they stand in the stream; the first one is of every count.
COUNTED: Final = kind_of(FloatCounted)
KINDS: Final = frozenset(map(kind_of, get_args(FloatNote)))

#: Why an entry is not taken: it is no whole number of chips; more is taken away than should lie there; it is a total
#: where the house counts by denomination; there are no such chips in the house.
NO_CHIPS: Final = "no-chips"
ABOVE_TRAY: Final = "above-tray"
NO_DENOMINATIONS: Final = "no-denominations"
STRANGE_CHIPS: Final = "strange-chips"


@dataclass(frozen=True, kw_only=True, slots=True)
class TrayEntry:
    """What two persons, or one, say of the tray: the amount, and of which chips it is made where the house counts by
    denomination."""

    act: TrayAct
    amount: int
    by: str
    second: str
    chips: tuple[ChipCount, ...] = ()

    def note(self, at_us: int) -> FloatNote:
        """As it goes on record; a count without what was expected."""
        chips = self.chips or UNSET
        match self.act:
            case TrayAct.FILL:
                return FloatFilled(at_us=at_us, amount=self.amount, by=self.by, second=self.second, chips=chips)
            case TrayAct.CREDIT:
                return FloatCredited(at_us=at_us, amount=self.amount, by=self.by, second=self.second, chips=chips)
            case _:
                return FloatCounted(
                    at_us=at_us,
                    amount=self.amount,
                    expected=None,
                    by=self.by,
                    second=self.second,
                    chips=chips,
                    occasion=UNSET if self.act is TrayAct.COUNT else CountOccasion(self.act),
                )


def total_of(chips: Iterable[ChipCount]) -> int:
    """What these chips are worth together."""
    return sum(chip.value * chip.count for chip in chips)


def act_of(note: FloatNote) -> TrayAct:
    """What was entered."""
    match note:
        case FloatFilled():
            return TrayAct.FILL
        case FloatCredited():
            return TrayAct.CREDIT
        case FloatCounted(occasion=occasion):
            return TrayAct.COUNT if occasion is UNSET else TrayAct(occasion)


def chips_of(note: FloatNote) -> tuple[ChipCount, ...]:
    """Of which chips it is made; none where that is not on record."""
    return () if note.chips is UNSET else note.chips


def has_new_members(note: FloatNote) -> bool:
    """Whether version 0.1.0 could not read it."""
    return note.chips is not UNSET or act_of(note) in {TrayAct.OPENING, TrayAct.CLOSING}


def without_new_members(note: FloatNote) -> FloatNote:
    """The same as version 0.1.0 would have written it: the amount alone, and an opening or closing as a count."""
    if isinstance(note, FloatCounted):
        return replace(note, chips=UNSET, occasion=UNSET)
    return replace(note, chips=UNSET)


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryRefusal:
    """Why an entry is not taken: a word for programs, a sentence for people."""

    why: str
    error: str


def entry_refusal(setup: Setup, entry: TrayEntry, denominations: Sequence[int]) -> EntryRefusal | None:
    """Why an entry is not taken, or None. As for limits, two different persons enter it where the house knows its
    people. `denominations`: the house's chips; none where it does not count by them."""
    if (setup.staff or entry.second) and not are_two(entry.by, entry.second):
        error = "two different persons enter it at this table: by and second"
        return EntryRefusal(why=Refusal.SECOND_PERSON, error=error)
    if entry.amount % setup.chip:
        error = f"{entry.amount} is no whole number of chips: the smallest one is worth {setup.chip}"
        return EntryRefusal(why=NO_CHIPS, error=error)
    house = ", ".join(map(str, denominations))
    if denominations and entry.amount and not entry.chips:
        error = f"this house counts by denomination: say how many chips there are of each of {house}"
        return EntryRefusal(why=NO_DENOMINATIONS, error=error)
    strange = [chip.value for chip in entry.chips if chip.value not in denominations]
    if strange:
        error = (
            f"there are no chips of {strange[0]} in this house; denominations in [float] of its file: {house or 'none'}"
        )
        return EntryRefusal(why=STRANGE_CHIPS, error=error)
    return None


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
