"""What should lie in the tray: the fold against a naive sum, and what makes it no number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key
from tablectl.core.events.codec import encode_fact
from tablectl.core.events.notes import ChipCount, CountOccasion, FloatCounted, FloatCredited, FloatFilled
from tablectl.core.events.stream import Event, PublicRecord
from tablectl.core.public_table.chip_float import (
    COUNTS,
    Tray,
    TrayAct,
    TrayEntry,
    Unknown,
    act_of,
    chips_of,
    difference,
    fold,
    has_new_members,
    without_new_members,
)
from tablectl.core.settlement.pot_rules import Rake
from tablectl.games.registry import CIRCLE_GAMES, rulebook_of
from tests.screens.controller import Bench, setup
from tests.screens.hands import WHOLE

FOLD = partial(fold, circle_games=CIRCLE_GAMES)

BANK: Final = setup()
POTS: Final = replace(BANK, rulebook="circle-holdem")
PRESSED: Final = f.Pressed(at_us=0, key=Key.CONFIRM)
FEE: Final = replace(POTS, fee=Rake(rate=500, cap=100))


@dataclass(frozen=True)
class Entered:
    """Somebody counted, filled or credited so much."""

    act: TrayAct
    amount: int


@dataclass(frozen=True)
class Played:
    """A hand of this setup, by how much it changed the float, and what was entered while it was in play."""

    setup: f.Setup
    change: int | None
    meanwhile: tuple[Entered, ...] = ()


AMOUNTS: Final = st.integers(0, 10**12)
ENTERED: Final = st.builds(Entered, st.sampled_from(TrayAct), AMOUNTS)
#: Most hands say what they changed: otherwise hardly a sum would be long.
CHANGES: Final = st.one_of(*[st.integers(-(10**12), 10**12)] * 9, st.none())
SETUPS: Final = st.sampled_from([BANK, BANK, BANK, FEE, FEE, POTS])
PLAYED: Final = st.builds(Played, SETUPS, CHANGES, st.lists(ENTERED, max_size=2).map(tuple))
EVENING: Final = st.lists(st.one_of(ENTERED, PLAYED), max_size=25)


def records(events: Sequence[Entered | Played]) -> list[PublicRecord]:
    """As the journal has them, with what is looked at."""
    made: list[PublicRecord] = []

    def tell(event: Event, *decisions: d.Decision, carry: Carry | None = None) -> None:
        made.append(PublicRecord(seq=len(made) + 1, hand=1, at_us=0, event=event, decisions=decisions, carry=carry))

    def enter(event: Entered) -> None:
        if event.act in COUNTS:
            occasion = UNSET if event.act is TrayAct.COUNT else CountOccasion(event.act)
            counted = FloatCounted(at_us=0, amount=event.amount, expected=None, by="ana", second="", occasion=occasion)
            tell(counted)
        else:
            moved = FloatFilled if event.act is TrayAct.FILL else FloatCredited
            tell(moved(at_us=0, amount=event.amount, by="ana", second=""))

    tell(f.Opened(at_us=0, setup=BANK))
    for event in events:
        if isinstance(event, Entered):
            enter(event)
            continue
        tell(f.GameChosen(at_us=0, setup=event.setup, by="ana"))
        tell(PRESSED, d.HandOpened(hand=1, rulebook=event.setup.rulebook, version="1"))
        # A start in the hand with another game: that one counts from the next hand on.
        tell(f.Opened(at_us=0, setup=FEE if event.setup == POTS else POTS))
        for entered in event.meanwhile:
            enter(entered)
        closed = d.HandClosed(hand=1, presses=1, drawn=1, float_change=event.change)
        tell(PRESSED, closed, carry=replace(Table(BANK, rulebook_of).carry(), setup=event.setup))
    return made


def naive(events: Sequence[Entered | Played]) -> int | None:
    """From the last count on, one after the other; a hand counts when it is over."""
    flat: list[Entered | Played] = []
    for event in events:
        flat += [*event.meanwhile, event] if isinstance(event, Played) else [event]
    counts = [at for at, entered in enumerate(flat) if isinstance(entered, Entered) and entered.act in COUNTS]
    if not counts:
        return None
    total = 0
    for entry in flat[counts[-1] :]:
        if isinstance(entry, Played):
            if entry.change is None or entry.setup == POTS:
                return None
            total += entry.change
        else:
            total += -entry.amount if entry.act is TrayAct.CREDIT else entry.amount
    return total


@given(EVENING)
def test_it_is_the_last_count_and_what_came_and_went_since(events: list[Entered | Played]) -> None:
    tray = reduce(FOLD, records(events), Tray())
    assert tray.expected == naive(events)
    assert type(tray.expected) in (int, type(None))
    assert not tray.is_open


@given(EVENING, st.data())
def test_it_can_begin_at_any_hand_before_the_last_count(events: list[Entered | Played], data: st.DataObject) -> None:
    """As the API does: from the record that says what the hand before left."""
    told = records(events)
    counts = [at for at, public_record in enumerate(told) if isinstance(public_record.event, FloatCounted)]
    bounds = [
        0,
        *(
            at
            for at, public_record in enumerate(told[: counts[-1]] if counts else told)
            if public_record.carry is not None
        ),
    ]
    start = data.draw(st.sampled_from(bounds))
    assert reduce(FOLD, told[start:], Tray()).expected == naive(events)


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([Played(BANK, 500)], Unknown.NO_COUNT),
        ([Entered(TrayAct.FILL, 500)], Unknown.NO_COUNT),
        ([Entered(TrayAct.COUNT, 500), Played(BANK, None), Played(POTS, 0)], Unknown.NO_AMOUNTS),
        ([Entered(TrayAct.COUNT, 500), Played(POTS, 0), Played(BANK, None)], Unknown.NO_FEE),
        ([Entered(TrayAct.COUNT, 500), Played(POTS, 0), Entered(TrayAct.COUNT, 0)], None),
        ([Entered(TrayAct.COUNT, 500), Played(FEE, 50)], None),
    ],
)
def test_why_it_cannot_be_known_is_said(events: list[Entered | Played], why: Unknown | None) -> None:
    tray = reduce(FOLD, records(events), Tray())
    assert (tray.unknown, tray.expected is None) == (why, why is not None)


def test_a_game_that_was_chosen_and_waits_is_not_played_yet() -> None:
    told = records([Entered(TrayAct.COUNT, 500), Played(BANK, 20)])
    chosen = f.GameChosen(at_us=0, setup=POTS, by="ana")
    waits = PublicRecord(
        seq=0, hand=1, at_us=0, event=chosen, decisions=(d.GameWaits(rulebook=POTS.rulebook, clause="FCD-WIN-5"),)
    )
    opened = next(at for at, public_record in enumerate(told) if public_record.decisions)
    assert reduce(FOLD, [*told[:opened], waits, *told[opened:]], Tray()).expected == 520


def test_a_hand_of_the_real_engine_is_in_it_when_it_is_over() -> None:
    bench = Bench()
    bench.note("float-counted", amount=100_000, expected=None, by="ana", second="")
    *lines, last = filter(None, WHOLE.splitlines())
    bench.lines("\n".join(lines))
    tray = reduce(FOLD, bench.stream, Tray())
    assert (tray.expected, tray.is_open) == (100_000, True)
    bench.line(last)
    tray = reduce(FOLD, bench.stream, Tray())
    assert (tray.expected, tray.is_open, tray.hands, tray.seq) == (88_000, False, 1, 2)


def test_a_difference_is_what_was_there_beyond_what_was_expected() -> None:
    assert (difference(500, 600), difference(600, 500), difference(5, None)) == (-100, 100, None)


@pytest.mark.parametrize("act", TrayAct)
@pytest.mark.parametrize("chips", [(), (ChipCount(value=500, count=2),)])
def test_every_entry_is_read_from_its_note_again(act: TrayAct, chips: tuple[ChipCount, ...]) -> None:
    entry = TrayEntry(act=act, amount=1000, by="ana", second="luis", chips=chips)
    note = entry.note(7)
    assert (act_of(note), chips_of(note), note.amount, note.by, note.second) == (act, chips, 1000, "ana", "luis")


@pytest.mark.parametrize("act", TrayAct)
def test_what_version_0_1_0_reads_has_the_amount_alone(act: TrayAct) -> None:
    entry = TrayEntry(act=act, amount=1000, by="ana", second="luis", chips=(ChipCount(value=500, count=2),))
    plain = without_new_members(entry.note(7))
    assert has_new_members(entry.note(7))
    assert not has_new_members(plain)
    assert encode_fact(plain).keys() <= {"kind", "amount", "expected", "by", "second"}
    assert act_of(plain) is (act if act in {TrayAct.FILL, TrayAct.CREDIT} else TrayAct.COUNT)
