"""What should lie in the tray: the fold against a naive sum, and what makes it no number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.codec import NOTES
from tablectl.tray import ACTS, KINDS, Tray, TrayAct, Unknown, difference, fold
from tests.screens.controller import Bench
from tests.screens.hands import WHOLE

BANK: Final = {"rulebook": "texas-bonus", "fee": None}
POTS: Final = {"rulebook": "circle-holdem", "fee": None}
FEE: Final = {"rulebook": "circle-holdem", "fee": {"rate": 500, "taken_from": "pot", "cap": 100}}


@dataclass(frozen=True)
class Entered:
    """Somebody counted, filled or credited so much."""

    act: TrayAct
    amount: int


@dataclass(frozen=True)
class Played:
    """A hand of this setup, by how much it changed the float, and what was entered while it was in play."""

    setup: dict[str, Any]
    change: int | None
    meanwhile: tuple[Entered, ...] = ()


AMOUNTS: Final = st.integers(0, 10**12)
ENTERED: Final = st.builds(Entered, st.sampled_from(TrayAct), AMOUNTS)
#: Most hands say what they changed: otherwise hardly a sum would be long.
CHANGES: Final = st.one_of(*[st.integers(-(10**12), 10**12)] * 9, st.none())
SETUPS: Final = st.sampled_from([BANK, BANK, BANK, FEE, FEE, POTS])
PLAYED: Final = st.builds(Played, SETUPS, CHANGES, st.lists(ENTERED, max_size=2).map(tuple))
EVENING: Final = st.lists(st.one_of(ENTERED, PLAYED), max_size=25)


def records(events: Sequence[Entered | Played]) -> list[dict[str, Any]]:
    """As the journal has them, in a public form with what is looked at."""
    made: list[dict[str, Any]] = []

    def note(fact: dict[str, Any], *decisions: dict[str, Any], **more: dict[str, Any]) -> None:
        made.append({"seq": len(made) + 1, "fact": fact, "decisions": list(decisions), **more})

    def enter(event: Entered) -> None:
        note({"kind": KINDS[event.act], "amount": event.amount})

    note({"kind": "opened", "setup": BANK})
    for event in events:
        if isinstance(event, Entered):
            enter(event)
            continue
        note({"kind": "game-chosen", "setup": event.setup})
        note({"kind": "pressed"}, {"kind": "hand-opened"})
        # A start in the hand with another game: that one counts from the next hand on.
        note({"kind": "opened", "setup": FEE if event.setup == POTS else POTS})
        for each in event.meanwhile:
            enter(each)
        note(
            {"kind": "pressed"},
            {"kind": "hand-closed", "float_change": event.change},
            carry={"setup": event.setup},
        )
    return made


def naive(events: Sequence[Entered | Played]) -> int | None:
    """From the last count on, one after the other; a hand counts when it is over."""
    flat: list[Entered | Played] = []
    for event in events:
        flat += [*event.meanwhile, event] if isinstance(event, Played) else [event]
    counts = [at for at, each in enumerate(flat) if isinstance(each, Entered) and each.act is TrayAct.COUNT]
    if not counts:
        return None
    total = 0
    for each in flat[counts[-1] :]:
        if isinstance(each, Played):
            if each.change is None or each.setup == POTS:
                return None
            total += each.change
        else:
            total += -each.amount if each.act is TrayAct.CREDIT else each.amount
    return total


@given(EVENING)
def test_it_is_the_last_count_and_what_came_and_went_since(events: list[Entered | Played]) -> None:
    tray = reduce(fold, records(events), Tray())
    assert tray.expected == naive(events)
    assert type(tray.expected) in (int, type(None))
    assert not tray.is_open


@given(EVENING, st.data())
def test_it_can_begin_at_any_hand_before_the_last_count(events: list[Entered | Played], data: st.DataObject) -> None:
    """As the door does: from the record that says what the hand before left."""
    told = records(events)
    counts = [at for at, each in enumerate(told) if each["fact"]["kind"] == "float-counted"]
    bounds = [0, *(at for at, each in enumerate(told[: counts[-1]] if counts else told) if "carry" in each)]
    start = data.draw(st.sampled_from(bounds))
    assert reduce(fold, told[start:], Tray()).expected == naive(events)


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
    tray = reduce(fold, records(events), Tray())
    assert (tray.unknown, tray.expected is None) == (why, why is not None)


def test_a_game_that_was_chosen_and_waits_is_not_played_yet() -> None:
    told = records([Entered(TrayAct.COUNT, 500), Played(BANK, 20)])
    waits = {"seq": 0, "fact": {"kind": "game-chosen", "setup": POTS}, "decisions": [{"kind": "game-waits"}]}
    opened = next(at for at, each in enumerate(told) if each["decisions"])
    assert reduce(fold, [*told[:opened], waits, *told[opened:]], Tray()).expected == 520


def test_a_hand_of_the_real_engine_is_in_it_when_it_is_over() -> None:
    bench = Bench()
    bench.note("float-counted", amount=100_000, expected=None, by="ana", second="")
    *lines, last = filter(None, WHOLE.splitlines())
    bench.lines("\n".join(lines))
    tray = reduce(fold, bench.records, Tray())
    assert (tray.expected, tray.is_open) == (100_000, True)
    bench.line(last)
    tray = reduce(fold, bench.records, Tray())
    assert (tray.expected, tray.is_open, tray.hands, tray.seq) == (88_000, False, 1, 2)


def test_a_difference_is_what_was_there_beyond_what_was_expected() -> None:
    assert (difference(500, 600), difference(600, 500), difference(5, None)) == (-100, 100, None)


def test_every_act_has_a_record_of_its_own() -> None:
    assert set(KINDS) == set(TrayAct)
    assert ACTS.keys() <= NOTES.keys()
