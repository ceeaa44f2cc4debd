"""Which tag is where, from scans that flicker, fail and overlap."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.tags import Came, Change, Doubled, Left, Moved, Parted, Presence, PresenceSettings

A, B, C = "04A1", "04B2", "E004"
SETTINGS = PresenceSettings(in_scans=2, out_scans=3, out_s=1.0)
#: Seconds between two scans of the same antenna.
STEP_S = 0.1


class Table:
    """Antennas scanned one after the other, `STEP_S` a round."""

    def __init__(self, settings: PresenceSettings = SETTINGS) -> None:
        self.presence = Presence(settings)
        self.now_s = 0.0

    def sweep(self, *seen: str | None, times: int = 1) -> list[Change]:
        """One round or several: for each antenna from 1 its tags with blanks between; None where its scan failed."""
        changes: list[Change] = []
        for _ in range(times):
            self.now_s += STEP_S
            for antenna, tags in enumerate(seen, start=1):
                if tags is not None:
                    changes += self.presence.scanned(antenna, frozenset(tags.split()), now_s=self.now_s)
        return changes


def test_a_tag_is_there_when_enough_scans_saw_it_and_then_it_is_neither_new_nor_gone() -> None:
    table = Table()
    assert table.sweep(A) == []
    assert table.sweep(A) == [Came(A, 1)]
    assert table.sweep(A, times=50) == []


def test_a_tag_seen_once_was_never_there() -> None:
    table = Table()
    assert table.sweep(A) + table.sweep("", times=20) == []


def test_a_tag_is_gone_when_enough_scans_missed_it_and_enough_time_has_passed() -> None:
    table = Table()
    table.sweep(A, times=2)
    assert table.sweep("", times=9) == []
    assert table.sweep("", times=1) == [Left(A, 1)]
    assert table.sweep("", times=50) == []


@pytest.mark.parametrize("misses", range(1, 10))
def test_a_tag_that_flickers_stays(misses: int) -> None:
    table = Table()
    table.sweep(A, times=2)
    assert [change for _ in range(20) for change in table.sweep("", times=misses) + table.sweep(A)] == []


def test_time_alone_takes_nobody_away_when_no_scan_succeeds() -> None:
    table = Table()
    table.sweep(A, times=2)
    assert table.sweep(None, times=100) == []
    assert table.sweep("") == []
    assert table.sweep(A) == []


def test_a_scan_that_broke_off_takes_nobody_away_but_what_it_saw_is_there() -> None:
    presence = Presence(SETTINGS)
    changes: list[Change] = []
    for now_s in range(2):
        changes += presence.scanned(1, {A}, now_s=float(now_s))
    for now_s in range(2, 20):
        changes += presence.scanned(1, {B}, now_s=float(now_s), is_whole=False)
    assert changes == [Came(A, 1), Came(B, 1)]


def test_a_stack_of_cards_is_as_many_tags() -> None:
    table = Table()
    assert table.sweep(f"{A} {B} {C}", times=2) == [Came(A, 1), Came(B, 1), Came(C, 1)]
    assert table.presence.at(1) == {A, B, C}
    assert table.sweep(f"{A} {C}", times=10) == [Left(B, 1)]


def test_a_card_that_is_carried_over_moves_once_and_is_never_gone() -> None:
    table = Table()
    table.sweep(A, "", times=2)
    changes = table.sweep("", "") + table.sweep("", A, times=30)
    assert changes == [Moved(A, 1, 2)]
    assert table.presence.where(A) == 2


def test_a_tag_seen_at_two_antennas_is_at_the_one_that_had_it_first_and_that_is_said_once() -> None:
    table = Table()
    assert table.sweep(A, "", times=2) == [Came(A, 1)]
    assert table.sweep(A, A, times=30) == [Doubled(A, 2)]
    assert table.presence.where(A) == 1
    assert table.sweep("", A, times=30) == [Moved(A, 1, 2, is_told=True)]
    assert table.sweep("", "", times=30) == [Left(A, 2)]


def test_that_a_second_antenna_sees_a_tag_no_more_is_said_once() -> None:
    table = Table()
    table.sweep(A, A, times=5)
    assert table.sweep(A, "", times=2) == [], "it flickers"
    assert table.sweep(A, "", times=30) == [Parted(A, 2)]
    assert table.sweep(A, A, times=30) == [Doubled(A, 2)]


def test_a_tag_that_two_antennas_lose_at_once_leaves_them_both() -> None:
    table = Table()
    table.sweep(A, A, times=5)
    assert table.sweep("", "", times=30) == [Parted(A, 2), Left(A, 1)]


def test_a_tag_that_both_antennas_see_from_the_beginning_is_at_one_of_them() -> None:
    table = Table()
    assert table.sweep(A, A, times=30) == [Came(A, 1), Doubled(A, 2)]


def test_an_antenna_that_fails_does_not_hold_a_tag_that_another_one_sees() -> None:
    table = Table()
    table.sweep(A, "", times=2)
    assert table.sweep(None, A, times=30) == [Moved(A, 1, 2)]


def test_a_tag_that_came_back_later_is_new_again() -> None:
    table = Table()
    table.sweep(A, times=2)
    assert table.sweep("", times=30) == [Left(A, 1)]
    assert table.sweep(A, times=2) == [Came(A, 1)]


def test_nothing_shows_a_tag() -> None:
    table = Table()
    shown = repr(table.sweep(f"{A} {B}", A, times=3) + table.sweep("", A, times=30))
    assert not any(tag in shown for tag in (A, B))


# -- properties --------------------------------------------------------------------------------------------------------

TAGS = (A, B, C)
SCANS = st.lists(
    st.tuples(st.integers(1, 3), st.none() | st.frozensets(st.sampled_from(TAGS)), st.floats(0.0, 2.0)), max_size=60
)
SOME = st.builds(
    PresenceSettings, in_scans=st.integers(1, 3), out_scans=st.integers(1, 4), out_s=st.sampled_from([0.1, 1.0])
)


def played(settings: PresenceSettings, scans: Sequence[tuple[int, frozenset[str] | None, float]]) -> list[Change]:
    presence = Presence(settings)
    now_s, changes = 0.0, list[Change]()
    for antenna, tags, pause_s in scans:
        now_s += pause_s
        if tags is not None:
            changes += presence.scanned(antenna, tags, now_s=now_s)
    return changes


@given(SOME, SCANS)
def test_a_tag_is_in_one_place_and_comes_moves_and_leaves_from_where_it_is(
    settings: PresenceSettings, scans: list[tuple[int, frozenset[str] | None, float]]
) -> None:
    where: dict[str, int] = {}
    besides: set[tuple[str, int]] = set()
    for change in played(settings, scans):
        here = (change.tag, change.antenna)
        match change:
            case Came():
                assert change.tag not in where
                where[change.tag] = change.antenna
            case Moved():
                assert where[change.tag] == change.from_antenna != change.antenna
                assert change.is_told == (here in besides)
                besides.discard(here)
                where[change.tag] = change.antenna
            case Left():
                assert where.pop(change.tag) == change.antenna
            case Doubled():
                assert where[change.tag] != change.antenna
                assert here not in besides
                besides.add(here)
            case Parted():
                besides.remove(here)
        assert {tag for tag, _ in besides} <= where.keys(), "nobody is seen besides who is nowhere"


@given(SOME, SCANS)
def test_nobody_comes_who_was_not_seen_as_often_as_asked(
    settings: PresenceSettings, scans: list[tuple[int, frozenset[str] | None, float]]
) -> None:
    seen = {tag: sum(tags is not None and tag in tags for _, tags, _ in scans) for tag in TAGS}
    came = [change.tag for change in played(settings, scans) if isinstance(change, Came)]
    assert all(seen[tag] >= settings.in_scans * came.count(tag) for tag in TAGS)


@given(SOME, SCANS, st.data())
def test_failed_scans_change_nothing_wherever_they_lie(
    settings: PresenceSettings, scans: list[tuple[int, frozenset[str] | None, float]], data: st.DataObject
) -> None:
    with_failures = list(scans)
    for at in data.draw(st.lists(st.integers(0, len(scans)), max_size=10)):
        with_failures.insert(at, (data.draw(st.integers(1, 3)), None, 0.0))
    assert played(settings, with_failures) == played(settings, scans)


@given(SOME, st.lists(st.booleans(), max_size=60))
def test_a_card_that_flickers_less_than_the_setting_never_leaves(settings: PresenceSettings, sees: list[bool]) -> None:
    scans: list[tuple[int, frozenset[str] | None, float]] = [(1, frozenset({A}), 0.5)] * settings.in_scans
    missed = 0
    for see in sees:
        missed = 0 if see or missed + 1 >= settings.out_scans else missed + 1
        scans.append((1, frozenset() if missed else frozenset({A}), 0.5))
    assert played(settings, scans) == [Came(A, 1)]


@given(SOME, SCANS)
def test_after_long_quiet_everybody_who_came_has_left(
    settings: PresenceSettings, scans: list[tuple[int, frozenset[str] | None, float]]
) -> None:
    nothing: list[tuple[int, frozenset[str] | None, float]] = [
        (antenna, frozenset(), 1.0) for _ in range(5) for antenna in (1, 2, 3)
    ]
    changes = played(settings, [*scans, *nothing])
    came = [change.tag for change in changes if isinstance(change, Came)]
    left = [change.tag for change in changes if isinstance(change, Left)]
    assert sorted(came) == sorted(left)
