"""The tables of one pit boss: their picture, their alarms, and calls of their own."""

from __future__ import annotations

import pytest

from tablectl.fleet.pit.announcer import MOST
from tablectl.fleet.pit.pit_alarms import PitAlarmKind
from tablectl.fleet.pit.presence import SILENT_S
from tablectl.fleet.pit.scopes import (
    ALL,
    PATTERNS_MOST,
    SCOPES_MOST,
    TEXT_MOST,
    UNUSED_S,
    BadScope,
    FloorPicture,
    Scope,
    parse,
)
from tests.fleet.test_presence import CALLED_S, World, incident

MINE = parse("mesa-2*")


@pytest.fixture
def world() -> World:
    made = World("mesa-1", "mesa-2", "mesa-20", "ruleta-1")
    made.hear("mesa-1", "mesa-2", "mesa-20", "ruleta-1")
    made.floor.look()
    made.floor.picture_of(MINE)
    return made


def called(picture: FloorPicture) -> list[str]:
    return [call.alarm.name for call in picture.announced.calls]


def test_a_scope_has_the_tables_whose_names_match(world: World) -> None:
    assert {table.name for table in world.floor.picture_of(MINE).tables} == {"mesa-2", "mesa-20"}
    assert {table.name for table in world.floor.picture_of(parse("mesa-1, ruleta-?")).tables} == {"mesa-1", "ruleta-1"}
    assert world.floor.picture_of(parse("mesa-3")).tables == ()
    assert len(world.floor.picture_of(ALL).tables) == 4


@pytest.mark.parametrize("text", ["", " , ", "*", "mesa-1,*"])
def test_nothing_and_everything_are_all_tables(text: str) -> None:
    assert parse(text) == ALL


def test_a_scope_is_the_same_one_in_any_order() -> None:
    assert parse("b,a,,b") == parse("a, b") == Scope(patterns=("a", "b"))
    assert str(parse("b,a")) == "a,b"


@pytest.mark.parametrize("text", ["x" * (TEXT_MOST + 1), ",".join(f"m{n}" for n in range(PATTERNS_MOST + 1))])
def test_a_scope_that_is_too_long_is_refused_and_says_what_would_be_right(text: str) -> None:
    with pytest.raises(BadScope, match="would be right"):
        parse(text)


def test_a_scope_has_the_alarms_of_its_tables_and_what_they_share_with_others(world: World) -> None:
    world.hear("mesa-1", alarms=(incident(1, world.now_us),))
    world.hear("mesa-2", alarms=(incident(2, world.now_us),))
    world.floor.look()
    assert [alarm.tables for alarm in world.floor.picture_of(MINE).alarms] == [("mesa-2",)]
    world.later(SILENT_S + 2, "mesa-20")
    (shared,) = [alarm for alarm in world.floor.picture_of(MINE).alarms if alarm.kind is PitAlarmKind.SILENT_TOGETHER]
    assert shared.tables == ("mesa-1", "mesa-2", "ruleta-1")


def test_a_flood_at_one_end_of_the_house_does_not_silence_the_other(world: World) -> None:
    for number in range(MOST + 5):
        world.later(1, "mesa-2", "mesa-20", "ruleta-1")
        world.hear("mesa-1", alarms=tuple(incident(one, world.now_us) for one in range(number + 1)))
    world.hear("mesa-2", alarms=(incident(77, world.now_us),))
    world.floor.look()
    assert "mesa-2 incident-77" not in called(world.floor.picture)
    assert called(world.floor.picture_of(MINE)) == ["mesa-2 incident-77"]
    assert world.floor.picture_of(MINE).announced.held_back == 0


def test_a_table_that_is_enrolled_later_comes_into_its_scope(world: World) -> None:
    more = World("mesa-1", "mesa-2", "mesa-21")
    world.tables = more.tables
    world.later(CALLED_S, "mesa-1")
    assert {table.name for table in world.floor.picture_of(MINE).tables} == {"mesa-2", "mesa-21"}


def test_scopes_are_bounded_and_one_that_nobody_looks_at_makes_room(world: World) -> None:
    for number in range(SCOPES_MOST - 2):  # all, and one more, are followed already
        world.floor.picture_of(parse(f"m{number}"))
    with pytest.raises(BadScope, match="look at all of them"):
        world.floor.picture_of(parse("one-more"))
    world.now_s += UNUSED_S + 1
    world.floor.look()
    world.floor.picture_of(parse("one-more"))
